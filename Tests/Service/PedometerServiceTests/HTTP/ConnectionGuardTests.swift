import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("the limits of one connection", .timeLimit(.minutes(30)))
struct ConnectionGuardTests {
  /// A connection without a network, with a manual clock.
  private final class Connection {
    let channel: EmbeddedChannel
    let metrics = ServiceMetrics(version: "1")

    init(
      client: String = "127.0.0.1", connections: OpenConnections? = nil,
      _ change: (inout ServiceLimits) -> Void = { _ in }
    )
      throws
    {
      var limits = ServiceLimits()
      change(&limits)
      channel = EmbeddedChannel()
      // As in a server, the client's address is known first.
      try channel.connect(to: SocketAddress(ipAddress: client, port: 1)).wait()
      let guardian = ConnectionGuard(
        limits: limits, metrics: metrics, connections: connections ?? OpenConnections(limits))
      try channel.pipeline.syncOperations.addHandler(guardian)
    }

    func head(_ method: HTTPRequest.Method = .put) throws {
      let request = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/api/goal")
      try channel.writeInbound(HTTPRequestPart.head(request))
    }

    func body(_ count: Int) throws {
      try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0x20, count: count)))
    }

    func end() throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

    /// Sends the service's answer.
    func answer() throws {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
      while try channel.readOutbound(as: HTTPResponsePart.self) != nil {}
    }

    func wait(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    /// The guard's own responses.
    func said() throws -> (head: HTTPResponse, body: String)? {
      guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self),
        case .body(let body)? = try channel.readOutbound(as: HTTPResponsePart.self)
      else { return nil }
      return (head, String(buffer: body))
    }

    func figure(_ line: String) -> Bool { metrics.text.contains(line + "\n") }
  }

  @Test("a body that arrives too slowly is a 408, and the connection ends")
  func slowBody() throws {
    let connection = try Connection()
    try connection.head()
    connection.wait(.seconds(14))
    try connection.body(1)
    connection.wait(.milliseconds(999))
    #expect(try connection.said() == nil && connection.channel.isActive)
    connection.wait(.milliseconds(1))
    let said = try #require(try connection.said())
    #expect(said.head.status.code == 408 && said.head.headerFields[.connection] == "close")
    #expect(said.body == #"{"error":true,"reason":"the body was sent too slowly; send it faster"}"#)
    #expect(said.head.headerFields[.contentLength] == "\(said.body.utf8.count)")
    #expect(said.head.headerFields[.contentSecurityPolicy] != nil)
    connection.wait(.seconds(2))
    #expect(!connection.channel.isActive)
  }

  @Test("a missing head ends the connection, and so does a long pause between requests")
  func slowHead() throws {
    let silent = try Connection()
    silent.wait(.seconds(10))
    #expect(!silent.channel.isActive && silent.figure(#"pedometer_http_connections_dropped_total{reason="slow"} 1"#))
    let resting = try Connection()
    try resting.head(.get)
    try resting.end()
    resting.wait(.seconds(3600))
    #expect(resting.channel.isActive)
    try resting.answer()
    resting.wait(.seconds(74))
    #expect(resting.channel.isActive)
    resting.wait(.seconds(1))
    #expect(!resting.channel.isActive && resting.figure(#"pedometer_http_connections_dropped_total{reason="slow"} 0"#))
  }

  @Test("a client that reads nothing is disconnected after a while; one that reads something in time is not")
  func stalled() throws {
    let connection = try Connection()
    try connection.head(.get)
    try connection.end()
    let write = { (writable: Bool) in
      connection.channel.isWritable = writable
      connection.channel.pipeline.fireChannelWritabilityChanged()
    }
    write(false)
    connection.wait(.seconds(19))
    write(true)
    connection.wait(.seconds(60))
    write(false)
    connection.wait(.seconds(19))
    #expect(connection.channel.isActive)
    connection.wait(.seconds(1))
    #expect(!connection.channel.isActive)
    #expect(connection.figure(#"pedometer_http_connections_dropped_total{reason="stalled"} 1"#))
    #expect(connection.figure("pedometer_http_connections 0"))
  }

  @Test("a long answer over a slow line is not interrupted while some of it is read")
  func slow() throws {
    let connection = try Connection()
    try connection.head(.get)
    try connection.end()
    try connection.channel.pipeline.syncOperations.addHandler(Encoder(), position: .first)
    func answer(_ text: String) {
      connection.channel.pipeline.write(HTTPResponsePart.body(ByteBuffer(string: text)), promise: nil)
    }
    answer("some of a long answer")
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.wait(.seconds(19))
    connection.channel.flush()
    // The data written after it is longer than what was read.
    answer("and then some more of that long answer")
    connection.wait(.seconds(20))
    #expect(connection.channel.isActive)
    connection.wait(.seconds(1))
    #expect(!connection.channel.isActive)
    #expect(connection.figure(#"pedometer_http_connections_dropped_total{reason="stalled"} 1"#))
  }

  @Test("a client that keeps sending a refused body is disconnected")
  func flooding() throws {
    let connection = try Connection { $0.bodySize = 1000 }
    try connection.head()
    try connection.body(1_000_000)
    #expect(connection.channel.isActive)
    try connection.body(60_000)
    #expect(!connection.channel.isActive)
    #expect(connection.figure(#"pedometer_http_connections_dropped_total{reason="flooding"} 1"#))
  }

  @Test("too many requests before their answers end the connection")
  func pipelined() throws {
    let connection = try Connection { $0.pipelinedRequests = 3 }
    for _ in 1...3 {
      try connection.head(.get)
      try connection.end()
    }
    try connection.answer()
    try connection.head(.get)
    try connection.end()
    #expect(connection.channel.isActive)
    try connection.head(.get)
    #expect(!connection.channel.isActive)
    #expect(connection.figure(#"pedometer_http_connections_dropped_total{reason="flooding"} 1"#))
  }

  @Test("bytes that are not a request are answered once, and later ones are ignored")
  func noRequest() throws {
    for (error, status) in [(HTTPParserError.headerOverflow, 431), (.invalidMethod, 400)] {
      let connection = try Connection()
      connection.channel.pipeline.fireErrorCaught(error)
      connection.channel.pipeline.fireErrorCaught(error)
      let said = try #require(try connection.said())
      #expect(said.head.status.code == status && said.body.contains(#""error":true"#))
      try connection.head()
      #expect(try connection.channel.readInbound(as: HTTPRequestPart.self) == nil)
      connection.wait(.seconds(2))
      #expect(!connection.channel.isActive)
    }
  }

  @Test("an idle connection is closed for a new one of the same client; if all are busy, the new one is closed")
  func crowded() throws {
    var limits = ServiceLimits()
    limits.connectionsOfClient = 2
    let connections = OpenConnections(limits)
    let (idle, busy) = (
      try Connection(client: "192.0.2.1", connections: connections),
      try Connection(client: "192.0.2.1", connections: connections)
    )
    try busy.head()
    let third = try Connection(client: "192.0.2.1", connections: connections)
    #expect(!idle.channel.isActive && busy.channel.isActive && third.channel.isActive)
    try third.head()
    let fourth = try Connection(client: "192.0.2.1", connections: connections)
    #expect(!fourth.channel.isActive && busy.channel.isActive && third.channel.isActive)
    #expect(fourth.figure(#"pedometer_http_connections_dropped_total{reason="crowded"} 1"#))
    // An answered connection is idle, and may be closed.
    try busy.end()
    try busy.answer()
    let fifth = try Connection(client: "192.0.2.1", connections: connections)
    #expect(!busy.channel.isActive && fifth.channel.isActive)
    #expect(try Connection(client: "192.0.2.2", connections: connections).channel.isActive)
  }
}

/// Creates body bytes, which stay in the channel until they are flushed.
private final class Encoder: ChannelOutboundHandler, Sendable {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = ByteBuffer

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .body(let buffer) = unwrapOutboundIn(data) { context.write(wrapOutboundOut(buffer), promise: promise) }
  }
}
