import Accelerometry
import Foundation
import History
import Logging
import Pedometry
import Recordings
import SourceNames
import Synchronization
import TestSupport

@testable import LinuxSensors
@testable import LiveSources
@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

extension ServiceClock {
  /// A clock that a test moves; it starts at an arbitrary time of day.
  static func manual(_ clock: ManualClock, from start: Date = Date(timeIntervalSince1970: 1_795_000_000))
    -> ServiceClock
  {
    ServiceClock(
      now: { start + clock.now.offset.timeInterval }, elapsed: { .seconds(1000) + clock.now.offset },
      sleep: { try await clock.sleep(for: $0) })
  }
}

/// A source whose batches arrive at the time of their last sample: it moves the test's clock itself.
struct SteppedSource: AccelerationSource {
  let profile = SensorProfile(name: "a walk", clock: .recording)
  let script: [SampleBatch]
  let clock: ManualClock
  var failure: (any Error & Sendable)?
  /// Whether it waits at its end until it is cancelled.
  var isEndless = false
  /// Awaited before its end.
  var atEnd: @Sendable () async -> Void = {}

  /// A synthetic walk in batches of a fifth of a second.
  init(_ walk: SyntheticWalk, clock: ManualClock, failure: (any Error & Sendable)? = nil, isEndless: Bool = false)
    throws
  {
    script = try walk.batches()
    (self.clock, self.failure, self.isEndless) = (clock, failure, isEndless)
  }

  func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
    let shared = Shared(script)
    let (failure, clock, isEndless, atEnd) = (failure, clock, isEndless, atEnd)
    return AsyncThrowingStream {
      if let batch = shared.batches.withLock({ $0.popFirst() }) {
        clock.advance(by: .milliseconds(200))
        return batch
      }
      await atEnd()
      if let failure { throw failure }
      if isEndless { try await Task.sleep(for: .seconds(86_400)) }
      return nil
    }
  }

  private final class Shared: Sendable {
    let batches: Mutex<ArraySlice<SampleBatch>>
    init(_ script: [SampleBatch]) { batches = Mutex(script[...]) }
  }
}

extension SyntheticWalk {
  /// This long at 120 steps/min.
  static func brisk(seconds: Double) -> SyntheticWalk {
    var walk = SyntheticWalk()
    walk.cadence = 120
    walk.duration = .seconds(seconds)
    return walk
  }

  /// All samples.
  func samples() throws -> [AccelerationSample] {
    var reader = try reader()
    var (all, some): ([AccelerationSample], [AccelerationSample]) = ([], [])
    while reader.read(into: &some) { all += some }
    return all
  }

  /// The samples in batches of a fifth of a second.
  func batches() throws -> [SampleBatch] {
    let samples = try samples()
    return stride(from: 0, to: samples.count, by: 10).map {
      SampleBatch(samples: Array(samples[$0..<min($0 + 10, samples.count)]))
    }
  }
}

/// Collects the events of a source's account, for waiting.
final class OutletLog: Sendable {
  private let climbs = Mutex<[CountedFloors]>([])
  private let walks = Mutex<[(steps: [Step], source: HistorySource)]>([])
  private let lines = Mutex<[String]>([])
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  var outlet: SourceOutlet {
    var outlet = SourceOutlet()
    outlet.walked = { steps, source in self.walks.withLock { $0.append((steps, source)) } }
    outlet.climbed = { floors, _ in self.climbs.withLock { $0 += floors } }
    outlet.publish = { line in
      self.lines.withLock { $0.append(line) }
      self.continuation.yield(line)
    }
    return outlet
  }

  var steps: [Step] { walks.withLock { $0.flatMap(\.steps) } }
  var floors: [CountedFloors] { climbs.withLock { $0 } }
  var sources: [HistorySource] { walks.withLock { $0.map(\.source) } }
  var all: [String] { lines.withLock { $0 } }

