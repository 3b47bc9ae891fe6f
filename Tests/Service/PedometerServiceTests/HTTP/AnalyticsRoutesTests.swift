import Analytics
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

/// The gatekeeper and the route for reports; AnalyticsInbox handles their content.
@Suite("reports", .timeLimit(.minutes(30)), .ownThreads)
struct AnalyticsRoutesTests {
  private static let body = #"{"name":"goalSet","recordedDate":"2026-11-21T14:19:20.123Z","type":"buttonTap"}"#
  private let store = InMemoryReportStore()

  private func service(_ change: (inout ServiceLimits) -> Void = { _ in }) throws -> FakeService {
    var limits = ServiceLimits()
    change(&limits)
    let routes = AnalyticsRoutes(
      store: store, limits: limits, clock: { .init(timeIntervalSince1970: 0) }, now: { .zero })
    return try FakeService(groups: [routes]) { $0.token = try ServiceToken(FakeService.secret) }
  }

  private func post(_ service: FakeService, _ body: String = body, type: String = "application/json") async throws
    -> ServiceAnswer
  {
    try await service.ask(.post, "/api/analytics", .token.with(.contentType, type), body: body)
  }

  @Test("a report is a 201 with the record, and is listed for clients with the token")
  func kept() async throws {
    let service = try service()
    let answer = try await post(service)
    #expect(answer.status == .created && answer.text.contains(#""user":"walker""#))
    #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
    #expect(try await service.ask(.get, "/api/analytics", .token).text == "[\(answer.text)]")
    #expect(try await service.ask(.head, "/api/analytics", .token).status == .ok)
  }

  @Test("without the token it is a 401; nothing is stored or listed", arguments: [HTTPRequest.Method.get, .post])
  func guarded(_ method: HTTPRequest.Method) async throws {
    let answer = try await service().ask(method, "/api/analytics", .json, body: Self.body)
    #expect(answer.status == .unauthorized && answer.headers[.wwwAuthenticate] == "Bearer")
    #expect(try await store.reports(limit: 9).isEmpty)
  }

  @Test("an invalid report is refused with the inbox's reason", arguments: [("{}", 400), ("", 400), ("[1]", 400)])
  func refused(_ body: String, _ status: Int) async throws {
    let answer = try await post(try service(), body)
    #expect(answer.status.code == status && answer.reason != nil)
  }

  @Test("another type than JSON is a 415, a long body a 413")
  func types() async throws {
    let service = try service()
    #expect(try await post(service, type: "text/plain").status.code == 415)
    #expect(try await post(service, Self.body + String(repeating: " ", count: 16_384)).status.code == 413)
    #expect(try await store.reports(limit: 9).isEmpty)
  }

  @Test("a store that fails is a 503, to be retried later")
  func broken() async throws {
    await store.fail(with: FakeBackend.Broken())
    let answer = try await post(try service())
    #expect(answer.status.code == 503 && answer.headers[.retryAfter] == "30" && answer.reason != nil)
    #expect(try await service().ask(.get, "/api/analytics", .token).status.code == 503)
  }

  @Test("a flood is a 429 that states when to retry; reading is not affected")
  func flood() async throws {
    let service = try service { ($0.reportBurst, $0.reportsPerSecond) = (3, 0.5) }
    for _ in 0..<3 { #expect(try await post(service).status == .created) }
    let answer = try await post(service)
    #expect(answer.status.code == 429 && answer.headers[.retryAfter] == "2")
    #expect(try await service.ask(.get, "/api/analytics", .token).status == .ok)
    #expect(try await store.reports(limit: 9).count == 3)
  }

  @Test("a limit is a number of reports", arguments: ["-1", "x", "1e2", "10001", ""])
  func limit(_ text: String) async throws {
    #expect(try await service().ask(.get, "/api/analytics?limit=\(text)", .token).status == .badRequest)
    _ = try await post(try service())
    _ = try await post(try service(), Self.body.replacing("goalSet", with: "later"))
    let latest = try await service().ask(.get, "/api/analytics?limit=1", .token).text
    #expect(latest.contains("later") && !latest.contains("goalSet"))
  }
}
