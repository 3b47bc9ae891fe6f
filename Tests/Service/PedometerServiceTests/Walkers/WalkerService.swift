import Foundation
import HTTPTypes
import History
import HistoryImport
import RaceRoom
import ServiceLifecycle
import TestSupport

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP
@testable import ServiceWalkers

/// A service with walkers: real histories and files, and a fake backend for the owner.
final class WalkerService: Sendable {
  let folder: String
  let book: WalkerBook
  let registry: ChallengeRegistry
  let homes: WalkerHomes
  let service: FakeService
  let clock = ManualClock()
  /// A Monday at noon in Vienna.
  static let start = Date(timeIntervalSince1970: 1_795_431_600)

  init(folder: String, token: String? = FakeService.secret) throws {
    self.folder = folder
    let time = ServiceClock.manual(clock, from: Self.start)
    let calendar = { @Sendable in DayCalendar(timeZone: TimeZone(identifier: "Europe/Vienna")!) }
    let book = WalkerBook(folder: folder, now: time.now)
    self.book = book
    registry = ChallengeRegistry(
      challenges: ChallengeBook(folder: folder), walkers: book, histories: FolderHistories(book), calendar: calendar,
      now: time.now)
    let limits = ServiceLimits()
    homes = WalkerHomes(
      book,
      settings: HistoryHome.Settings(
        access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: time, calendar: calendar,
        environment: ["RUNTIME_DIRECTORY": folder], limits: limits, logger: .silent))
    let clients = ClientSources(
      registry: SourceRegistry(), access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: time,
      journals: nil, outlet: OutletLog().outlet, limits: limits)
    let messages = ClientMessages(clients: clients, clock: time) { _, _ in HistoryReceipt() }
    service = try FakeService(
      groups: [
        RoomRoutes(rooms: RoomService(), limits: limits),
        AnalyticsRoutes(store: InMemoryReportStore(), limits: limits, clock: time.now),
        ClientRoutes(messages: messages, limits: limits, walkers: homes),
        ImportRoutes(
          files: FileImport(
            folder: HistoryFolder(path: folder), stepLength: .walkRatio(), timeZone: { .gmt }, now: time.now,
            raise: { $0.count }), limits: limits),
        WalkerRoutes(walkers: book, lane: WorkLane("test")),
        ChallengeRoutes(registry: registry, lanes: WorkLanes(), limits: limits),
      ], walkers: book, rooms: homes
    ) { settings in settings.token = try token.map { try ServiceToken($0) } }
  }

  /// Closes all histories, as at the end of the service.
  func stop() async throws {
    let homes = homes
    let group = ServiceGroup(services: [homes], logger: .silent)
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    try await running.value
  }

  func ask(
    _ method: HTTPRequest.Method = .get, _ path: String, as token: String?, body: String? = nil
  ) async throws -> ServiceAnswer {
    var headers: HTTPFields = body == nil ? [:] : .json
    if let token { headers[.authorization] = "Bearer \(token)" }
    return try await service.ask(method, path, headers, body: body)
  }

  /// Sends steps that were taken on the day before the start, at 10:00.
  func send(_ steps: Int, as token: String, on day: String = "2026-11-23", source: String = "watch") async throws
    -> ServiceAnswer
  {
    let times = #""start":"\#(day)T10:00:00+01:00","end":"\#(day)T10:30:00+01:00""#
    let body = #"{"source":"\#(source)",\#(times),"steps":\#(steps)}"#
    return try await ask(.post, "/api/steps", as: token, body: body)
  }
}

/// An answer's figures.
struct WalkedDay: Decodable {
  var steps: Int

  static func of(_ answer: ServiceAnswer) throws -> Int {
    try JSONDecoder().decode(WalkedDay.self, from: Data(answer.body.readableBytesView)).steps
  }
}

/// A service in a folder that is deleted afterwards.
func withWalkers(
  token: String? = FakeService.secret, _ body: (WalkerService) async throws -> Void
) async throws {
  let folder = try TemporaryDirectory()
  let path = folder.path + "/state"
  defer { try? FileManager.default.removeItem(atPath: path) }
  let service = try WalkerService(folder: path, token: token)
  do { try await body(service) } catch {
    try await service.stop()
    throw error
  }
  try await service.stop()
}
