import Accelerometry
import Counting
import JSONLines
import LinuxSensors
import Recordings

/// A source that was found, ready to be counted as it happens.
package struct LiveFeed: Sendable {
  /// Opens the samples, and what happens to their source.
  package typealias Samples = @Sendable () -> any AsyncSequence<SourceEvent<SampleBatch>, any Error>

  /// The name under which it can be chosen again.
  package var uri: SourceURI
  /// What is counted.
  package var walk: any WalkSource
  /// The samples; `nil` where steps were counted elsewhere: by a chip, or by the service that holds the sensor.
  package var samples: Samples?
  /// What is known before the first sample.
  package var profile: SensorProfile
  /// What stays the same about a sensor.
  package var identity: SensorIdentity?
  /// The accelerometer as it was opened last; `nil` for everything else.
  package var accelerometer: @Sendable () -> LinuxAccelerometer? = { nil }

  /// The pressure where the sensor is; `nil` where nothing measures it.
  package var pressures: FloorWalk.Pressures?

  /// The warnings of a recording's reader at its end; `nil` for other sources.
  package var notes: ReadingNotes?

  /// A source of any kind.
  package init(
    uri: SourceURI, walk: any WalkSource, samples: Samples? = nil, profile: SensorProfile,
    identity: SensorIdentity? = nil
  ) {
    self.uri = uri
    self.walk = walk
    self.samples = samples
    self.profile = profile
    self.identity = identity
  }

  /// Samples that end where their source fails.
  package init(uri: SourceURI, source: some AccelerationSource, identity: SensorIdentity? = nil) {
    self.init(uri: uri, walk: source.walk, samples: { source.events }, profile: source.profile, identity: identity)
  }

  /// A sensor that ends where it fails.
  package init(uri: SourceURI, sensor: SensorSource, identity: SensorIdentity? = nil) {
    switch sensor {
    case .accelerometer(let source):
      self.init(uri: uri, source: source, identity: identity)
      accelerometer = { source }
    case .stepCounter(let counter):
      let readings = counter.readings()
      self.init(
        uri: uri, walk: ReadingsWalk { readings.map { .element($0) } }, profile: counter.sensorProfile,
        identity: identity)
    }
  }

  /// A sensor that is waited for when it is lost.
  /// - Parameters:
  ///   - others: those that were there when it was found.
  ///   - waits: whether to wait for it while another program keeps it.
  /// - Throws: what opening it gave.
  package init(
    following sensor: DiscoveredSensor, beside others: [DiscoveredSensor] = [], options: SensorOptions,
    waits: Bool = false
  ) throws(SensorError) {
    let lost = SensorReturn(of: sensor, beside: others, use: options.use)
    switch try SensorSource.open(sensor.uri, options: options) {
    case .accelerometer(let source):
      let opened = OpenedSensor(source)
      let samples = Reconnecting<SampleBatch>.sensor(
        first: .init(name: sensor.name) { source.batches() }, waits: waits, find: lost.find,
        joint: {
          var line = TimeLine()
          return { line.take($0, isBack: $1) }
        },
        reopen: { found in
          guard case .accelerometer(let source) = try SensorSource.open(found.uri, options: options) else {
            throw SensorError.notFound(name: "\(found.uri)", remedy: "plug it in again")
          }
          opened.set(source)
          return source.batches()
        })
      self.init(
        uri: sensor.uri, walk: SampleWalk { samples }, samples: { samples }, profile: source.profile,
        identity: sensor.identity)
      accelerometer = { opened.source }
    case .stepCounter(let counter):
      let readings = Reconnecting<StepCounterReading>.sensor(
        first: .init(name: sensor.name) { counter.readings() }, find: lost.find,
        joint: {
          var line = StepLine()
          return { line.take($0, isBack: $1) }
        },
        reopen: { found in
          guard case .stepCounter(let counter) = try SensorSource.open(found.uri, options: options) else {
            throw SensorError.notFound(name: "\(found.uri)", remedy: "plug it in again")
          }
          return counter.readings()
        })
      self.init(
        uri: sensor.uri, walk: ReadingsWalk { readings }, profile: counter.sensorProfile, identity: sensor.identity)
    }
  }

  /// Looks for a barometer that goes where the sensor goes, so that floors are counted, too.
  package func besideBarometer(of sensor: DiscoveredSensor) -> LiveFeed {
    guard let barometer = IIOBarometer.beside(sensor) else { return self }
    var feed = self
    feed.pressures = { isBack in
      guard isBack else { return barometer.readings() }
      let returned = (try? SensorDiscovery().sensors())?.first {
        $0.kind == sensor.kind && $0.identity.isSame(as: sensor.identity)
      }
      return (returned.flatMap { IIOBarometer.beside($0) } ?? barometer).readings()
    }
    return feed
  }

  /// A walk of this source, with floors where there is a barometer.
  package func withFloors(_ walk: any WalkSource) -> any WalkSource {
    pressures.map { FloorWalk(walk, pressures: $0) } ?? walk
  }

  /// How a sensor is being read; `nil` for everything else, and before the first batch.
  package var acquisition: AcquisitionReport? { accelerometer()?.acquisition }

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

extension IIOStepCounter {
  /// What the chip is called.
  package var sensorProfile: SensorProfile { SensorProfile(name: device.name, clock: .boottime) }
}
