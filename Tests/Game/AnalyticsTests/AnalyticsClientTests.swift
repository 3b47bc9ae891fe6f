import Analytics
import Foundation
import ServiceTransport
import TestSupport
import Testing

/// One report, sent once.
@Suite("AnalyticsClient", .timeLimit(.minutes(30)))
struct AnalyticsClientTests {
  private func client(_ sender: any RequestSender, _ access: AnalyticsAccess?) -> AnalyticsClient {
    AnalyticsClient(access: { access }, sender: sender)
  }

  private func error(_ transport: CannedTransport) async throws -> (any Error)? {
    let client = client(TransportSender(transport: transport), try access())
    do {
      try await client.logAnalytics(analytics: numbered(1))
      return nil
    } catch {
      return error
    }
  }

  @Test("testAPI_whenReportSent_thenReportIsSent: the sender gets a report of that name")
  func sent() async throws {
    let sender = MockSender()
    let report = Report.make(event: .loginShown, type: .screenView, in: lab)
    let echoed = try await client(sender, access()).logAnalytics(analytics: report)
    #expect((sender.lastSent as? Report)?.name == "loginShown")
    #expect(echoed == report)
  }

  @Test("testAPI_whenReportSent_thenReportIsSent: the service has a report of that name")
  func kept() async throws {
    let folder = try SpoolFolder()
    let kept = try await AnalyticsBackEnd.inMemory().kept(spool: folder.path) {
      $0.sendReport(report: .make(event: .loginShown, type: .screenView, in: lab))
    }
    #expect(kept.map(\.name) == ["loginShown"] && kept.first?.device == lab.device)
  }

  @Test("the completion gets the report as stored by the service")
  func completion() async throws {
    let result = await withCheckedContinuation { continuation in
      #expect(throws: Never.self) {
        try client(MockSender(), access()).logAnalytics(analytics: numbered(3)) { continuation.resume(returning: $0) }
      }
    }
    #expect(try result.get().name == "event3")
  }

  @Test("the completion gets the error; without a token nothing is sent")
  func noToken() async throws {
    let sender = MockSender()
    let result = await withCheckedContinuation { continuation in
      #expect(throws: Never.self) {
        try client(sender, nil).logAnalytics(analytics: numbered(3)) { continuation.resume(returning: $0) }
      }
    }
    #expect(throws: RequestError.notSignedIn) { try result.get() }
    #expect(sender.sendCount == 0)
  }

  @Test("only encoding errors are thrown at once, and then the completion is not called")
  func encoding() throws {
    let report = Report(
      name: "n", recordedDate: Date(), type: "t", duration: .infinity, device: "", os: "", appVersion: "")
    #expect(throws: EncodingError.self) {
      try client(MockSender(), access()).logAnalytics(analytics: report) { _ in Issue.record("called") }
    }
  }

  @Test("the closures of a sender are optional, and each is called for its own result")
  func closures() async throws {
    let (request, news) = (TransportRequest(url: "x", body: try numbered(5).json()), MockAnalyticsAPI())
    let success: @Sendable (Report) -> Void = { news.sendReport(report: $0) }
    await MockSender().send(request: request, success: success).value
    #expect(news.reports.map(\.name) == ["event5"])
    let nothing: (@Sendable (Report) -> Void)? = nil
    await MockSender().send(request: TransportRequest(url: "x"), success: nothing).value
    await MockSender().send(
      request: TransportRequest(url: "x"), success: success,
      failure: { _ in
        news.sendReport(report: numbered(6))
      }
    ).value
    #expect(news.reports.map(\.name) == ["event5", "event6"])
  }

  @Test("a request is a POST of JSON to api/analytics with the token")
  func request() async throws {
    let transport = CannedTransport.echo()
    #expect(try await error(transport) == nil)
    let request = try #require(transport.requests.first)
    #expect(request.method == "POST" && request.url == "http://127.0.0.1:8080/api/analytics")
    #expect(request.headers.contains(.init("Authorization", "Bearer walker's-token")))
    #expect(request.headers.contains(.init("Content-Type", "application/json")))
  }

  @Test("only 2xx is success, whatever the body", arguments: [301, 400, 401, 404, 418, 500, 503])
  func refused(_ status: Int) async throws {
    let body = String(decoding: try numbered(1).json(), as: UTF8.self)
    let error = try await error(CannedTransport(status: status, body: body)) as? RequestError
    #expect(error == .refused(status: status, reason: nil, retryAfter: nil))
  }

  @Test("an error contains the service's reason and requested wait in seconds")
  func reason() async throws {
    let body = "{\"error\":true,\"reason\":\"try later\"}"
    for (value, expected) in [("120", Duration.seconds(120)), ("Sun, 06 Nov 1994 08:49:37 GMT", nil)] {
      let stub = CannedTransport(status: 503, headers: [.init("retry-after", value)], body: body)
      let error = try await error(stub) as? RequestError
      #expect(error == .refused(status: 503, reason: "try later", retryAfter: expected))
    }
  }

  @Test("of a long reason the first 200 characters are kept")
  func longReason() async throws {
    let reason = String(repeating: "ä", count: 300)
    let error = try await error(CannedTransport(status: 500, body: "{\"reason\":\"\(reason)\"}")) as? RequestError
    #expect(error == .refused(status: 500, reason: String(reason.prefix(200)), retryAfter: nil))
  }

  @Test("a 2xx without a report is not a success", arguments: ["", "{}", "<html>", "[1,2]"])
  func garbage(_ body: String) async throws {
    #expect(try await error(CannedTransport(status: 200, body: body)) as? RequestError == .unreadable(status: 200))
  }
}

/// Addresses are checked once.
@Suite("AnalyticsAddress", .timeLimit(.minutes(30)))
struct AnalyticsAddressTests {
  @Test(
    "a trailing slash, a folder, a port: one address",
    arguments: [
      ("http://localhost:8080/", "http://localhost:8080/api/analytics"),
      ("http://localhost:8080", "http://localhost:8080/api/analytics"),
      ("HTTPS://Example.org/steps//", "https://example.org/steps/api/analytics"),
      ("http://[::1]:80", "http://[::1]:80/api/analytics"),
      ("http://localhost:8080/api/analytics", "http://localhost:8080/api/analytics"),
    ])
  func valid(_ text: String, _ url: String) throws {
    #expect(try AnalyticsAddress(text).url(of: AnalyticsClient.path) == url)
  }

  @Test(
    "an invalid address is refused",
    arguments: [
      "", "test", "test/", "localhost:8080", "ftp://host", "http://", "http:///x", "http://a b", "http://host:0",
      "http://host:99999", "http://user:secret@host", "http://host?x=1", "http://host/#x", "http://höst", "//host",
      "http://host\r\nX: y",
    ])
  func invalid(_ text: String) {
    let error = #expect(throws: AnalyticsAddress.Invalid.self) { try AnalyticsAddress(text) }
    #expect(error?.text == text)
  }

  @Test("plain http is private on this computer only")
  func isPrivate() throws {
    let all = ["https://a", "http://127.0.0.1:8080", "http://localhost", "http://[::1]", "http://10.0.0.1"]
    #expect(try all.map { try AnalyticsAddress($0).isPrivate } == [true, true, true, true, false])
  }
}
