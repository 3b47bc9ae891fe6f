import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("access control", .timeLimit(.minutes(30)), .ownThreads)
struct GatekeeperTests {
  private static let privatePaths = [
    "/api/today", "/api/signal", "/api/history", "/api/live", "/api/devices", "/api/checks", "/api/chase", "/metrics",
  ]

  @Test("without the token only the page, its parts and health are accessible", arguments: Depth.allCases)
  func token(_ depth: Depth) async throws {
    try await FakeService.guarded().test(depth) { client in
      for path in Self.privatePaths {
        for headers: HTTPFields in [[:], [.authorization: "Basic eDp5"], [.cookie: "pedometer-session=0"]] {
          let answer = try await client.executeRequest(uri: path, method: .get, headers: headers, body: nil)
          #expect(answer.status == .unauthorized && answer.reason != nil, "\(path) \(headers)")
          #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        }
      }
      for path in ["/", "/page.css", "/page.js", "/health", "/openapi.json"] {
        #expect(try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil).status == .ok)
      }
      for path in Self.privatePaths where path != "/api/live" {
        #expect(try await client.executeRequest(uri: path, method: .get, headers: .token, body: nil).status == .ok)
      }
    }
  }

  @Test(
    "a token that differs in anything is wrong",
    arguments: [
      "", "a", "a-token-of-good-lengti", "a-token-of-good-lengthh", "A-TOKEN-OF-GOOD-LENGTH", "a-token-of-good-lengt",
    ])
  func wrongToken(_ shown: String) async throws {
    let service = try FakeService.guarded()
    #expect(try await service.ask(.get, "/api/today", [.authorization: "Bearer \(shown)"]).status == .unauthorized)
    #expect(try !ServiceToken(FakeService.secret).isEqual(to: shown))
    #expect(try await service.ask(.get, "/api/today", [.authorization: "bearer \(FakeService.secret)"]).status == .ok)
  }

  @Test("guessing is slowed down, and clients with the token are not")
  func guessing() async throws {
    let service = try FakeService.guarded { $0.limits.failureBurst = 3 }
    let wrong: HTTPFields = [.authorization: "Bearer wrong-wrong-wrong"]
    var statuses: [Int] = []
    for _ in 0..<5 { statuses.append(try await service.ask(.get, "/api/today", wrong).status.code) }
    #expect(statuses == [401, 401, 401, 429, 429])
    #expect(try await service.ask(.get, "/api/today", wrong).headers[.retryAfter] == "10")
    #expect(try await service.ask(.get, "/api/today", .token).status == .ok)
    service.clock.advance(by: .seconds(10))
    #expect(try await service.ask(.get, "/api/today", wrong).status == .unauthorized)
  }

  @Test("the page sends the token once, and then its cookie is enough, until it logs out")
  func session() async throws {
    let service = try FakeService.guarded()
    let wrong = try await service.ask(.post, "/api/session", .json, body: #"{"token":"wrong-wrong-wrong"}"#)
    #expect(wrong.status == .unauthorized && wrong.headers[.setCookie] == nil)
    let login = try await service.ask(.post, "/api/session", .json, body: #"{"token":"\#(FakeService.secret)"}"#)
    let cookie = try #require(login.headers[.setCookie])
    #expect(login.status == .noContent && !cookie.contains(FakeService.secret))
    #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict") && cookie.contains("; Path=/"))
    let pair = String(try #require(cookie.split(separator: ";").first))
    #expect(pair.count > 64)
    let headers: HTTPFields = [.cookie: "other=1; \(pair)"]
    #expect(try await service.ask(.get, "/api/today", headers).status == .ok)
    let phones = try await service.ask(.get, "/api/phones", headers).text
    #expect(
      phones.contains(#""walker":"Owner""#) && phones.contains(#""isThis":true"#), "the owner sees it among the phones")
    let logout = try await service.ask(.delete, "/api/session", headers)
    #expect(logout.status == .noContent && logout.headers[.setCookie]?.contains("Max-Age=0") == true)
    #expect(try await service.ask(.get, "/api/today", headers).status == .unauthorized)
  }

  @Test("without a token no login is needed, and logging in does no harm")
  func noToken() async throws {
    let answer = try await FakeService().ask(.post, "/api/session", .json, body: #"{"token":"x"}"#)
    #expect(answer.status == .noContent && answer.headers[.setCookie] == nil)
  }

  @Test("a client with too many requests waits; others do not")
  func pace() async throws {
    let limiter = RateLimiter(burst: 3, perSecond: 2)
    #expect((0..<3).allSatisfy { _ in limiter.take("a", at: .seconds(1)) == nil })
    #expect(limiter.take("a", at: .seconds(1)) == .milliseconds(500))
    #expect(limiter.take("b", at: .seconds(1)) == nil)
    #expect(limiter.take("a", at: .milliseconds(1500)) == nil)
    #expect(limiter.take("a", at: .milliseconds(1500)) != nil)
    let service = try FakeService { $0.limits.requestBurst = 2 }
    var statuses: [Int] = []
    for _ in 0..<3 { statuses.append(try await service.ask(.get, "/health").status.code) }
    #expect(statuses == [200, 200, 429])
  }

  @Test("strangers at the same address do not spend the requests of who shows the token or its cookie")
  func ownPace() async throws {
    let service = try FakeService.guarded { $0.limits.requestBurst = 3 }
    let login = try await service.ask(.post, "/api/session", .json, body: #"{"token":"\#(FakeService.secret)"}"#)
    let pair = try #require(login.headers[.setCookie]?.split(separator: ";").first)
    for wrong: HTTPFields in [[:], [.authorization: "Bearer wrong-wrong-wrong"], [.cookie: "pedometer-session=0"]] {
      _ = try await service.ask(.get, "/api/today", wrong)
    }
    #expect(try await service.ask(.get, "/health").status == .tooManyRequests)
    var statuses: [Int] = []
    for headers: HTTPFields in [.token, [.cookie: String(pair)], .token, .token] {
      statuses.append(try await service.ask(.get, "/api/today", headers).status.code)
    }
    // One budget for both, and a limit of its own.
    #expect(statuses == [200, 200, 200, 429])
  }

  @Test("this machine's own clients share an address, so they have a higher limit")
  func localPace() async throws {
    let service = try FakeService { settings in
      settings.limits.requestBurst = 2
      settings.limits.localFactor = 2
    }
    try await service.test(.live) { client in
      var statuses: [Int] = []
      for _ in 0..<5 {
        statuses.append(
          try await client.executeRequest(uri: "/health", method: .get, headers: [:], body: nil).status.code)
      }
      #expect(statuses == [200, 200, 200, 200, 429])
    }
  }

  @Test("the number of remembered clients is limited, and a limited client stays limited")
  func manyClients() {
    let limiter = RateLimiter(burst: 2, perSecond: 1, remembered: 100)
    _ = (limiter.take("busy", at: .zero), limiter.take("busy", at: .zero))
    for client in 0..<1000 { _ = limiter.take("\(client)", at: .milliseconds(client / 10)) }
    #expect(limiter.take("busy", at: .milliseconds(100)) != nil)
  }

  @Test("the log contains no token, cookie or query")
  func log() async throws {
    let service = try FakeService.guarded()
    let wrong = "a-wrong-token-that-was-shown"
    _ = try await service.ask(.get, "/api/today", .token)
    _ = try await service.ask(.get, "/api/history?user=somebody&token=\(FakeService.secret)", .token)
    _ = try await service.ask(.get, "/api/today", [.authorization: "Bearer \(wrong)"])
    _ = try await service.ask(.get, "/nothing/\(FakeService.secret)", .token)
    let login = try await service.ask(.post, "/api/session", .json, body: #"{"token":"\#(FakeService.secret)"}"#)
    _ = try await service.ask(.post, "/api/session", .json, body: #"{"token":"\#(wrong)"}"#)
    let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first?.split(separator: "=").last)
    _ = try await service.ask(.get, "/api/today", [.cookie: "pedometer-session=\(cookie)"])
    service.backend.state.withLock { $0.isBroken = true }
    _ = try await service.ask(.get, "/api/today?secret=\(FakeService.secret)", .token)
    let log = service.log.all.joined(separator: "\n")
    #expect(log.contains("wrong token") && log.contains("/api/today"))
    for secret in [FakeService.secret, wrong, String(cookie), "somebody"] { #expect(!log.contains(secret)) }
  }
}
