import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Platform
import ServiceTransport
import Synchronization

/// A WebSocket client (RFC 6455) without extensions, over SwiftNIO.
package struct NIOMessageClient: MessageClient {
  /// The longest time for the connection, and then for the server's answer.
  fileprivate static let timeout = TimeAmount.seconds(10)

  package init() {}

  package func connect(
    to server: MessageServer, events: @escaping @Sendable (MessageEvent) -> Void
  ) -> any MessageConnection {
    let reporter = MessageReporter(events)
    let group = MultiThreadedEventLoopGroup.singleton
    let encryption: MessageEncryption?
    do { encryption = try server.encryption.map { try MessageEncryption($0, host: server.host) } } catch {
      reporter.end(.untrusted(MessageEncryption.reason(error)))
      return NIOMessageConnection(channel: group.any().makeFailedFuture(error))
    }
    let channel = ClientBootstrap(group: group)
      .connectTimeout(Self.timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try encryption?.add(to: channel)
          try Self.prepare(channel, server, reporter)
        }
      }
      .connect(host: server.host, port: Int(server.port))
    channel.whenFailure { error in reporter.end(.unreachable(Self.reason(error))) }
    return NIOMessageConnection(channel: channel)
  }

  private static func prepare(_ channel: any Channel, _ server: MessageServer, _ reporter: MessageReporter) throws {
    let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: InputLimits.message, automaticErrorHandling: false) {
      channel, _ in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers(
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4096, maxAccumulatedFrameSize: InputLimits.message),
          MessageHandler(reporter))
      }
    }
    let request = UpgradeRequestHandler(server, reporter)
    let ownRequest = NIOLoopBound(request, eventLoop: channel.eventLoop)
    try channel.pipeline.syncOperations.addHTTPClientHandlers(
      leftOverBytesStrategy: .forwardBytes,
      withClientUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          ownRequest.value.isDone = true
          context.pipeline.syncOperations.removeHandler(ownRequest.value, promise: nil)
        }
      ))
    try channel.pipeline.syncOperations.addHandler(request)
  }

  /// A few words for an error of connecting.
  package static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first { return reason(first.error) }
      return "no such host"
    case let error as IOError: return systemText(error.errnoCode)
    case ChannelError.connectTimeout: return "no answer"
    default: return "\(error)"
    }
  }
}

/// A connection that may still be in preparation.
private struct NIOMessageConnection: MessageConnection {
  let channel: EventLoopFuture<any Channel>

  func close() {
    channel.whenSuccess { channel in
      // Fails before the handshake is done.
      channel.triggerUserOutboundEvent(MessageHandler.Leave()).whenComplete { _ in channel.close(promise: nil) }
    }
  }
}

private final class MessageReporter: Sendable {
  private let events: @Sendable (MessageEvent) -> Void
  private let hasEnded = Mutex(false)

  init(_ events: @escaping @Sendable (MessageEvent) -> Void) { self.events = events }

  func message(_ bytes: [UInt8]) { if !hasEnded.withLock({ $0 }) { events(.message(bytes)) } }

  /// Only the first reason is reported.
  func end(_ end: MessageEnd) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { events(.ended(end)) }
  }
}

/// Asks for the WebSocket, and reports any other answer.
private final class UpgradeRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let server: MessageServer
  private let reporter: MessageReporter
  var isDone = false

  init(_ server: MessageServer, _ reporter: MessageReporter) { (self.server, self.reporter) = (server, reporter) }

  func channelActive(context: ChannelHandlerContext) {
    let headers: HTTPHeaders = ["Host": server.authority, "Content-Length": "0"]
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: server.target, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: NIOMessageClient.timeout) {
      let (handler, context) = own.value
      if !handler.isDone { handler.end(.unreachable("no answer"), context) }
    }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { end(.refused(status: Int(head.status.code)), context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isDone { end(.violation("it closes the connection without an answer"), context) }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Errors of connecting are reported by the connection.
    if !isDone, MessageEncryption.isFailure(error) {
      end(.untrusted(MessageEncryption.reason(error)), context)
    } else if !isDone, context.channel.isActive {
      end(.violation("it does not answer as a WebSocket"), context)
    }
  }

  private func end(_ end: MessageEnd, _ context: ChannelHandlerContext) {
    isDone = true
    reporter.end(end)
    context.close(promise: nil)
  }
}

/// Passes messages on, and answers pings and the end.
private final class MessageHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Asks for a close frame.
  struct Leave: Sendable {}

  private static let broken = "frames that violate the protocol"

  private let reporter: MessageReporter

  init(_ reporter: MessageReporter) { self.reporter = reporter }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    var content = frame.unmaskedData
    switch frame.opcode {
    case .text, .binary: reporter.message(Array(content.readableBytesView))
    // A server that reads nothing gets no queue of answers.
    case .ping: if context.channel.isWritable { send(.pong, content, context) }
    case .connectionClose:
      let code = content.readInteger(as: UInt16.self)
      let words = String(decoding: content.readableBytesView, as: UTF8.self)
      send(.connectionClose, code.map { ByteBuffer(integer: $0) } ?? ByteBuffer(), context)
      end(.closed(code: code.map(Int.init), words: words), context)
    case .pong: break
    default: refuse(Self.broken, .protocolError, context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    reporter.end(.closed(code: nil, words: ""))
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is IOError, NIOSSLError.uncleanShutdown: end(.closed(code: nil, words: ""), context)
    case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
      refuse("a message of more than \(InputLimits.message) bytes", .messageTooLarge, context)
    default: refuse(Self.broken, .protocolError, context)
    }
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is Leave else { return context.triggerUserOutboundEvent(event, promise: promise) }
    let normal = ByteBuffer(integer: UInt16(webSocketErrorCode: .normalClosure))
    send(.connectionClose, normal, context, promise: promise)
  }

  private func end(_ end: MessageEnd, _ context: ChannelHandlerContext) {
    reporter.end(end)
    context.close(promise: nil)
  }

  /// Ends the connection, and says why to the server.
  private func refuse(_ reason: String, _ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
    reporter.end(.violation(reason))
    send(.connectionClose, ByteBuffer(integer: UInt16(webSocketErrorCode: code)), context)
    context.close(promise: nil)
  }

  /// Frames of a client are masked.
  private func send(
    _ opcode: WebSocketOpcode, _ content: ByteBuffer, _ context: ChannelHandlerContext,
    promise: EventLoopPromise<Void>? = nil
  ) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: content)
    context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
  }
}
