import ChaseEngine
import Foundation
import HTTPTypes
import History
import Hummingbird
import HummingbirdTesting
import JSONLines
import Logging
import Pedometry
import ServiceLifecycle
import Synchronization
import TestSupport

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP
@testable import ServiceWalkers

/// A backend with fixed data.
final class FakeBackend: Sendable {
  struct State {
    var sources = [
      SourceState(
        uri: "synthetic:cadence=110", name: "a made-up walker", state: .counting, reason: nil, remedy: nil, steps: 42,
        samplingFrequency: 50)
    ]
    var today = TodayFigures(
      date: "2026-11-21", steps: 4200, distanceTravelled: 2950.5, activeTime: 2400, goal: nil)
    var goals: GoalPlan?
    var settings = WalkSettings()
    var chase = AppState.notStarted
    var queries: [HistoryQuery] = []
    var actions: [ChaseAction] = []
    var isBroken = false
    var troubles: [String] = []
    var losses: [String] = []
    var imports: [JSONLine] = []
    /// The pages of a history answer, and the one that fails.
    var pages = 1
    var brokenPage: Int?
  }

  struct Broken: Error {}

  let state = Mutex(State())

  /// For the routes.
  var routes: ServiceBackend {
    var backend = ServiceBackend()
    backend.sources = { await self.sources() }
    backend.signals = { await self.signals() }
    backend.today = { try await self.today() }
    backend.history = { try self.history($0, client: $1) }
    backend.longestWalk = { try await self.longestWalk() }
    backend.goals = { self.state.withLock { $0.goals } }
    backend.setGoal = { plan in
      self.state.withLock { ($0.goals, $0.today.goal) = (plan, plan[$0.today.date]) }
    }
    backend.settings = { self.state.withLock { $0.settings } }
    backend.set = { settings in self.state.withLock { $0.settings = settings } }
    backend.devices = { try await self.devices() }
    backend.checks = { try await self.checks() }
    backend.chase = { await self.chase() }
    backend.steer = { try await self.steer($0) }
    backend.troubles = { await self.troubles() }
    backend.imports = { await self.imports() }
    backend.losses = { await self.losses() }
    return backend
  }

  func troubles() async -> [String] { state.withLock { $0.troubles } }

  func losses() async -> [String] { state.withLock { $0.losses } }

  func imports() async -> [JSONLine] { state.withLock { $0.imports } }

  func longestWalk() async throws -> JSONLine? {
    JSONLine(["start": "2026-11-20T10:00:00+01:00", "steps": 9000])
  }

  func sources() async -> [SourceState] { state.withLock { $0.sources } }

  func signals() async -> [SourceSignal] {
    [
      SourceSignal(
        source: "synthetic:cadence=110", end: .milliseconds(12_345), interval: .milliseconds(40),
        values: [0.98125, 1, 1.25]),
      SourceSignal(source: "counter:device1", end: nil, interval: .milliseconds(40), values: []),
    ]
  }

  func today() async throws -> TodayFigures {
    try state.withLock { state in
      if state.isBroken { throw Broken() }
      return state.today
    }
  }

  func history(_ query: HistoryQuery, client: String) throws -> HistoryPages {
    state.withLock { $0.queries.append(query) }
    if let from = query.from, let to = query.to, to <= from {
      throw ServiceRefusal(400, "'from' is after 'to'; swap them")
    }
    let midnight = Date(timeIntervalSince1970: 1_795_215_600)
    let day = HistoryBucket(
      start: midnight, end: midnight + 86_400,
      totals: WalkTotals(steps: 4200, distanceTravelled: 2950.5, activeTime: .seconds(2400)))
    let page = JSONLine(day, DayCalendar(timeZone: TimeZone(secondsFromGMT: 3600)!)).object
    let (count, broken) = state.withLock { ($0.pages, $0.brokenPage) }
    let told = Mutex(0)
    return {
      let number = told.withLock { told in
        told += 1
        return told
      }
      if number == broken { throw Broken() }
      return number <= count ? page : nil
    }
  }

