import Foundation
import HTTPTypes
import History
import HistoryImport
import HummingbirdTesting
import RaceRoom
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP
@testable import ServiceWalkers

@Suite("the description of the API", .timeLimit(.minutes(30)), .ownThreads)
struct APIDocumentTests {
  private struct Document: Decodable {
    struct Info: Decodable {
      var version: String
    }
    struct Operation: Decodable {
      struct Answer: Decodable {}
      var operationId: String
      var responses: [String: Answer]
      var security: [[String: [String]]]?
    }
    var openapi: String
    var info: Info
    var security: [[String: [String]]]
    var paths: [String: [String: Operation]]
  }

  private static func document(_ service: FakeService) async throws -> Document {
    let answer = try await service.ask(.get, "/openapi.json")
    return try JSONDecoder().decode(Document.self, from: Data(answer.body.readableBytesView))
  }

  /// With all parts of the daemon.
  private static func whole(_ change: (inout HTTPSettings) throws -> Void = { _ in }) throws -> FakeService {
    let limits = ServiceLimits()
    let walkers = WalkerBook(folder: "/nowhere")
    let registry = ChallengeRegistry(
      challenges: ChallengeBook(folder: "/nowhere"), walkers: walkers, histories: FolderHistories(walkers),
      calendar: { DayCalendar() }, now: { Date() })
    return try FakeService(
      groups: [
        ImportRoutes(
          files: FileImport(
            folder: HistoryFolder(path: "/nowhere"), stepLength: .walkRatio(), timeZone: { .gmt }, now: { Date() },
            raise: { $0.count }), limits: limits),
        WalkerRoutes(walkers: walkers, lane: WorkLane("test")),
        ChallengeRoutes(registry: registry, lanes: WorkLanes(), limits: limits),
        RoomRoutes(rooms: RoomService(), limits: limits),
        AnalyticsRoutes(store: InMemoryReportStore(), limits: limits, clock: { Date() }),
        ClientRoutes(
          clients: ClientSources(
            registry: SourceRegistry(), access: ScriptedMachine().access, stepLength: .walkRatio(), clock: .machine,
            journals: nil, outlet: OutletLog().outlet, limits: limits),
          limits: limits, clock: .machine, keep: { _, _ in HistoryReceipt() }),
      ], change)
  }

  @Test("no two operations have the same identifier")
  func names() async throws {
    let document = try await Self.document(try Self.whole())
    let names = document.paths.values.flatMap { $0.values.map(\.operationId) }
    #expect(names.count > 20 && Set(names).count == names.count)
  }

  @Test("it contains every route, and no other")
  func routes() async throws {
    let service = try Self.whole()
    let document = try await Self.document(service)
    let written = Set(document.paths.flatMap { path, operations in operations.keys.map { "\($0) \(path)" } })
    let served = Set(
      service.service.responder.routes.routes.flatMap { path, methods in
        methods.keys.map { "\($0.rawValue.lowercased()) \(path)" }
      })
    #expect(written == served)
    #expect(served.contains("delete /race/countdown") && served.contains("get /room.js"))
  }

  @Test("the security of each route is as documented")
  func access() async throws {
    let service = try Self.whole { $0.token = try ServiceToken(FakeService.secret) }
    let document = try await Self.document(service)
    for (path, methods) in service.service.responder.routes.routes {
      for (method, route) in methods {
        let operation = try #require(document.paths[path]?[method.rawValue.lowercased()])
        #expect(
          (operation.security?.isEmpty == true) == ([.everybody, .everybodyInPart].contains(route.access)),
          "\(method) \(path)")
        #expect(
          (operation.responses["401"] != nil)
            == (route.access != .everybody || path == "/api/session" && method == .post))
      }
    }
  }

  @Test("it contains the running version, and whether a token is required")
  func truth() async throws {
    let (open, guarded) = (
      try await Self.document(try FakeService()), try await Self.document(try FakeService.guarded())
    )
    #expect(open.openapi == "3.1.0" && open.info.version == "1.2.3")
    #expect(open.security.isEmpty && guarded.security.map(\.keys.first) == ["token", "session"])
  }
}
