import Accelerometry
import LinuxSensors
import Platform
import Recordings
import ServiceTransport
import SourceNames

/// The one way from a name to samples: finds a source, opens it, and opens it again when it was lost.
package struct Sources: Sendable {
  /// What a source is opened for.
  package enum Use: Sendable, Hashable {
    /// For someone who watches: the source must be there unless it is waited for, and a loss is over soon.
    case live
    /// For a service: every source is waited for, at a lower cost. A synthetic walk without an end goes on and on.
    case allDay
  }

  package var reading: RecordingOptions
  package var options: SensorOptions
  /// Whether a live source that is not there, or that another program uses, is waited for.
  package var waits: Bool
  /// Whether someone watches, who ends it: a synthetic walk goes on and on.
  package var isWatched = false
  /// Whether a chip that counts steps is acceptable without a name.
  package var takesCounters = true
  /// Receives what people should know about the choice of a live source, and a message if it is waited for.
  package var remark: @Sendable (String) -> Void
  /// Receives why an all-day source is not there, or cannot be read.
  package var obstacle: @Sendable (SensorError) -> Void = { _ in }
  /// The running service to query for the steps of a sensor that it uses; `nil` for none.
  package var service: ServiceAccess?
  /// Receives the messages of WebSocket servers; `nil`: this program cannot.
  package var messages: (any MessageClient)?
  /// The kinds of sources, in the order in which they are tried.
  package var kinds: [any SourceKind] = [
    SyntheticSource(), RecordedSource(), SerialBoard(), BluetoothSource(), DatagramSource(),
    PhyphoxSource(), WebSocketSource(), ProgramSource(), MotionSensor(),
  ]
  /// The sensor that was opened, for several openings of the same one; `nil`: each opening remembers its own.
  var memory: SensorMemory?

  // The machine; tests script it.

  /// All sensors, usable or not.
  package var sensors: @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().sensors() }
  /// The serial ports of boards.
  package var boards: @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().boards() }
  /// Bluetooth sensors that BlueZ knows.
  package var wirelessSensors: @Sendable () throws -> [DiscoveredSensor] = { try BluetoothDiscovery().sensors() }
  /// Emits after each change of the sensors: plugged in, removed, permissions.
  package var changes: @Sendable () -> AsyncThrowingStream<Void, any Error> = { SensorDiscovery().changes().notices }
  /// The same for boards on serial ports.
  package var boardChanges: @Sendable () -> AsyncThrowingStream<Void, any Error> = {
    SensorDiscovery().boardChanges().notices
  }
  /// Opens a sensor by its name only.
  package var openSensor: @Sendable (SourceURI, SensorOptions) throws -> SourceConnection = {
    try SourceConnection(sensor: $0, options: $1)
  }
  /// The error if another program prevents reading a sensor.
  var occupation: @Sendable (DiscoveredSensor) -> SensorError? = { $0.occupation }
  /// Waits; throws when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// The time since a fixed moment; `nil`: the system's.
  package var elapsed: (@Sendable () -> Duration)?

  package init(
    reading: RecordingOptions = RecordingOptions(), options: SensorOptions = SensorOptions(), waits: Bool = false,
    messages: (any MessageClient)? = nil, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.reading, self.options) = (reading, options)
    if case .raw(let counts)? = reading.unit { self.options.countsPerG = counts }
    (self.waits, self.messages, self.remark) = (waits, messages, remark)
  }

  /// Opens a source, or the best sensor if no name is given. The search for an all-day source begins when its first event is requested.
  /// - Returns: `nil` if the task was cancelled while waiting for a live source.
  /// - Throws: `SensorError`, `SyntheticWalkError`. Errors of a file appear when it is read.
  package func open(_ uri: SourceURI?, for use: Use) async throws -> OpenSource? {
    for kind in kinds {
      if let way = try kind.way(to: uri, for: use, self) { return try await open(way, for: use) }
    }
    throw SensorError.notFound(
      name: uri.map { "\($0)" } ?? "a source", remedy: "'pedometer devices' lists the sources")
  }

  package func open(_ way: SourceWay, for use: Use) async throws -> OpenSource? {
    if use == .allDay { return OpenSource(way, for: use, self, first: nil) }
    guard let first = try await way.connect(false) else { return nil }
    return OpenSource(way, for: use, self, first: first)
  }

  /// Looks for something at each change of the computer's devices, and from time to time: a permission that is granted by
  /// hand causes no change.
  /// - Returns: `nil` if the task was cancelled.
  func awaiting<Found>(
    _ changes: @Sendable () -> AsyncThrowingStream<Void, any Error>, or waits: Backoff,
    _ look: () async throws -> Found?
  ) async throws -> Found? {
    if let found = try await look() { return found }
    let (looks, notices) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // It begins to listen now, and not when its task first runs: a change in between would be noticed by the timer only.
    let (changes, sleep) = (changes(), sleep)
    let listening = Task { for try await _ in changes { notices.yield() } }
    let ticking = Task {
      var waits = waits
      while !Task.isCancelled, (try? await sleep(waits.next())) != nil { notices.yield() }
      notices.finish()
    }
    defer {
      listening.cancel()
      ticking.cancel()
    }
    for await _ in looks { if let found = try await look() { return found } }
    return nil
  }
}

extension SensorReadings<SensorChange> {
  fileprivate var notices: AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { notices in
      let listening = Task {
        do {
          for try await _ in self { notices.yield() }
          notices.finish()
        } catch { notices.finish(throwing: error) }
      }
      notices.onTermination = { _ in listening.cancel() }
    }
  }
}
