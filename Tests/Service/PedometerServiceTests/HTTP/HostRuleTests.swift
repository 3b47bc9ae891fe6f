import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("host names and origins", .timeLimit(.minutes(30)))
struct HostRuleTests {
  private static func request(_ authority: String?, _ headers: HTTPFields = [:]) -> Request {
    Request(
      head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/", headerFields: headers),
      body: RequestBody(buffer: ByteBuffer()))
  }

  private static func status(_ check: () throws(ServiceRefusal) -> Void) -> Int {
    do {
      try check()
      return 200
    } catch {
      return error.status
    }
  }

  private static func rule(_ change: (inout HTTPSettings) -> Void = { _ in }) -> HostRule {
    var settings = HTTPSettings()
    change(&settings)
    return HostRule(settings)
  }

  @Test(
    "a service for this machine accepts this machine's names only",
    arguments: [
      ("localhost", 200), ("localhost:8080", 200), ("LOCALHOST:8080", 200), ("localhost.", 200), ("127.0.0.1", 200),
      ("127.0.0.1:8080", 200), ("127.1.2.3:1", 200), ("[::1]:8080", 200), ("[::1]", 200),
      ("[0:0:0:0:0:0:0:1]:8080", 200), ("[::2]", 403), ("evil.example", 403),
      ("evil.example:8080", 403), ("localhost.evil.example", 403), ("127.0.0.1.evil.example", 403), ("10.0.0.1", 403),
      ("[fe80::1]", 403), ("0.0.0.0", 403), ("", 400), (":8080", 400), ("a b", 400), ("localhost:99999", 400),
      ("localhost:8080:1", 400), ("[::1", 400), ("user@localhost", 400), ("localhost/", 400), ("localhost,evil", 400),
    ])
  func loopback(_ authority: String, _ status: Int) {
    #expect(Self.status { () throws(ServiceRefusal) in try Self.rule().checkHost(Self.request(authority)) } == status)
  }

  @Test("a request without a host is malformed")
  func noHost() {
    #expect(Self.status { () throws(ServiceRefusal) in try Self.rule().checkHost(Self.request(nil)) } == 400)
  }

  @Test("an open service accepts any address and its configured names, not others")
  func open() {
    let rule = Self.rule { settings in
      settings.addresses = [ListenAddress(host: "0.0.0.0", port: 8080)]
      settings.hostNames = ["Steps.example.org"]
    }
    for (authority, status) in [
      ("192.168.1.5:8080", 200), ("[fe80::1]:8080", 200), ("steps.example.org", 200), ("evil.example", 403),
    ] {
      #expect(Self.status { () throws(ServiceRefusal) in try rule.checkHost(Self.request(authority)) } == status)
    }
  }

  @Test(
    "only the service's own page may make changes",
    arguments: [
      ([:], 200), ([.origin: "http://localhost:8080"], 200), ([.origin: "https://localhost:8080"], 200),
      ([.origin: "http://LOCALHOST:8080"], 200), ([.origin: "http://localhost"], 403), ([.origin: "null"], 403),
      ([.origin: "http://localhost:8081"], 403), ([.origin: "http://evil.example"], 403), ([.origin: ""], 403),
      ([.origin: "file://localhost:8080"], 403), ([.secFetchSite: "same-origin"], 200), ([.secFetchSite: "none"], 200),
      ([.secFetchSite: "same-site"], 403), ([.secFetchSite: "cross-site"], 403), ([.secFetchSite: "?"], 403),
      ([.origin: "http://localhost:8080", .secFetchSite: "cross-site"], 403),
    ] as [(HTTPFields, Int)])
  func origin(_ headers: HTTPFields, _ status: Int) {
    let request = Self.request("localhost:8080", headers)
    #expect(Self.status { () throws(ServiceRefusal) in try Self.rule().checkOrigin(request) } == status)
  }

  @Test("every change is checked, and links from elsewhere can still be followed")
  func everyChange() async throws {
    let service = try FakeService()
    let foreign: HTTPFields = [.contentType: "application/json", .origin: "http://evil.example"]
    for (method, path) in [
      (HTTPRequest.Method.put, "/api/goal"), (.post, "/api/chase"), (.post, "/api/session"), (.delete, "/api/session"),
    ] {
      #expect(try await service.ask(method, path, foreign, body: "{}").status == .forbidden)
    }
    #expect(try await service.ask(.get, "/", [.secFetchSite: "cross-site"]).status == .ok)
    #expect(service.backend.state.withLock { $0.actions.isEmpty && $0.today.goal == nil })
  }
}
