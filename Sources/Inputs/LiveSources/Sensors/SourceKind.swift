import Accelerometry
import LinuxSensors
import Platform
import Recordings
import ServiceTransport
import SourceNames

/// A kind of source that can be followed live: one file, and one entry in ``LiveOpener/kinds``.
package protocol SourceKind: Sendable {
  /// Whether it handles a name; `nil`: no name was given, and the best source is wanted.
  func takes(_ uri: SourceURI?) -> Bool

  /// Opens a source whose name it handles.
  /// - Returns: `nil` if the task was cancelled while waiting for the source.
  func open(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed?
}

/// Opens sources by name for live use.
package struct LiveOpener: Sendable {
  /// Options for recordings.
  package var reading = RecordingOptions()
  /// Options for sensors.
  package var options = SensorOptions()
  /// Finds sensors.
  package var finder: SensorFinder
  /// The running service to query for the steps of a sensor that it uses; `nil` for none.
  package var service: ServiceAccess?
  /// Receives the messages of WebSocket servers; `nil`: this program cannot.
  package var messages: (any MessageClient)?
  /// Whether the service reads the sources: it reopens a lost one itself, so a feed ends with its first error; and a synthetic
  /// walk without a duration or a number of steps goes on and on.
  package let isForService: Bool
  /// The kinds of sources, in the order in which they are tried.
  package var kinds: [any SourceKind] = [
    MadeUpWalk(), RecordedFile(), RecordedStream(), SerialBoard(), BluetoothSource(), DatagramSource(), PhyphoxSource(),
    WebSocketSource(), MQTTSource(), ProgramSource(), RemoteIIOSource(), MotionSensor(),
  ]

  package init(
    reading: RecordingOptions = RecordingOptions(), options: SensorOptions = SensorOptions(), finder: SensorFinder,
    messages: (any MessageClient)? = nil, isForService: Bool = false
  ) {
    self.isForService = isForService
    self.messages = messages
    self.reading = reading
    self.options = options
    if case .raw(let counts)? = reading.unit { self.options.countsPerG = counts }
    self.finder = finder
  }

  /// Opens a source, or the best sensor if there is no name.
  /// - Returns: `nil` if the task was cancelled while waiting for a sensor.
  /// - Throws: `SensorError`, `SyntheticWalkError`. Errors of a file appear when it is read.
  package func open(_ uri: SourceURI?) async throws -> LiveFeed? {
    guard let kind = kinds.first(where: { $0.takes(uri) }) else {
      throw SensorError.notFound(
        name: uri.map { "\($0)" } ?? "a source", remedy: "'pedometer devices' lists the sources")
    }
    return try await kind.open(uri, for: self)
  }
}

/// A synthetic walk in real time.
struct MadeUpWalk: SourceKind {
  /// Real time, except in tests.
  var pace = ReplayPace.realTime

  func takes(_ uri: SourceURI?) -> Bool { if case .synthetic? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) throws -> LiveFeed? {
    guard case .synthetic(let settings)? = uri else { return nil }
    let walk = try opener.isForService ? SyntheticWalk(endless: settings) : SyntheticWalk(settings: settings)
    _ = try walk.reader()
    return LiveFeed(
      uri: .synthetic(settings),
      source: RecordingReplay(profile: walk.profile, pace: pace) { try walk.reader() })
  }
}

/// A recording in real time; a pipe or a device, as fast as it delivers.
struct RecordedFile: SourceKind {
  func takes(_ uri: SourceURI?) -> Bool { if case .file? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    guard case .file(let path)? = uri else { return nil }
    let reading = opener.reading
    let profile = SensorProfile(name: path, clock: .recording)
    let makeReader: @Sendable () throws -> RecordingReader = { try RecordingReader(path: path, options: reading) }
    return LiveFeed(
      uri: .file(path: path),
      source: RecordingReplay(profile: profile, pace: ReplayPace(following: path), makeReader: makeReader))
  }
}

/// A recording on standard input, as fast as it arrives.
struct RecordedStream: SourceKind {
  func takes(_ uri: SourceURI?) -> Bool { uri == .standardInput }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    let reading = opener.reading
    let profile = SensorProfile(name: "standard input", clock: .recording)
    return LiveFeed(
      uri: .standardInput,
      source: RecordingReplay(profile: profile, pace: .asItArrives) {
        RecordingReader(fileDescriptor: 0, name: "standard input", options: reading)
      })
  }
}

/// A sensor of this computer, or the steps that a running service counts with it. Without a name and a usable sensor,
/// whatever the service counts with.
package struct MotionSensor: SourceKind {
  package func takes(_ uri: SourceURI?) -> Bool { uri?.isLocalSensor ?? true }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed? {
    // The service searches for sensors itself.
    if let uri, opener.isForService { return try Self.named(uri, for: opener) }
    do { return try await openHere(uri, for: opener) } catch {
      guard uri == nil, let counted = await CountedElsewhere(by: opener.service, remark: opener.finder.remark) else {
        throw error
      }
      return counted.feed
    }
  }

  /// A source by its name only. Not inlined: the optimizer of Swift 6.3.1 crashes on it in a coroutine.
  @inline(never)
  private static func named(_ uri: SourceURI, for opener: LiveOpener) throws -> LiveFeed {
    LiveFeed(uri: uri, sensor: try source(uri, opener.options))
  }

  private func openHere(_ uri: SourceURI?, for opener: LiveOpener) async throws -> LiveFeed? {
    var occupied = OccupiedSensor()
    while let found = try await opener.finder.find(uri) {
      // A free sensor is preferred, unless the service counts with one.
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
        // A sensor that was removed between finding and opening is treated like an absent one.
        guard opener.finder.waits, error.kind == .unavailable,
          (try? await opener.finder.sleep(.milliseconds(200))) != nil
        else { throw error }
      }
    }
    if opener.finder.waits || Task.isCancelled { return nil }
    // It is not in udev's list: opening it gives the reason, or succeeds.
    return try uri.map { LiveFeed(uri: $0, sensor: try Self.source($0, opener.options)) }
  }

  /// An IIO buffer has one reader. If that is the service, its steps are used instead of failing with "busy".
  static func counter(of service: ServiceAccess?, for sensor: DiscoveredSensor) async -> ServiceCounter? {
    guard let service, sensor.isBufferInUse else { return nil }
    let counter = ServiceCounter(service.address, source: "\(sensor.uri)", transport: service.transport)
    return await counter.isCounting() ? counter : nil
  }

  /// Finds a device by name only.
  package static func source(_ uri: SourceURI, _ options: SensorOptions) throws(SensorError) -> SensorSource {
    do throws(SensorError) {
      return try SensorSource.open(uri, options: options)
    } catch {
      guard error.code == .removed else { throw error }
      // It is not known yet.
      throw .notFound(name: "\(uri)", remedy: "'pedometer devices' lists the sources")
    }
  }
}

/// Waits for a sensor that another program uses and that cannot be polled. No event reports its release.
private struct OccupiedSensor {
  private var backoff = Backoff(first: .milliseconds(200), longest: .seconds(5))
  private var told: SensorError?

  /// Reports each holder once, and waits before the next attempt.
  /// - Returns: false if the task was cancelled.
  mutating func wait(because error: SensorError, _ finder: SensorFinder) async -> Bool {
    if told.changes(to: error) { finder.remark(SourceFailure.loss(error)) }
    return (try? await finder.sleep(backoff.next())) != nil
  }
}
