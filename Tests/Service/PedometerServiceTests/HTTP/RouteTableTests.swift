import HTTPTypes
import HummingbirdTesting
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("the routes", .timeLimit(.minutes(30)))
struct RouteTableTests {
  private static let paths: [(String, String)] = [
    ("/", "GET, HEAD"), ("/page.css", "GET, HEAD"), ("/page.js", "GET, HEAD"), ("/openapi.json", "GET, HEAD"),
    ("/health", "GET, HEAD"), ("/api/today", "GET, HEAD"), ("/api/history", "GET, HEAD"), ("/api/live", "GET, HEAD"),
    ("/api/devices", "GET, HEAD"), ("/api/checks", "GET, HEAD"), ("/api/chase", "GET, HEAD, POST"),
    ("/api/goal", "GET, HEAD, PUT"), ("/api/session", "DELETE, POST"), ("/metrics", "GET, HEAD"),
  ]

  @Test("an unsupported method is a 405 with the supported ones", arguments: Depth.allCases)
  func methods(_ depth: Depth) async throws {
    try await FakeService().test(depth) { client in
      for (path, allowed) in Self.paths {
        for method in [HTTPRequest.Method.options, .patch, .trace, .delete, .put] {
          if allowed.contains(method.rawValue) { continue }
          let answer = try await client.executeRequest(uri: path, method: method, headers: [:], body: nil)
          #expect(answer.status.code == 405 && answer.headers[.allow] == allowed, "\(method) \(path)")
          #expect(answer.reason?.contains(allowed) == true)
        }
      }
    }
  }

  @Test("HEAD is answered like GET, without the body", arguments: Depth.allCases)
  func head(_ depth: Depth) async throws {
    try await FakeService().test(depth) { client in
      for (path, allowed) in Self.paths where allowed.contains("HEAD") && path != "/api/live" && path != "/metrics" {
        let get = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        let head = try await client.executeRequest(uri: path, method: .head, headers: [:], body: nil)
        #expect(head.status == get.status && head.body.readableBytes == 0, "\(path)")
        #expect(head.headers[.contentType] == get.headers[.contentType])
        if depth == .router { #expect(head.headers[.contentLength] == get.headers[.contentLength]) }
      }
      let live = try await client.executeRequest(uri: "/api/live", method: .head, headers: [:], body: nil)
      #expect(live.status == .ok && live.headers[.contentType] == "text/event-stream")
    }
  }

  @Test(
    "a path matches only in its exact spelling",
    arguments: [
      "/nothing", "/api", "/api/", "/api/today/", "//api/today", "/api//today", "/API/today", "/api/./today",
      "/api/x/../today", "/%61pi/today", "/api/%2e%2e/today", "/api%2ftoday", "/api/today%00", "/api/today%c0%ae",
      "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/page.css%00.html", "/api/today;x=1", "/.git/config", "/Public/",
      "/" + String(repeating: "a", count: 4000),
    ])
  func spelling(_ path: String) async throws {
    for depth in Depth.allCases {
      try await FakeService().test(depth) { client in
        let answer = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        #expect([400, 404].contains(answer.status.code) && answer.reason != nil, "\(depth) \(answer.text)")
      }
    }
  }

  @Test("a target that is not a path is refused", arguments: ["http://localhost/api/today", "api/today", "*", ""])
  func target(_ target: String) async throws {
    let answer = try await FakeService().ask(.get, target)
    #expect([400, 404].contains(answer.status.code) && answer.reason != nil)
  }

  @Test("every answer, including errors, has the security headers", arguments: Depth.allCases)
  func headers(_ depth: Depth) async throws {
    try await FakeService().test(depth) { client in
      for path in ["/", "/page.js", "/api/today", "/nothing", "/api/history?bucket=x"] {
        let headers = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil).headers
        #expect(
          headers[.contentSecurityPolicy]
            == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
            + "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
        #expect(headers[.xContentTypeOptions] == "nosniff" && headers[.referrerPolicy] == "no-referrer")
        #expect(headers[.cacheControl] == (path == "/" || path == "/page.js" ? "no-cache" : "no-store"))
        #expect(headers[.accessControlAllowOrigin] == nil && headers[.server] == nil)
      }
    }
  }

  @Test("routes of other modules are served together with the service's own, behind the same gatekeeper")
  func groups() async throws {
    struct Rooms: RouteGroup {
      func register(in routes: inout RouteTable) {
        routes.add(.post, "/chat/say") { request, context in .json("{}") }
        routes.add(.get, "/api/analytics", .tokenAlways) { _, context in .json("\(context.caller == .owner)") }
      }
    }
    let open = try FakeService(groups: [Rooms()])
    #expect(try await open.ask(.post, "/chat/say").status == .ok)
    #expect(try await open.ask(.get, "/chat/say").status.code == 405)
    #expect(try await open.ask(.get, "/api/analytics").status == .forbidden)
    let guarded = try FakeService(groups: [Rooms()]) { $0.token = try ServiceToken(FakeService.secret) }
    #expect(try await guarded.ask(.post, "/chat/say").status == .unauthorized)
    #expect(try await guarded.ask(.get, "/api/analytics", .token).text == "true")
  }
}
