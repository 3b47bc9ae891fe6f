import NIOCore
import NIOHTTP1

/// Marks the last request of a connection with exactly `Connection: close`, the only form that Hummingbird knows.
///
/// A client of HTTP/1.0 waits for the end of the connection, and later handlers do not see the version.
final class LastRequestMark: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), head.version != .http1_1 || !head.isKeepAlive else {
      return context.fireChannelRead(data)
    }
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

@available(*, unavailable)
extension LastRequestMark: Sendable {}
