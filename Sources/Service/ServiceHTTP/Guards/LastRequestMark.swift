import NIOCore
import NIOHTTP1

/// Marks the last request of a connection with exactly `Connection: close`, the only form that Hummingbird knows.
///
/// A client of HTTP/1.0 waits for the end of the connection, and later handlers do not see the version. It does not know
/// chunks either: its answer says HTTP/1.0, so that the encoder writes a stream as it is (RFC 9112, 6.1).
final class LastRequestMark: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var version = HTTPVersion.http1_1

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    version = head.version
    if head.version != .http1_1 || !head.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard version.major == 1, version.minor == 0, case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    head.version = .http1_0
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}

@available(*, unavailable)
extension LastRequestMark: Sendable {}
