import Foundation
import ServiceTransport
import TestSupport
import Testing

@testable import Analytics

/// The receiving end.
@Suite("AnalyticsInbox", .timeLimit(.minutes(30)))
struct AnalyticsInboxTests {
  private let store = InMemoryReportStore()
  private let inbox: AnalyticsInbox
  private static let now = Date(timeIntervalSince1970: 1_800_000_000.5)

  init() { inbox = AnalyticsInbox(store: store, now: { Self.now }) }

  private static let body =
    #"{"name":"goalSet","recordedDate":"2026-11-21T14:19:20.123Z","type":"buttonTap","duration":1.5,"#
    + #""device":"d","os":"o","appVersion":"1","more":[1]}"#

  private func post(
    _ body: String = body, from user: String = "walker", type: String? = "application/json"
  ) async -> TransportResponse {
    let headers = type.map { [TransportRequest.Header("Content-Type", $0)] } ?? []
    return await inbox.answer(
      to: TransportRequest(method: "POST", url: "/api/analytics", headers: headers, body: Array(body.utf8)), from: user)
  }

  private func get(_ query: String = "") async -> TransportResponse {
    await inbox.answer(to: TransportRequest(url: "/api/analytics" + query), from: "walker")
  }

  private func reason(_ answer: TransportResponse) throws -> String {
    struct Refusal: Decodable {
      var error: Bool
      var reason: String
    }
    let refusal = try JSONDecoder().decode(Refusal.self, from: Data(answer.body))
    #expect(refusal.error)
    return refusal.reason
  }

  @Test("a report is stored with its user and the service's own time, and the answer is the record")
  func kept() async throws {
    let answer = await post()
    #expect(answer.status == 201)
    let record = try JSONDecoder().decode(StoredReport.self, from: Data(answer.body))
    #expect(try await store.reports(limit: 9) == [record])
    #expect((record.name, record.user, record.type, record.duration) == ("goalSet", "walker", "buttonTap", 1.5))
    #expect(record.eventDate == Self.now)
    #expect(record.recordedDate == Date(timeIntervalSince1970: 1_795_270_760.123))
    #expect((record.device, record.os, record.appVersion) == ("d", "o", "1"))
    // A client can decode it as its report.
    #expect(try JSONDecoder().decode(Report.self, from: Data(answer.body)).id == record.id)
  }

  @Test("the last four fields are optional")
  func optional() async throws {
    #expect(await post(#"{"name":"n","type":"t","recordedDate":"2026-11-21T14:19:20Z"}"#).status == 201)
    let record = try #require(try await store.reports(limit: 1).first)
    #expect(record.duration == nil && record.device == nil && record.os == nil && record.appVersion == nil)
  }

  @Test("a repeated report is stored once, as first received; another user's of the same id is separate")
  func again() async throws {
    let body = String(decoding: try numbered(1).json(), as: UTF8.self)
    #expect(await post(body).status == 201)
    let second = await post(body.replacing("event1", with: "event2"))
    #expect(second.status == 200)
    #expect(try JSONDecoder().decode(Report.self, from: Data(second.body)).name == "event1")
    #expect(await post(body, from: "runner").status == 201)
    #expect(try await store.reports(limit: 9).map(\.user) == ["walker", "runner"])
  }

  @Test("any offset from UTC that RFC 3339 allows is accepted")
  func offset() async throws {
    for text in ["2026-11-21T06:29:36.5+18:20", "2026-11-21T06:29:36-23:59"] {
      #expect(await post(Self.body("recordedDate", "\"\(text)\"")).status == 201)
    }
    let dates = try JSONDecoder().decode([StoredReport].self, from: Data(await get("").body)).map(\.recordedDate)
    #expect(dates.map(\.timeIntervalSince1970) == [1_795_176_576.5, 1_795_328_916])
  }

  @Test("the list contains all or the latest reports, in order of arrival")
  func list() async throws {
    for number in 1...5 { _ = await post(String(decoding: try numbered(number).json(), as: UTF8.self)) }
    func names(_ query: String) async throws -> [String] {
      try JSONDecoder().decode([StoredReport].self, from: Data(await get(query).body)).map(\.name)
    }
    #expect(numbers(try await names("")) == [1, 2, 3, 4, 5])
    #expect(numbers(try await names("?x=1&limit=2")) == [4, 5])
    #expect(try await names("?limit=-1") == [])
    #expect(try await names("?limit=x").count == 5)
  }

