import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import ServiceHTTP

/// Behaviour that only a real socket shows: bytes that are not a request, partial requests, disconnecting clients, TLS.
@Suite("a real socket", .timeLimit(.minutes(30)), .ownThreads)
struct SocketTests {
  @Test("endless header fields are a 431, and bytes that are not a request a 400, each with its sentence")
  func noRequest() async throws {
    try await FakeService().serve { port in
      let long = String(repeating: "x", count: 20_000)
      let many = (0..<100).map { "X-\($0): 1\r\n" }.joined()
      for (text, status) in [
        ("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: \(long)\r\n\r\n", 431),
        ("GET /health HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n", 431),
        ("nonsense\r\n\r\n", 400), ("GET /health HTTP/9.9\r\n\r\n", 400), ("\u{16}\u{03}\u{01}\u{02}\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST /api/chase HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ] {
        let answer = try await RawClient.ask(text, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(60)): \(answer.prefix(100))")
        #expect(answer.contains(#"{"error":true,"reason":""#))
      }
    }
  }

  @Test(
    "a client that disconnects before the end of its request ends its stream only",
    arguments: ["/api/live", "/chat/room?user=Ann"],
    ["Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n"])
  func unfinishedRequest(path: String, rest: String) async throws {
    try await FakeService(groups: [OneRoom()]).serve { port in
      _ = try await RawClient.ask(
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(rest)", port: port, thenClose: true)
      let health = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      #expect(try await RawClient.ask(health, port: port).hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("requests without Host, with two, and for another name are refused")
  func host() async throws {
    try await FakeService().serve { port in
      for (fields, status) in [
        ("", 400), ("Host: evil.example\r\n", 403), ("Host: localhost:\(port)\r\n", 200),
        ("Host: localhost\r\nHost: localhost\r\n", 400), ("Host: localhost\r\nHost: evil.example\r\n", 400),
      ] {
        let text = "GET /api/today HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
        let answer = try await RawClient.ask(text, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(fields)")
      }
    }
  }

  @Test(
    "the connection ends after the answer for a client that expects it",
    arguments: [
      "HTTP/1.0\r\n", "HTTP/1.0\r\nConnection: keep-alive\r\n", "HTTP/1.1\r\nConnection: Close\r\n",
      "HTTP/1.1\r\nConnection: close, TE\r\n",
    ])
  func lastRequest(_ form: String) async throws {
    // A wait for the idle time is longer than the test may take.
    try await FakeService { $0.limits.idleTime = .seconds(86_400) }.serve { port in
      let answer = try await RawClient.ask("GET /health \(form)Host: localhost\r\n\r\n", port: port)
      #expect(answer.hasPrefix("\(form.prefix(8)) 200 ") && answer.contains(#""status":"ok""#))
    }
  }

  @Test("a client of HTTP/1.0, which knows no chunks, reads a stream as it is", arguments: ["1.0", "1.1"])
  func oldStream(_ version: String) async throws {
    try await FakeService().serve { port in
      let request = "GET /api/live HTTP/\(version)\r\nHost: localhost\r\n\r\n"
      let answer = try await RawClient.ask(request, port: port, until: "\"type\":")
      let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
      try #require(parts.count == 2, "\(answer)")
      #expect(parts[0].hasPrefix("HTTP/\(version) 200 "))
      #expect(parts[0].lowercased().contains("chunked") == (version == "1.1"))
      #expect(parts[1].hasPrefix("retry: ") == (version == "1.0"), "\(answer)")
    }
  }

  @Test("a missing body is a 408, however it is announced")
  func slowBody() async throws {
    let service = try FakeService { $0.limits.bodyTime = .milliseconds(50) }
    try await service.serve { port in
      for length in ["Content-Length: 20", "Transfer-Encoding: chunked"] {
        let head = "PUT /api/goal HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(length)\r\n\r\n"
        let answer = try await RawClient.ask(head, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("too slowly"))
      }
    }
    #expect(service.backend.state.withLock { $0.today.goal } == nil)
  }

  @Test("half a body is never taken for a complete one")
  func halfBody() async throws {
    let service = try FakeService()
    try await service.serve { port in
      let head = "PUT /api/goal HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      _ = try await RawClient.ask(head + "Content-Length: 30\r\n\r\n{\"goal\":80}", port: port, thenClose: true)
      _ = try await RawClient.ask(
        head + "Transfer-Encoding: chunked\r\n\r\n9\r\n{\"goal\":8\r\n", port: port, thenClose: true)
    }
    #expect(service.backend.state.withLock { $0.today.goal } == nil)
  }

  @Test("a body that is too long is a 413, announced or not")
  func longBody() async throws {
    try await FakeService { $0.limits.bodySize = 100 }.serve { port in
      let head =
        "PUT /api/goal HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
      let body = String(repeating: " ", count: 200)
      for text in [
        head + "Content-Length: 200\r\n\r\n" + body,
        head + "Transfer-Encoding: chunked\r\n\r\nc8\r\n\(body)\r\n0\r\n\r\n",
      ] {
        let answer = try await RawClient.ask(text, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains(#""error":true"#))
      }
    }
  }

  @Test("a reader that disconnects frees its slot without a line or a heartbeat")
  func hangingUp() async throws {
    let service = try FakeService()
    try await service.serve { port in
      let answer = try await RawClient.ask(
        "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port, thenClose: true)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      await service.readers.wait { $0.contains(.left) }
      #expect(service.hub.readerCount == 0)
    }
  }

  @Test("with a certificate the service uses TLS, its cookie is for TLS only, and plain bytes get no answer")
  func tls() async throws {
    let folder = try TemporaryDirectory()
    let chain = try folder.write(Array(SelfSigned.certificate.utf8), to: "chain.pem")
    let key = try folder.write(Array(SelfSigned.key.utf8), to: "key.pem")
    let service = try FakeService.guarded { $0.certificate = (chain, key) }
    try await service.test(.router) { client in
      let login = try await client.executeRequest(
        uri: "/api/session", method: .post, headers: .json,
        body: ByteBuffer(string: #"{"token":"\#(FakeService.secret)"}"#))
      #expect(login.headers[.setCookie]?.hasSuffix("; Secure") == true)
    }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(chain))
    let context = try NIOSSLContext(configuration: configuration)
    try await service.serve { port in
      let answer = try await RawClient.ask(
        "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port, over: context)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains(#""status":"ok""#))
      let plain = try await RawClient.ask("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
      #expect(!plain.contains("HTTP"))
    }
  }
}

/// A certificate for localhost that only this test trusts, and its key. Valid for a hundred years.
private enum SelfSigned {
  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBljCCATugAwIBAgIUQ8nxWZoRb1+qiSPYc0oOqW1PrHYwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE1MTQwMloYDzIxMjYxMDI4
    MTUxNDAyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAStDXdLIlD3ttXeEuOJqllvGsxe6MK50xAwwxWQIJzWLmIc0qe/05SH
    B4yUAal6+guRq6st5wtOe/iHSsY9X1Dso2kwZzAdBgNVHQ4EFgQUnBSiuPs0atMq
    glpBbiUwy5Yy9hYwHwYDVR0jBBgwFoAUnBSiuPs0atMqglpBbiUwy5Yy9hYwDwYD
    VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
    SQAwRgIhAMeH5dS3gYXua2i6x/xUrxwkFKJBMu7jfMsXWL5wNgMIAiEA4hDQsVB7
    yL1E4Oc+nYD5rIvoRNvneZ70SRPVCH48S/M=
    -----END CERTIFICATE-----
    """

  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsJ2cSYY7lzpXWc8B
    BJpY2vW8c6rU+umQeUp47mM1qqShRANCAAStDXdLIlD3ttXeEuOJqllvGsxe6MK5
    0xAwwxWQIJzWLmIc0qe/05SHB4yUAal6+guRq6st5wtOe/iHSsY9X1Ds
    -----END PRIVATE KEY-----
    """
}
