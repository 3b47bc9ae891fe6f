import Accelerometry
import LinuxSensors
import Platform
import Recordings

/// A kind of source that can be followed as it happens: one file, and one entry in ``LiveOpener/kinds``.
package protocol SourceKind: Sendable {
  /// Whether a name is one of this kind; `nil`: no name was given, and the best source is wanted.
  func takes(_ uri: SourceURI?) -> Bool

  /// Opens a source of a name that it takes.
  /// - Returns: `nil` when the task was cancelled while the source was waited for.
  func open(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed?
}

/// Opens sources by name for everything that follows them as they happen.
package struct LiveOpener: Sendable {
  /// What the user knows about recordings.
  package var reading = RecordingOptions()
  /// How a sensor is to be read.
  package var options = SensorOptions()
  /// Finds sensors.
  package var finder: SensorFinder
  /// Where a running service may be asked for the steps of a sensor that it holds; `nil` where it is not to be.
  package var service: ServiceAccess?
  /// The kinds of sources, asked in this order.
  package var kinds: [any SourceKind] = [
    MadeUpWalk(), RecordedFile(), RecordedStream(), SerialBoard(), BluetoothSource(), MotionSensor(),
  ]

  package init(
    reading: RecordingOptions = RecordingOptions(), options: SensorOptions = SensorOptions(), finder: SensorFinder
  ) {
    self.reading = reading
    self.options = options
    if case .raw(let counts)? = reading.unit { self.options.countsPerG = counts }
    self.finder = finder
  }

  /// Opens a source; without a name the best sensor.
  /// - Returns: `nil` when the task was cancelled while a sensor was waited for.
  /// - Throws: `SensorError`, `SyntheticWalkError`. What is wrong with a file is known when it is read.
  package func open(_ uri: SourceURI?) async throws -> LiveFeed? {
    guard let kind = kinds.first(where: { $0.takes(uri) }) else {
      throw SensorError.notFound(
        name: uri.map { "\($0)" } ?? "a source", remedy: "'pedometer devices' lists what is there")
    }
    return try await kind.open(uri, for: self)
  }
}

/// A made-up walk, at the pace at which it is walked.
struct MadeUpWalk: SourceKind {
  func takes(_ uri: SourceURI?) -> Bool { if case .synthetic? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) throws -> LiveFeed? {
    guard case .synthetic(let settings)? = uri else { return nil }
    let walk = try SyntheticWalk(settings: settings)
    _ = try walk.reader()
    return LiveFeed(
      uri: .synthetic(settings),
      source: RecordingReplay(profile: walk.profile, pace: .realTime) { try walk.reader() })
  }
}

/// A recording, at the pace at which it was walked; a pipe or a device, as its bytes come.
struct RecordedFile: SourceKind {
  func takes(_ uri: SourceURI?) -> Bool { if case .file? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    guard case .file(let path)? = uri else { return nil }
    let (reading, notes) = (opener.reading, ReadingNotes())
    let profile = SensorProfile(name: path, clock: .recording)
    let makeReader: @Sendable () throws -> NotedReader = {
      NotedReader(try RecordingReader(path: path, options: reading), notes)
    }
    var feed =
      // Opening and reading these may wait for ever: not on a thread on which somebody waits for the end.
      StreamedRecording.isNeeded(for: path)
      ? LiveFeed(uri: .file(path: path), source: StreamedRecording(profile: profile, makeReader: makeReader))
      : LiveFeed(
        uri: .file(path: path), source: RecordingReplay(profile: profile, pace: .realTime, makeReader: makeReader))
    feed.notes = notes
    return feed
  }
}

/// A recording on standard input, as it comes.
struct RecordedStream: SourceKind {
  func takes(_ uri: SourceURI?) -> Bool { uri == .standardInput }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    let (reading, notes) = (opener.reading, ReadingNotes())
    let profile = SensorProfile(name: "standard input", clock: .recording)
    var feed = LiveFeed(
      uri: .standardInput,
      source: StreamedRecording(profile: profile) {
        NotedReader(RecordingReader(fileDescriptor: 0, name: "standard input", options: reading), notes)
      })
    feed.notes = notes
    return feed
  }
}

/// A sensor of this computer, or the steps that a running service counts with it.
package struct MotionSensor: SourceKind {
  package func takes(_ uri: SourceURI?) -> Bool { uri?.isLocalSensor ?? true }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed? {
    var occupied = OccupiedSensor()
    while let found = try await opener.finder.find(uri) {
      // Without a name a free sensor is preferred, but not to one that the service counts with.
      for sensor in uri == nil ? found.all : [found.sensor] where sensor.kind == .accelerometer {
        guard let counter = await Self.counter(of: opener.service, for: sensor) else { continue }
        let profile = SensorProfile(
          name: "\(sensor.name), counted by the service at \(counter.address.url)", clock: .boottime)
        return LiveFeed(
          uri: sensor.uri, walk: ReadingsWalk { counter }, profile: profile, identity: sensor.identity)
      }
      if opener.finder.waits, let error = opener.finder.occupation(found.sensor) {
        guard await occupied.wait(because: error, opener.finder) else { return nil }
        continue
      }
      do throws(SensorError) {
        return try LiveFeed(
          following: found.sensor, beside: found.all, options: opener.options, waits: opener.finder.waits
        ).besideBarometer(of: found.sensor)
      } catch {
        // One that went between being found and being opened is waited for like one that was never there.
        guard opener.finder.waits, error.kind == .unavailable,
          (try? await opener.finder.sleep(.milliseconds(200))) != nil
        else { throw error }
      }
    }
    if opener.finder.waits || Task.isCancelled { return nil }
    // Not in udev's list: opening it says why, or that it can be read nevertheless.
    return try uri.map { LiveFeed(uri: $0, sensor: try Self.source($0, opener.options)) }
  }

  /// An IIO buffer has one reader. Where that is the service, it is asked for the steps instead of failing with "busy".
  static func counter(of service: ServiceAccess?, for sensor: DiscoveredSensor) async -> ServiceCounter? {
    guard let service, sensor.isBufferInUse else { return nil }
    let counter = ServiceCounter(service.address, source: "\(sensor.uri)", transport: service.transport)
    return await counter.isCounting() ? counter : nil
  }

  /// Finds a device by its name alone.
  package static func source(_ uri: SourceURI, _ options: SensorOptions) throws(SensorError) -> SensorSource {
    do throws(SensorError) {
      return try SensorSource.open(uri, options: options)
    } catch {
      guard error.code == .removed else { throw error }
      // Nobody has seen it yet.
      throw .notFound(name: "\(uri)", remedy: "'pedometer devices' lists what is there")
    }
  }
}

/// The wait for a sensor that another program reads, so that nothing is left to poll. No event tells of its end.
private struct OccupiedSensor {
  private var backoff = Backoff(first: .milliseconds(200), longest: .seconds(5))
  private var told: SensorError?

  /// Says once for each holder who it is, and lets time pass before the next look.
  /// - Returns: false when the task was cancelled.
  mutating func wait(because error: SensorError, _ finder: SensorFinder) async -> Bool {
    if error != told { finder.remark(SourceFailure.loss(error)) }
    told = error
    return (try? await finder.sleep(backoff.next())) != nil
  }
}
