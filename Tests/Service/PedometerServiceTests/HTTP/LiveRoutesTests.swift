import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("the event stream", .timeLimit(.minutes(30)), .ownThreads)
struct LiveRoutesTests {
  /// What a client reads until the hub is closed.
  private static func stream(
    _ service: FakeService, _ headers: HTTPFields = [:], path: String = "/api/live",
    _ publish: @escaping @Sendable (EventHub) -> Void = { _ in }
  ) async throws -> ServiceAnswer {
    let hub = service.hub
    let whole = Task { try await service.ask(.get, path, headers) }
    // The reader has its slot when the answer starts.
    await service.readers.wait { $0.contains(.joined) }
    publish(hub)
    hub.close()
    return try await whole.value
  }

  @Test("a new client gets the retry time, the day so far, and then every line with its number")
  func beginning() async throws {
    let answer = try await Self.stream(try FakeService()) { hub in
      hub.publish(#"{"type":"step"}"# + "\n")
      hub.publish(#"{"type":"data"}"#)
    }
    #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
    #expect(answer.headers[.cacheControl] == "no-store")
    #expect(
      answer.text
        == "retry: 2000\n\ndata: {\"type\":\"today\",\"date\":\"2026-11-21\",\"steps\":4200,\"distanceTravelled\":2950.5,"
        + "\"activeTime\":2400,\"goal\":null}\n\nid: 1\ndata: {\"type\":\"step\"}\n\nid: 2\ndata: {\"type\":\"data\"}\n\n"
    )
  }

  @Test("a client that asks for no steps gets all other lines, under their numbers")
  func withoutSteps() async throws {
    let answer = try await Self.stream(try FakeService(), path: "/api/live?steps=false") { hub in
      for type in ["step", "data", "step", "today"] { hub.publish(#"{"type":"\#(type)"}"#) }
    }
    #expect(answer.text.hasSuffix("id: 2\ndata: {\"type\":\"data\"}\n\nid: 4\ndata: {\"type\":\"today\"}\n\n"))
    #expect(!answer.text.contains("step\""))
  }

  @Test("the choice of steps is true or false", arguments: ["", "0", "no", "False"])
  func stepsMistyped(_ value: String) async throws {
    let answer = try await FakeService().ask(.get, "/api/live?steps=\(value)")
    #expect(answer.status == .badRequest && answer.reason == "steps=\(value) is invalid; give true or false")
  }

  @Test("a returning client gets the missed lines only")
  func resuming() async throws {
    let service = try FakeService()
    for line in ["a", "b", "c"] { service.hub.publish(line) }
    let answer = try await Self.stream(service, [.lastEventID: "1"])
    #expect(answer.text == "retry: 2000\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n")
  }

  @Test("lost lines are reported, with the number at which the client continues")
  func gap() async throws {
    let service = try FakeService()
    for line in 1...4100 { service.hub.publish("\(line)") }
    let answer = try await Self.stream(service, [.lastEventID: "1"])
    let lines = answer.text.split(separator: "\n\n")
    #expect(
      lines[1]
        == "id: 4\ndata: {\"type\":\"event\",\"event\":\"gap\",\"message\":\"3 lines were lost; the "
        + "totals that follow are correct\",\"missed\":3}")
    #expect(lines[2] == "id: 5\ndata: 5" && lines.count == 4098)
  }

  @Test("an invalid number starts from now", arguments: ["x", "-1", "99999999999999999999", ""])
  func odd(_ last: String) async throws {
    let answer = try await Self.stream(try FakeService(), [.lastEventID: last])
    #expect(answer.status == .ok && answer.text.contains(#""type":"today""#))
  }

  @Test("when all slots are taken the answer is a 503; a HEAD takes none")
  func slots() async throws {
    let service = try FakeService { $0.limits.subscribers = 1 }
    #expect(try await service.ask(.head, "/api/live").status == .ok)
    let reader = try service.hub.subscribe()
    let answer = try await service.ask(.get, "/api/live")
    #expect(answer.status == .serviceUnavailable && answer.reason != nil)
    reader.leave()
  }

  @Test("a page of another origin cannot listen")
  func otherOrigin() async throws {
    let service = try FakeService()
    for headers: HTTPFields in [
      [.origin: "http://evil.example"], [.secFetchSite: "cross-site"], [.secFetchSite: "same-site"], [.origin: "null"],
    ] {
      #expect(try await service.ask(.get, "/api/live", headers).status == .forbidden)
    }
    #expect(service.hub.readerCount == 0)
  }
}
