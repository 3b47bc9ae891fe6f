import TestSupport
import Testing

@testable import ServiceTransport

@Suite("PlainTransport", .timeLimit(.minutes(30)), .ownThreads)
struct PlainTransportTests {
  /// The parsed part of a response that arrives in pieces of this many bytes.
  private static func parse(_ text: String, pieces size: Int) throws -> (HTTPAnswerParser, String) {
    var parser = HTTPAnswerParser()
    var body: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      body += try parser.take(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return (parser, String(decoding: body, as: UTF8.self))
  }

  private static let lengths = [1, 2, 3, 7, 1000]

  @Test("a body of known length ends there, however the bytes are split", arguments: lengths)
  func length(_ size: Int) throws {
    let (parser, body) = try Self.parse(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Note:  a: b \r\n\r\nhellomore", pieces: size)
    #expect(body == "hello" && parser.isComplete)
    #expect(parser.head?.status == 200 && parser.head?.headers.last == TransportRequest.Header("x-note", "a: b "))
  }

  @Test("chunks are joined, without extensions and trailers", arguments: lengths)
  func chunks(_ size: Int) throws {
    let (parser, body) = try Self.parse(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n, world 12\r\n0\r\nX: y\r\n\r\n",
      pieces: size)
    #expect(body == "hello, world 12" && parser.isComplete)
  }

  @Test("interim responses are skipped, and a body without a length ends with the connection", arguments: lengths)
  func untilClose(_ size: Int) throws {
    let (parsed, body) = try Self.parse(
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.0 404 Not Found\n\nnothing", pieces: size)
    #expect(body == "nothing" && parsed.head?.status == 404)
    #expect(!parsed.isComplete)
    var parser = parsed
    let isEnd = parser.end()
    #expect(isEnd)
  }

  @Test("a truncated response is not complete", arguments: ["Content-Length: 9", "Transfer-Encoding: chunked"])
  func cut(_ header: String) throws {
    var parser = try Self.parse("HTTP/1.1 200 OK\r\n\(header)\r\n\r\n5\r\nhello", pieces: 4).0
    let isEnd = parser.end()
    #expect(!isEnd)
  }

  @Test(
    "bytes that are not a response are refused",
    arguments: [
      "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
      "HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 70_000),
    ])
  func malformed(_ text: String) {
    #expect(throws: HTTPAnswerParser.Malformed.self) { try Self.parse(text, pieces: 1000) }
  }

  @Test("addresses are parsed")
  func addresses() {
    let plain = PlainAddress("http://example.org/a?b=c#d")
    #expect(plain?.host == "example.org" && plain?.port == "80" && plain?.target == "/a?b=c")
    #expect(plain?.authority == "example.org" && plain?.isSecure == false)
    let numbers = PlainAddress("HTTP://[::1]:8080")
    #expect(numbers?.host == "::1" && numbers?.authority == "[::1]:8080" && numbers?.target == "/")
    #expect(PlainAddress("https://example.org?x")?.target == "/?x")
    #expect(PlainAddress("https://example.org")?.isSecure == true)
    for bad in [
      "http://", "ftp://x/", "x", "http://a:b/", "http://a:99999/", "http://[::1/", "http://a/ b", "http://a/\r\n",
    ] {
      #expect(PlainAddress(bad) == nil, "\(bad)")
    }
  }

  @Test("an address that needs TLS is refused with the reason, and so is a header field with a line break")
  func refused() async {
    let transport = PlainTransport(noTLS: "no TLS here")
    let address = "https://service.test/"
    await #expect(throws: TransportError.unreachable(address: address, reason: "no TLS here")) {
      try await transport.send(TransportRequest(url: address), timeout: Hang.limit)
    }
    await #expect(throws: TransportError.self) {
      try await transport.send(
        TransportRequest(url: "http://127.0.0.1:9/", headers: [.init("Authorization", "Bearer a\r\nX: y")]),
        timeout: Hang.limit)
    }
  }

  @Test("cancelling the task ends a request that waits for its answer")
  func cancelled() async throws {
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      arrived.finish()
      connection.waitForEnd()
    }
    let request = TransportRequest(url: "http://127.0.0.1:\(server.port)/")
    let task = Task { try await PlainTransport().send(request, timeout: Hang.limit) }
    for await _ in requests {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
