import Accelerometry
import JSONLines
import LinuxSensors
import Recordings

/// A source that was found, ready to be read as it happens.
package struct LiveFeed: Sendable {
  /// What it hands out.
  package enum Content: Sendable {
    /// Samples, in which steps are to be heard.
    case samples(any AccelerationSource)
    /// Steps that were counted elsewhere: by a chip, or by the service that holds the sensor.
    case counter(any StepReadings)
  }

  /// The name under which it can be chosen again.
  package var uri: SourceURI
  /// What it hands out.
  package var content: Content
  /// What is known before the first sample.
  package var profile: SensorProfile
  /// What stays the same about a sensor.
  package var identity: SensorIdentity?
  /// The accelerometer as it was opened last; `nil` for everything else.
  package var accelerometer: @Sendable () -> LinuxAccelerometer? = { nil }

  /// How a sensor is being read; `nil` for everything else, and before the first batch.
  package var acquisition: AcquisitionReport? { accelerometer()?.acquisition }

  package init(
    uri: SourceURI, content: Content, profile: SensorProfile, identity: SensorIdentity? = nil,
    accelerometer: @escaping @Sendable () -> LinuxAccelerometer? = { nil }
  ) {
    self.uri = uri
    self.content = content
    self.profile = profile
    self.identity = identity
    self.accelerometer = accelerometer
  }

  /// Its name and how it is read, for people.
  package var summary: String {
    var text = uri.isSensor && profile.name != "\(uri)" ? "\(uri) (\(profile.name))" : "\(uri)"
    switch acquisition?.mode {
    case .buffered(let setup)?:
      let rate = setup.samplingFrequency ?? profile.samplingFrequency
      text += " through its buffer" + (rate.map { " at \($0)" } ?? "")
    case .polled(let frequency, _)?: text += ", polled at \(Decimals.text(frequency, 1) ?? "?") Hz"
    case .events?: break
    case nil: text += profile.samplingFrequency.map { " at \($0)" } ?? ""
    }
    return text
  }

  /// Why it is polled, and what would give more; `nil` where nothing is to be said.
  package var remark: String? {
    if case .polled(_, let reason)? = acquisition?.mode { reason } else { nil }
  }
}

/// Opens sources by name for commands that follow them as they happen.
package struct LiveOpener: Sendable {
  /// What the user knows about recordings.
  package var reading = RecordingOptions()
  /// How a sensor is to be read.
  package var options = SensorOptions()
  /// Finds sensors.
  package var finder: SensorFinder
  /// Hears of a sensor's loss and return, on the consuming task.
  package var report: @Sendable (ReconnectingSource.Event) -> Void = { _ in }
  /// Where a running service may be asked for the steps of a sensor that it holds; `nil` where it is not to be.
  package var service: ServiceAccess?
  /// Hears of the service's loss and return.
  package var reportService: @Sendable (ServiceCounter.Event) -> Void = { _ in }

  package init(
    reading: RecordingOptions = RecordingOptions(), options: SensorOptions = SensorOptions(), finder: SensorFinder,
    report: @escaping @Sendable (ReconnectingSource.Event) -> Void = { _ in }
  ) {
    self.reading = reading
    self.options = options
    self.finder = finder
    self.report = report
  }

  /// Opens a source; without a name the best sensor.
  /// - Returns: `nil` when the task was cancelled while a sensor was waited for.
  /// - Throws: `SensorError`, `SyntheticWalkError`. What is wrong with a file is known when it is read.
  package func open(_ uri: SourceURI?) async throws -> LiveFeed? {
    switch uri {
    case .synthetic(let settings)?:
      let walk = try SyntheticWalk(settings: settings)
      _ = try walk.reader()
      let replay = RecordingReplay(profile: walk.profile, pace: .realTime) { try walk.reader() }
      return LiveFeed(uri: .synthetic(settings), content: .samples(replay), profile: walk.profile)
    case .file(let path)?:
      let reading = reading
      let profile = SensorProfile(name: path, clock: .recording)
      let replay = RecordingReplay(profile: profile, pace: .realTime) {
        try RecordingReader(path: path, options: reading)
      }
      return LiveFeed(uri: .file(path: path), content: .samples(replay), profile: profile)
    case .standardInput?:
      let reading = reading
      let profile = SensorProfile(name: "standard input", clock: .recording)
      let stream = StreamedRecording(profile: profile) {
        RecordingReader(fileDescriptor: 0, name: "standard input", options: reading)
      }
      return LiveFeed(uri: .standardInput, content: .samples(stream), profile: profile)
    case .iio?, .evdev?, .counter?, nil: return try await openSensor(uri)
    }
  }

  private func openSensor(_ uri: SourceURI?) async throws -> LiveFeed? {
    while let sensor = try await finder.find(uri) {
      if let feed = await serviceFeed(sensor) { return feed }
      do throws(SensorError) { return try open(sensor) } catch {
        // One that went between being found and being opened is waited for like one that was never there.
        guard finder.waits, error.kind == .unavailable, (try? await Task.sleep(for: .milliseconds(200))) != nil else {
          throw error
        }
      }
    }
    if finder.waits || Task.isCancelled { return nil }
    // Not in udev's list: opening it says why, or that it can be read nevertheless.
    guard let uri else { return nil }
    switch try Self.source(uri, options) {
    case .accelerometer(let source):
      return LiveFeed(
        uri: uri, content: .samples(source), profile: source.profile, accelerometer: { source })
    case .stepCounter(let counter):
      return LiveFeed(
        uri: uri, content: .counter(ReconnectingCounter(counter, sensor: nil, report: report)),
        profile: counter.sensorProfile)
    }
  }

  /// An IIO buffer has one reader. Where that is the service, it is asked for the steps instead of failing with "busy".
  private func serviceFeed(_ sensor: DiscoveredSensor) async -> LiveFeed? {
    guard sensor.isBufferInUse, let service, let transport = try? service.transport() else { return nil }
    let address = service.address
    let counter = ServiceCounter(address, source: "\(sensor.uri)", transport: transport, report: reportService)
    guard await counter.isCounting() else { return nil }
    let profile = SensorProfile(name: "\(sensor.name), counted by the service at \(address.url)", clock: .boottime)
    return LiveFeed(uri: sensor.uri, content: .counter(counter), profile: profile, identity: sensor.identity)
  }

  /// Finds a device by its name alone.
  package static func source(_ uri: SourceURI, _ options: SensorOptions) throws(SensorError) -> SensorSource {
    do throws(SensorError) {
      return try SensorSource.open(uri, options: options)
    } catch .removed {
      // Nobody has seen it yet.
      throw .notFound(name: "\(uri)", remedy: "'pedometer devices' lists what is there")
    }
  }

  private func open(_ sensor: DiscoveredSensor) throws(SensorError) -> LiveFeed {
    switch sensor.kind {
    case .accelerometer:
      let source = try ReconnectingSource(sensor, options: options, report: report)
      return LiveFeed(
        uri: sensor.uri, content: .samples(source), profile: source.profile, identity: sensor.identity,
        accelerometer: { source.present })
    case .stepCounter:
      let counter = try ReconnectingCounter.counter(sensor.uri, options)
      return LiveFeed(
        uri: sensor.uri, content: .counter(ReconnectingCounter(counter, sensor: sensor, report: report)),
        profile: counter.sensorProfile, identity: sensor.identity)
    }
  }
}

extension IIOStepCounter {
  /// What the chip is called.
  package var sensorProfile: SensorProfile { SensorProfile(name: device.name, clock: .boottime) }
}