  func devices() async throws -> [String] { [#"{"source":"iio:device0","usable":true}"# + "\n", #"{"source":"x"}"#] }

  func checks() async throws -> [String] { [#"{"check":"sensors","result":"ok","finding":"one counts"}"# + "\n"] }

  func chase() async -> String {
    state.withLock { #"{"type":"state","t":0,"state":"\#($0.chase.rawValue)"}"# + "\n" }
  }

  func steer(_ action: ChaseAction) async throws -> AppState {
    try state.withLock { state in
      state.actions.append(action)
      state.chase =
        switch (action, state.chase) {
        case (.start, .notStarted), (.resume, .paused): .inProgress
        case (.pause, .inProgress): .paused
        case (.restart, _), (.stop, _): .notStarted
        default: throw ServiceRefusal(409, "the chase is \(state.chase.rawValue); that cannot be now")
        }
      return state.chase
    }
  }
}

/// A service with a fake backend.
struct FakeService {
  static let secret = "a-token-of-good-length"

  let backend = FakeBackend()
  let hub: EventHub
  /// The events of the hub's readers.
  let readers = Observed<[EventHub.ReaderEvent]>([])
  let metrics = ServiceMetrics(version: "1.2.3")
  let clock = ManualClock()
  let log = LogLines()
  /// Of the walkers, unless others are given.
  private let folder: TemporaryDirectory
  let service: ServiceApplication

  init(
    groups: [any RouteGroup] = [], walkers: WalkerBook? = nil, rooms: WalkerHomes? = nil,
    _ change: (inout HTTPSettings) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryDirectory()
    var settings = HTTPSettings()
    settings.version = "1.2.3"
    settings.addresses = [ListenAddress(host: "127.0.0.1", port: 0)]
    // On a busy machine, a test may have no turn for a minute.
    settings.limits.idleTime = .seconds(3600)
    settings.limits.headTime = .seconds(3600)
    settings.limits.bodyTime = .seconds(3600)
    settings.limits.stallTime = .seconds(3600)
    try change(&settings)
    hub = EventHub(maximumReaders: settings.limits.subscribers, metrics: metrics) { [readers] event in
      readers.update { $0.append(event) }
    }
    var logger = Logger(label: "test") { [log] _ in LineLog(lines: log) }
    logger.logLevel = .trace
    service = try ServiceApplication(
      backend: backend.routes, hub: hub, metrics: metrics, settings: settings, groups: groups,
      walkers: walkers ?? WalkerBook(folder: folder.path), rooms: rooms, logger: logger,
      now: { [clock] in clock.now.offset })
  }

  /// With a token.
  static func guarded(_ change: (inout HTTPSettings) throws -> Void = { _ in }) throws -> FakeService {
    try FakeService { settings in
      settings.token = try ServiceToken(secret)
      try change(&settings)
    }
  }

  /// Runs at one of the depths: only the router, or a server and a client over a socket.
  func test(_ depth: Depth, _ body: @escaping @Sendable (ServiceClient) async throws -> Void) async throws {
    switch depth {
    case .router:
      try await service.application(ListenAddress(host: "127.0.0.1", port: 0)).test(.router) { router in
        try await body(
          ServiceClient { request in
            let response = try await router.executeRequest(
              uri: request.head.path ?? "", method: request.head.method, headers: request.head.headerFields,
              body: request.body)
            return ServiceAnswer(head: response.head, body: response.body)
          })
      }
    case .live:
      try await serve { port in
        try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
          try await body(
            ServiceClient { request in
              let response = try await client.execute(request)
              return ServiceAnswer(head: response.head, body: response.body ?? ByteBuffer())
            })
        }
      }
    }
  }

  /// Serves on a free port of 127.0.0.1 while the body runs.
  ///
  /// HummingbirdTesting's servers and clients use "localhost", which is another address on some machines, and none on
  /// others.
  func serve(_ body: @Sendable (_ port: Int) async throws -> Void) async throws {
    let (ports, told) = AsyncStream.makeStream(of: Int.self)
    let server = service.application(ListenAddress(host: "127.0.0.1", port: 0)) { told.yield($0.port) }
    let group = ServiceGroup(
      configuration: .init(services: [server], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        // A server that cannot listen fails the test; nothing waits for its port.
        defer { told.finish() }
        try await group.run()
      }
      if let port = await ports.first(where: { _ in true }) {
        do { try await body(port) } catch {
          await group.triggerGracefulShutdown()
          throw error
        }
        await group.triggerGracefulShutdown()
      }
      try await tasks.waitForAll()
    }
  }

  /// Sends one request to the router.
  func ask(
    _ method: HTTPRequest.Method = .get, _ path: String, _ headers: HTTPFields = [:], body: String? = nil
  ) async throws -> ServiceAnswer {
    let answer = Mutex<ServiceAnswer?>(nil)
    try await test(.router) { client in
      let response = try await client.executeRequest(
        uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
      answer.withLock { $0 = response }
    }
    return answer.withLock { $0 }!
  }
}

/// The depth of a test.
enum Depth: String, CaseIterable, Sendable {
  case router, live
}

/// Sends a request at any depth.
struct ServiceClient: Sendable {
  let send: @Sendable (TestClient.Request) async throws -> ServiceAnswer

  func executeRequest(
    uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
  ) async throws -> ServiceAnswer {
    try await send(TestClient.Request(uri, method: method, authority: "localhost", headers: headers, body: body))
  }
}

/// The answer of a service.
struct ServiceAnswer: Sendable {
  let head: HTTPResponse
  let body: ByteBuffer
  var status: HTTPResponse.Status { head.status }
  var headers: HTTPFields { head.headerFields }
  var text: String { String(buffer: body) }

  /// The reason of a refusal; `nil` if the body is not one.
  var reason: String? {
    struct Refusal: Decodable {
      var error: Bool
      var reason: String
    }
    let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body.readableBytesView))
    return refusal?.error == true ? refusal?.reason : nil
  }
}

extension HTTPFields {
  static let json: HTTPFields = [.contentType: "application/json"]
  static let token: HTTPFields = [.authorization: "Bearer \(FakeService.secret)"]

  func with(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
    var fields = self
    fields[name] = value
    return fields
  }
}

/// Collects all log messages for a test.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

struct LineLog: LogHandler {
  let lines: LogLines
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.add("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
  }
}
