import NIOCore
import NIOPosix
import NIOSSL
import Platform
import ServiceTransport
import WebSocketNetwork

/// A connection to a broker: MQTT 3.1.1 over SwiftNIO.
final class BrokerConnection: MQTTConnection {
  let messages: AsyncStream<MQTTMessage>
  private let handler: NIOLoopBound<BrokerHandler>

  /// The longest time for the connection, and then for the broker's answer.
  fileprivate static let timeout = TimeAmount.seconds(10)

  fileprivate init(_ messages: AsyncStream<MQTTMessage>, _ handler: NIOLoopBound<BrokerHandler>) {
    (self.messages, self.handler) = (messages, handler)
  }

  /// Connects, and waits until the broker accepts this client; cancelling the task gives up.
  static func open(_ settings: MQTTSettings, _ topics: MQTTTopics) async throws(MQTTFailure) -> BrokerConnection {
    var encryption: MessageEncryption?
    if settings.isEncrypted {
      do {
        encryption = try MessageEncryption(
          settings.authorities.map { .file($0) } ?? .system, host: settings.host, protocols: [])
      } catch { throw .untrusted(MessageEncryption.reason(error)) }
    }
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let accepted = loop.makePromise(of: BrokerConnection.self)
    let opening = ClientBootstrap(group: loop)
      .connectTimeout(timeout)
      .channelInitializer { [encryption] channel in
        channel.eventLoop.makeCompletedFuture {
          try encryption?.add(to: channel)
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(MQTTPacketDecoder()), BrokerHandler(settings, topics, accepted))
        }
      }
      .connect(host: settings.host, port: settings.port)
    opening.whenFailure { accepted.fail(MQTTFailure.lost(NIOMessageClient.reason($0))) }
    do {
      return try await withTaskCancellationHandler {
        try await accepted.futureResult.get()
      } onCancel: {
        accepted.fail(MQTTFailure.closed)
      }
    } catch { throw MQTTFailure(error) }
  }

  var end: MQTTFailure {
    get async {
      let end = handler.eventLoop.flatSubmit { [handler] in handler.value.end }
      return await (try? end.get()) ?? .closed
    }
  }

  func publish(_ message: MQTTMessage) async throws(MQTTFailure) {
    _ = try await ask { MQTTRequest.publish(message, number: $0) }
  }

  func subscribe(_ topic: String) async throws(MQTTFailure) -> Bool {
    try await ask { MQTTRequest.subscribe(topic, number: $0) }
  }

  private func ask(_ packet: @escaping @Sendable (_ number: UInt16) -> ByteBuffer) async throws(MQTTFailure) -> Bool {
    do {
      return try await handler.eventLoop.flatSubmit { [handler] in handler.value.ask(packet) }.get()
    } catch { throw MQTTFailure(error) }
  }

  func finish(_ message: MQTTMessage) {
    handler.eventLoop.execute { [handler] in handler.value.finish(message.number) }
  }

  func close(isOrderly: Bool) { handler.eventLoop.execute { [handler] in handler.value.close(isOrderly: isOrderly) } }
}

/// Speaks with a broker. It reads only while few of its messages wait, and while the broker reads what it is sent: so nothing
/// accumulates here, and the broker keeps the rest.
private final class BrokerHandler: ChannelInboundHandler {
  typealias InboundIn = MQTTPacket
  typealias OutboundOut = ByteBuffer

  /// In seconds.
  private static let keepalive: UInt16 = 30

  private let settings: MQTTSettings
  private let topics: MQTTTopics
  private let accepted: EventLoopPromise<BrokerConnection>
  private let messages: AsyncStream<MQTTMessage>
  private let arrival: AsyncStream<MQTTMessage>.Continuation
  private var context: ChannelHandlerContext?
  private var isAccepted = false
  private var latestNumber: UInt16 = 0
  /// The messages and subscriptions that the broker has not acknowledged.
  private var unanswered: [UInt16: EventLoopPromise<Bool>] = [:]
  private var unfinished = 0
  private var isReading = true
  /// Whether a ping is unanswered.
  private var isAsked = false
  private var pings: RepeatedTask?
  /// Why the connection ends.
  private var failure: MQTTFailure?