  /// Returns the first line that contains a text and that an earlier call has not returned.
  func line(with text: String) async -> String? {
    for await line in stream where line.contains(text) { return line }
    return nil
  }
}

/// A machine with sensors that a test plugs in.
final class ScriptedMachine: SourceKind {
  private struct State {
    var sensors: [DiscoveredSensor] = []
    var sources: [SourceURI: [SourceConnection]] = [:]
    var opened: [SourceURI] = []
    var listeners: [AsyncThrowingStream<Void, any Error>.Continuation] = []
  }
  private let state = Mutex(State())
  private let kinds: [any SourceKind]

  /// - Parameter kinds: of sources that are not scripted.
  init(_ kinds: any SourceKind...) { self.kinds = kinds }

  /// The opened sensors, in order.
  var opened: [SourceURI] { state.withLock { $0.opened } }

  /// Changes the sensors; listeners are notified unless there is no event.
  func set(_ sensors: [DiscoveredSensor], isTold: Bool = true) {
    let listeners = state.withLock { state in
      state.sensors = sensors
      return state.listeners
    }
    for listener in listeners where isTold { listener.yield() }
  }

  /// The results of opening a source, in order.
  func feed(
    _ uri: SourceURI, _ source: some AccelerationSource, identity: SensorIdentity? = nil,
    pressures: (@Sendable () -> any AsyncSequence<PressureSample, any Error>)? = nil
  ) {
    var connection = SourceConnection(uri: uri, source: source, identity: identity)
    connection.pressures = pressures
    feed(connection)
  }

  /// The result of opening its source.
  func feed(_ connection: SourceConnection) {
    state.withLock { $0.sources[connection.uri, default: []].append(connection) }
  }

  var access: Sources {
    var sources = Sources()
    sources.kinds = kinds + [MotionSensor(), self]
    sources.sensors = { self.state.withLock { $0.sensors } }
    (sources.boards, sources.wirelessSensors) = ({ [] }, { [] })
    sources.changes = { self.changes() }
    sources.openSensor = { uri, _ in
      guard self.state.withLock({ $0.sensors.contains { $0.uri == uri } }) else {
        throw SensorError.notFound(name: "\(uri)", remedy: "plug it in")
      }
      return try self.open(uri)
    }
    return sources
  }

  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    uri.map { uri in SourceWay(.recording) { _ in try self.open(uri) } }
  }

  private func open(_ uri: SourceURI) throws -> SourceConnection {
    try state.withLock { state in
      state.opened.append(uri)
      guard let source = state.sources[uri]?.first else { throw SensorError.removed(path: "\(uri)") }
      state.sources[uri]?.removeFirst()
      return source
    }
  }

  private func changes() -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream { listener in self.state.withLock { $0.listeners.append(listener) } }
  }

  /// A sensor as described by discovery.
  static func sensor(
    _ number: Int, serial: String, usability: DiscoveredSensor.Usability = .usable
  ) -> DiscoveredSensor {
    DiscoveredSensor(
      uri: .iio("device\(number)"), name: "pad", kind: .accelerometer, identity: identity(serial),
      node: "/dev/iio:device\(number)", folder: SysfsDirectory(path: "/sys/none/device\(number)"), parents: [],
      isExternal: true, usability: usability, remarks: [])
  }

  static func identity(_ serial: String) -> SensorIdentity {
    SensorIdentity(bus: "usb", vendor: "1209", product: "7e58", serial: serial, part: "accelerometer")
  }
}

extension Logger {
  /// Delivers nothing.
  static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension ClientRoutes {
  init(
    clients: ClientSources, limits: ServiceLimits, clock: ServiceClock,
    count: @escaping ClientMessages.Count = ClientMessages.noCounters, keep: @escaping ClientMessages.Keep
  ) { self.init(messages: ClientMessages(clients: clients, clock: clock, count: count, keep: keep), limits: limits) }
}
