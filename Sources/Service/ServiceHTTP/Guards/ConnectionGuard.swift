import Dispatch
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Platform
import ServiceCore

/// Watches one connection and closes it if it is too slow, sends too much or reads nothing.
///
/// Errors before a request is complete never reach a route, so they are answered here.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: ServiceLimits
  private let metrics: ServiceMetrics
  private let connections: OpenConnections
  private var number: OpenConnections.Number?
  /// The current deadline of the connection.
  private var deadline: Scheduled<Void>?
  private var stall: Scheduled<Void>?
  private var isReadingRequest = false
  private var isAnswering = false
  private var bodyBytes = 0
  private var requests = 0
  /// The number of bytes of answers written here.
  private var written = 0
  /// The final response was sent here; later data is ignored.
  private var isFinished = false
  /// The client has closed its side of the connection.
  private var hasLeft = false
  /// Ends the stream that is the current answer.
  private var departure: (@Sendable () -> Void)?

  init(limits: ServiceLimits, metrics: ServiceMetrics, connections: OpenConnections) {
    (self.limits, self.metrics, self.connections) = (limits, metrics, connections)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // Small buffers: a client that reads nothing is detected soon, and costs little until then. A line of a stream is
    // queued as three short writes, whose overhead exceeds their bytes.
    let options = context.channel
    options.setOption(.socketOption(.so_sndbuf), value: 32_768).whenFailure { _ in }
    options.setOption(.writeBufferWaterMark, value: .init(low: 1024, high: 4096)).whenFailure { _ in }
    let pipeline = context.pipeline.syncOperations
    // Before the handler that forgets the version.
    if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? pipeline.addHandler(LastRequestMark(), position: .before(codec))
    }
    metrics.add(connections: 1)
    number = connections.arrive(context.channel.remoteAddress?.ipAddress ?? "local")
    guard number != nil else { return cut(context, .crowded) }
    rest(context)
    schedule(after: limits.headTime, context) { guardian, context in guardian.cut(context, .slow) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let number, connections.leave(number) {
      // By then, the last ones have released their memory.
      context.eventLoop.scheduleTask(in: .seconds(2)) { DispatchQueue.global().async { FreeMemory.giveBack() } }
    }
    deadline?.cancel()
    stall?.cancel()
    metrics.add(connections: -1)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isFinished else { return }
    switch unwrapInboundIn(data) {
    case .head:
      if let number { connections.wake(number) }
      isReadingRequest = true
      requests += 1
      bodyBytes = 0
      // Each of them is kept in memory until its turn.
      if requests > limits.pipelinedRequests { return cut(context, .flooding) }
      schedule(after: limits.bodyTime, context) { guardian, context in
        guardian.answer(context, ServiceRefusal(408, "the body was sent too slowly; send it faster"))
      }
    case .body(let buffer):
      bodyBytes += buffer.readableBytes
      // A route has refused it already, and the client keeps sending.
      if bodyBytes > limits.bodySize + 1_048_576 { return cut(context, .flooding) }
    case .end:
      isReadingRequest = false
      deadline?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isFinished else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head: isAnswering = true
    case .body(let buffer): written += buffer.readableBytes
    case .end:
      isAnswering = false
      departure = nil
      requests -= 1
      if requests == 0, !isReadingRequest {
        rest(context)
        schedule(after: limits.idleTime, context) { guardian, context in guardian.cut(context, .idle) }
      }
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    if !context.channel.isWritable { watch(context, since: taken(context)) }
    context.fireChannelWritabilityChanged()
  }

  /// Closes the connection if none of the queued bytes is taken; a long answer over a slow line may take its time, even
  /// while others are written after it.
  private func watch(_ context: ChannelHandlerContext, since former: Int) {
    stall = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.stallTime)) {
      let taken = self.taken(context)
      if taken > former { self.watch(context, since: taken) } else { self.cut(context, .stalled) }
    }
  }

  /// The number of bytes of answers that the client has taken, without framing: it rises only with bytes taken.
  private func taken(_ context: ChannelHandlerContext) -> Int {
    written - ((try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent where !context.channel.isWritable: cut(context, .stalled)
    case ChannelEvent.inputClosed:
      hasLeft = true
      departure?()
      if isFinished { context.close(promise: nil) }
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Calls `action` when the client has closed the connection or its side of it; at once if it has. The call is for one
  /// answer, and `action` may be called twice.
  ///
  /// `RequestBody.consumeWithInboundCloseHandler` of Hummingbird 2 stops the process if the connection ends before the
  /// request does, because it releases its stream of the body unfinished.
  static func whenClientLeaves(_ channel: any Channel, _ action: @escaping @Sendable () -> Void) {
    channel.closeFuture.whenComplete { _ in action() }
    channel.eventLoop.execute {
      // A closed connection has no handlers, and a test without a network none of these.
      guard let guardian = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self) else { return }
      if guardian.hasLeft { action() } else { guardian.departure = action }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isFinished { return }
    guard !isAnswering, requests <= 1, let refusal = Self.refusal(for: error) else {
      context.fireErrorCaught(error)
      context.close(promise: nil)
      return
    }
    answer(context, refusal)
  }

  /// The refusal of bytes that are not a request.
  private static func refusal(for error: any Error) -> ServiceRefusal? {
    switch error {
    case HTTPParserError.headerOverflow:
      ServiceRefusal(431, "the header fields are too long; send fewer and shorter ones")
    case is HTTPParserError, is HTTP1TypeConversionError:
      ServiceRefusal(400, "not an HTTP request; use HTTP/1.1")
    default: nil
    }
  }

  /// Sends the final response, then waits a moment for the client to close the connection, so that it can still read it.
  private func answer(_ context: ChannelHandlerContext, _ refusal: ServiceRefusal) {
    if isFinished { return }
    if isAnswering || (requests == 0 && isReadingRequest) { return cut(context, .slow) }
    isFinished = true
    metrics.refused(refusal.status)
    var response = Response.refusal(refusal)
    response.addSecurityHeaders()
    response.headers[.connection] = "close"
    context.write(wrapOutboundOut(.head(response.head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: refusal.json))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(mode: .output, promise: nil)
    schedule(after: .seconds(2), context) { _, context in context.close(promise: nil) }
  }

  /// Allows the connection to be closed when others need it.
  private func rest(_ context: ChannelHandlerContext) {
    guard let number else { return }
    let channel = context.channel
    connections.rest(number) { channel.close(promise: nil) }
  }

  private func cut(_ context: ChannelHandlerContext, _ reason: ServiceMetrics.Cut) {
    if reason != .idle { metrics.cut(reason) }
    isFinished = true
    context.close(promise: nil)
  }

  private func schedule(
    after time: Duration, _ context: ChannelHandlerContext,
    _ action: @escaping (ConnectionGuard, ChannelHandlerContext) -> Void
  ) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { action(self, context) }
  }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
