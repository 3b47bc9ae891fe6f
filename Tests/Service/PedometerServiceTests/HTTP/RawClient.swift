import NIOCore
import NIOPosix
import NIOSSL

/// A client that sends bytes as they are, over a real socket.
///
/// It has no `NIOAsyncChannel`, which stops the process if its connection fails early.
enum RawClient {
  /// The server's answer until it closes the connection, or until the answer contains `end`.
  /// - Parameter thenClose: closes the sending side after the text.
  static func ask(
    _ text: String, host: String = "127.0.0.1", port: Int, until end: String? = nil, thenClose: Bool = false,
    over tls: NIOSSLContext? = nil
  ) async throws -> String {
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let answer = loop.makePromise(of: String.self)
    let channel: any Channel
    do {
      channel = try await ClientBootstrap(group: loop).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: "localhost")) }
          try pipeline.addHandler(Answer(answer, until: end))
        }
      }.connect(host: host, port: port).get()
    } catch {
      answer.fail(error)
      throw error
    }
    // The server may have closed the connection; what it sent before counts.
    try? await channel.writeAndFlush(ByteBuffer(string: text)).get()
    if thenClose { try? await channel.close(mode: .output).get() }
    return try await answer.futureResult.get()
  }

  /// Collects what arrives.
  private final class Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<String>
    private let end: String?
    private var bytes = ByteBuffer()

    init(_ promise: EventLoopPromise<String>, until end: String?) { (self.promise, self.end) = (promise, end) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var part = unwrapInboundIn(data)
      bytes.writeBuffer(&part)
      if let end, String(buffer: bytes).contains(end) { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { promise.succeed(String(buffer: bytes)) }

    // A server that closes a connection with unread bytes resets it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