  init(_ settings: MQTTSettings, _ topics: MQTTTopics, _ accepted: EventLoopPromise<BrokerConnection>) {
    (self.settings, self.topics, self.accepted) = (settings, topics, accepted)
    (messages, arrival) = AsyncStream.makeStream()
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    send(MQTTRequest.connect(settings, topics, keepalive: Self.keepalive))
    let own = NIOLoopBound(self, eventLoop: context.eventLoop)
    // The attempt may be given up at any time, also before it begins.
    accepted.futureResult.whenFailure { own.value.fail(MQTTFailure($0)) }
    context.eventLoop.scheduleTask(in: BrokerConnection.timeout) { [accepted] in
      accepted.fail(MQTTFailure.lost("no answer"))
    }
    let interval = TimeAmount.seconds(Int64(Self.keepalive) * 2 / 3)
    pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in own.value.ping() }
    context.fireChannelActive()
  }

  private func ping() {
    // Its answer is behind messages that are not read.
    if !isReading || !isAccepted { return }
    if isAsked { return fail(.lost("it does not answer any more")) }
    isAsked = true
    send(MQTTRequest.ping)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Messages that have arrived may be read after a write has found the end.
    if failure != nil { return }
    let packet = unwrapInboundIn(data)
    if case .answered(let code) = packet {
      if code != 0 { return fail(.refused(code: code)) }
      isAccepted = true
      return accepted.succeed(BrokerConnection(messages, NIOLoopBound(self, eventLoop: context.eventLoop)))
    }
    guard isAccepted else { return fail(.lost(MQTTFailure.foreign)) }
    isAsked = false
    switch packet {
    case .answered, .alive: break
    case .message(let message):
      unfinished += 1
      arrival.yield(message)
    case .acknowledged(let number): unanswered.removeValue(forKey: number)?.succeed(true)
    case .subscribed(let number, let isGranted): unanswered.removeValue(forKey: number)?.succeed(isGranted)
    }
    updateReading()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    updateReading()
    context.fireChannelWritabilityChanged()
  }

  private func updateReading() {
    guard let context else { return }
    let mayRead = unfinished < InputLimits.unfinishedMessages && context.channel.isWritable
    guard mayRead != isReading else { return }
    isReading = mayRead
    if mayRead { isAsked = false }
    context.channel.setOption(ChannelOptions.autoRead, value: mayRead).whenFailure { _ in }
  }

  // MARK: What the connection does

  /// Sends a packet with a number; the result is the broker's answer to it.
  func ask(_ packet: (_ number: UInt16) -> ByteBuffer) -> EventLoopFuture<Bool> {
    let answer = accepted.futureResult.eventLoop.makePromise(of: Bool.self)
    if let failure {
      answer.fail(failure)
    } else {
      latestNumber = latestNumber == .max ? 1 : latestNumber + 1
      unanswered[latestNumber] = answer
      send(packet(latestNumber))
    }
    return answer.futureResult
  }

  /// A message is stored, or refused for good.
  func finish(_ number: UInt16?) {
    unfinished -= 1
    if let number { send(MQTTRequest.acknowledge(number)) }
    updateReading()
  }

  func close(isOrderly: Bool) {
    if isOrderly, failure == nil { send(MQTTRequest.farewell) }
    fail(.closed)
  }

  /// Why the connection has ended, when it has.
  var end: EventLoopFuture<MQTTFailure> {
    let own = NIOLoopBound(self, eventLoop: accepted.futureResult.eventLoop)
    guard let context else { return own.eventLoop.makeSucceededFuture(failure ?? .closed) }
    return context.channel.closeFuture.map { own.value.failure ?? .closed }
  }

  private func send(_ packet: ByteBuffer) { context?.writeAndFlush(wrapOutboundOut(packet), promise: nil) }

  // MARK: The end

  func channelInactive(context: ChannelHandlerContext) {
    fail(hangUp)
    pings?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is MQTTPacket.Violation: fail(.lost(MQTTFailure.foreign))
    case let error as IOError where error.errnoCode == ECONNRESET: fail(hangUp)
    case _ where !MessageEncryption.isFailure(error): fail(.lost(NIOMessageClient.reason(error)))
    case NIOSSLError.uncleanShutdown: fail(hangUp)
    case _ where MessageEncryption.isPlain(error): fail(.lost(MQTTFailure.unencrypted))
    default: fail(.untrusted(MessageEncryption.reason(error)))
    }
  }

  /// The broker ends the connection without a word.
  private var hangUp: MQTTFailure {
    .lost(!isAccepted && settings.isEncrypted ? MQTTFailure.unencrypted : MQTTFailure.hungUp)
  }

  /// Ends the connection; only the first reason counts.
  private func fail(_ reason: MQTTFailure) {
    guard failure == nil else { return }
    failure = reason
    accepted.fail(reason)
    arrival.finish()
    for answer in unanswered.values { answer.fail(reason) }
    unanswered = [:]
    context?.close(promise: nil)
  }
}