  @Test(
    "texts have 100, 50 and 200 characters at most, durations a year, and dates 40 characters",
    arguments: [("name", 100), ("type", 50), ("device", 200), ("os", 200), ("appVersion", 200)])
  func longest(_ field: String, _ length: Int) async throws {
    func text(_ length: Int) -> String { "\"" + String(repeating: "é", count: length) + "\"" }
    #expect(await post(Self.body(field, text(length))).status == 201)
    #expect(await post(Self.body(field, text(length + 1))).status == 400)
    for seconds in ["0", "0.25", "31622400"] {
      #expect(await post(Self.body("duration", seconds)).status == 201)
    }
    for seconds in ["-0.25", "31622401"] { #expect(await post(Self.body("duration", seconds)).status == 400) }
    let digits = String(repeating: "1", count: 19)
    #expect(await post(Self.body("recordedDate", "\"2026-11-21T14:19:20.\(digits)Z\"")).status == 201)
    #expect(await post(Self.body("recordedDate", "\"2026-11-21T14:19:20.\(digits)1Z\"")).status == 400)
  }

  private static func body(_ field: String, _ value: String) -> String {
    var fields = ["name": "\"n\"", "type": "\"t\"", "recordedDate": "\"2026-11-21T14:19:20Z\""]
    fields[field] = value
    return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  @Test(
    "an invalid field is named, with 400, and nothing is stored",
    arguments: [
      ("name", "\"\""), ("name", "null"), ("name", "5"), ("name", "\"a\\u001b[2J\""),
      ("name", "\"" + String(repeating: "n", count: 101) + "\""),
      ("type", "\"" + String(repeating: "t", count: 51) + "\""),
      ("type", "{}"), ("recordedDate", "\"yesterday\""), ("recordedDate", "12"), ("recordedDate", "null"),
      ("recordedDate", "\"2024-01-01T12:99:00Z\""), ("recordedDate", "\"2024-01-01T24:00:00Z\""),
      ("recordedDate", "\"2025-02-29T12:00:00Z\""), ("recordedDate", "\"2024-01-01T12:00:61Z\""),
      ("duration", "-1"), ("duration", "1e300"), ("duration", "\"long\""), ("id", "\"7\""),
      ("device", "\"" + String(repeating: "d", count: 201) + "\""), ("os", "[]"), ("appVersion", "\"1\\n\""),
    ])
  func field(_ field: String, _ value: String) async throws {
    let answer = await post(Self.body(field, value))
    #expect(answer.status == 400)
    #expect(try reason(answer).contains("'\(field)'"))
    #expect(try await store.reports(limit: 9).isEmpty)
  }

  @Test("JSON other than a report: 400", arguments: ["", "[]", "nonsense", "\"x\"", "{", "{\"name\":"])
  func noJSON(_ body: String) async throws {
    let answer = await post(body)
    #expect(answer.status == 400)
    #expect(!(try reason(answer)).isEmpty)
  }

  @Test("another type: 415; too long: 413; another method: 405", arguments: [nil, "text/plain", "application/jsonx"])
  func type(_ type: String?) async throws {
    #expect(await post(type: type).status == 415)
    #expect(await post(type: "Application/JSON; charset=utf-8").status == 201)
    #expect(await post(Self.body("device", "\"" + String(repeating: "d", count: 20_000) + "\"")).status == 413)
    let body = Self.body("device", "\"d\"")
    for (length, status) in [(16_384, 201), (16_385, 413)] {
      let padded = body + String(repeating: " ", count: length - body.utf8.count)
      #expect(await post(padded).status == status)
    }
    let deletion = await inbox.answer(to: TransportRequest(method: "DELETE", url: "/api/analytics"), from: "walker")
    #expect(deletion.status == 405 && deletion.headers.contains(.init("allow", "GET, POST")))
  }

  @Test("a database that fails: 503, and when to retry; then the report is stored")
  func database() async throws {
    struct Broken: Error {}
    await store.fail(with: Broken())
    let answer = await post()
    #expect(answer.status == 503 && answer.headers.contains(.init("retry-after", "30")))
    #expect(await get().status == 503)
    await store.fail(with: nil)
    #expect(await post().status == 201)
  }
}
