import NIOCore
import NIOPosix
import NIOSSL
import Platform
import ServiceTransport
import Synchronization
import WebSocketNetwork

/// A connection to a broker: MQTT 3.1.1 over SwiftNIO.
final class BrokerConnection: MQTTConnection {
  private struct State {
    var opening: EventLoopFuture<any Channel>?
    /// Of a broker that has accepted the client.
    var channel: (any Channel)?
    var latestNumber: UInt16 = 0
    /// The topics of unanswered subscriptions.
    var subscriptions: [Int: String] = [:]
    var isClosed = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  fileprivate let session: MQTTSession
  private let handle: @Sendable (any MQTTConnection, MQTTEvent) -> Void

  /// The longest time for the connection, and then for the broker's answer.
  fileprivate static let timeout = TimeAmount.seconds(10)

  init(
    _ session: MQTTSession, _ handle: @escaping @Sendable (any MQTTConnection, MQTTEvent) -> Void
  ) throws(MQTTFailure) {
    (self.session, self.handle) = (session, handle)
    let settings = session.settings
    var encryption: MessageEncryption?
    if settings.isEncrypted {
      do {
        encryption = try MessageEncryption(
          settings.authorities.map { .file($0) } ?? .system, host: settings.host, protocols: [])
      } catch { throw .untrusted(MessageEncryption.reason(error)) }
    }
    let opening = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(Self.timeout)
      .channelInitializer { [self, encryption] channel in
        channel.eventLoop.makeCompletedFuture {
          try encryption?.add(to: channel)
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(MQTTPacketDecoder()), BrokerHandler(self))
        }
      }
      .connect(host: settings.host, port: settings.port)
    state.withLock { $0.opening = opening }
    opening.whenFailure { self.end(.lost(NIOMessageClient.reason($0))) }
  }

  /// Reports only the first end.
  func end(_ failure: MQTTFailure) {
    let (isFirst, isClosed) = state.withLock { state in
      defer { (state.hasEnded, state.opening, state.channel) = (true, nil, nil) }
      return (!state.hasEnded, state.isClosed)
    }
    if isFirst { handle(self, .ended(isClosed ? .closed : failure)) }
  }

  fileprivate func begin(_ channel: any Channel) {
    state.withLock { $0.channel = channel }
    report(.connected)
  }

  /// Reports nothing after the end: a write can find the end while messages that have arrived are not read yet.
  func report(_ event: MQTTEvent) { if !state.withLock({ $0.hasEnded }) { handle(self, event) } }

  fileprivate func subscribed(_ number: Int, isGranted: Bool) {
    let topic = state.withLock { $0.subscriptions.removeValue(forKey: number) }
    if !isGranted, let topic { report(.refused(topic: topic)) }
  }

  /// The channel, and the number of another packet.
  private func next(_ note: (inout State, Int) -> Void = { _, _ in }) throws(MQTTFailure) -> (any Channel, UInt16) {
    let next = state.withLock { state -> (any Channel, UInt16)? in
      guard let channel = state.channel else { return nil }
      state.latestNumber = state.latestNumber == .max ? 1 : state.latestNumber + 1
      note(&state, Int(state.latestNumber))
      return (channel, state.latestNumber)
    }
    guard let next else { throw .closed }
    return next
  }

  func publish(_ message: MQTTMessage) throws(MQTTFailure) -> Int {
    let (channel, number) = try next()
    channel.writeAndFlush(MQTTRequest.publish(message, number: number), promise: nil)
    return Int(number)
  }

  func subscribe(_ topic: String) throws(MQTTFailure) {
    let (channel, number) = try next { $0.subscriptions[$1] = topic }
    channel.writeAndFlush(MQTTRequest.subscribe(topic, number: number), promise: nil)
  }

  func finish(_ message: MQTTMessage) {
    state.withLock { $0.channel }?
      .triggerUserOutboundEvent(BrokerHandler.Finished(number: message.number), promise: nil)
  }

  func close() {
    let opening = state.withLock { state in
      state.isClosed = true
      return state.opening
    }
    opening?.whenSuccess { channel in
      channel.writeAndFlush(MQTTRequest.farewell).whenComplete { _ in channel.close(promise: nil) }
    }
  }
}

/// Speaks with a broker. It reads only while few of its messages wait, and while the broker reads what it is sent: so nothing
/// accumulates here, and the broker keeps the rest.
private final class BrokerHandler: ChannelDuplexHandler {
  typealias InboundIn = MQTTPacket
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// A message is stored, or refused for good.
  struct Finished: Sendable { var number: Int? }

  /// In seconds.
  private static let keepalive: UInt16 = 30

  private let connection: BrokerConnection
  private var isConnected = false
  private var unfinished = 0
  private var isReading = true
  /// Whether a ping is unanswered.
  private var isAsked = false
  private var pings: RepeatedTask?

  init(_ connection: BrokerConnection) { self.connection = connection }

  func channelActive(context: ChannelHandlerContext) {
    send(MQTTRequest.connect(connection.session, keepalive: Self.keepalive), context)
    let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: BrokerConnection.timeout) {
      let (handler, context) = own.value
      if !handler.isConnected { handler.end(.lost("no answer"), context) }
    }
    let interval = TimeAmount.seconds(Int64(Self.keepalive) * 2 / 3)
    pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (handler, context) = own.value
      handler.ping(context)
    }
    context.fireChannelActive()
  }

  private func ping(_ context: ChannelHandlerContext) {
    // Its answer is behind messages that are not read.
    if !isReading || !isConnected { return }
    if isAsked { return end(.lost("it does not answer any more"), context) }
    isAsked = true
    send(MQTTRequest.ping, context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let packet = unwrapInboundIn(data)
    if case .answered(let code) = packet {
      if code != 0 { return end(.refused(code: code), context) }
      isConnected = true
      return connection.begin(context.channel)
    }
    guard isConnected else { return end(.lost(MQTTFailure.foreign), context) }
    isAsked = false
    switch packet {
    case .answered, .alive: break
    case .message(let message):
      unfinished += 1
      connection.report(.received(message))
    case .skipped(let message):
      acknowledge(message.number, context)
      connection.report(.skipped(topic: message.topic))
    case .acknowledged(let number): connection.report(.delivered(number))
    case .subscribed(let number, let isGranted): connection.subscribed(number, isGranted: isGranted)
    }
    updateReading(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    updateReading(context)
    context.fireChannelWritabilityChanged()
  }

  private func updateReading(_ context: ChannelHandlerContext) {
    let mayRead = unfinished < InputLimits.unfinishedMessages && context.channel.isWritable
    guard mayRead != isReading else { return }
    isReading = mayRead
    if mayRead { isAsked = false }
    context.channel.setOption(ChannelOptions.autoRead, value: mayRead).whenFailure { _ in }
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let finished = event as? Finished else { return context.triggerUserOutboundEvent(event, promise: promise) }
    unfinished -= 1
    acknowledge(finished.number, context)
    updateReading(context)
    promise?.succeed()
  }

  private func acknowledge(_ number: Int?, _ context: ChannelHandlerContext) {
    if let number = number.flatMap(UInt16.init(exactly:)) { send(MQTTRequest.acknowledge(number), context) }
  }

  private func send(_ packet: ByteBuffer, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(packet), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    pings?.cancel()
    connection.end(hangUp)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is MQTTPacket.Violation: end(.lost(MQTTFailure.foreign), context)
    case let error as IOError where error.errnoCode == ECONNRESET: end(hangUp, context)
    case _ where !MessageEncryption.isFailure(error): end(.lost(NIOMessageClient.reason(error)), context)
    case NIOSSLError.uncleanShutdown: end(hangUp, context)
    case _ where MessageEncryption.isPlain(error): end(.lost(MQTTFailure.unencrypted), context)
    default: end(.untrusted(MessageEncryption.reason(error)), context)
    }
  }

  /// The broker ends the connection without a word.
  private var hangUp: MQTTFailure {
    let isHandshake = !isConnected && connection.session.settings.isEncrypted
    return .lost(isHandshake ? MQTTFailure.unencrypted : MQTTFailure.hungUp)
  }

  private func end(_ failure: MQTTFailure, _ context: ChannelHandlerContext) {
    connection.end(failure)
    context.close(promise: nil)
  }
}

extension MQTTConnector {
  /// Connections over the network.
  static var network: MQTTConnector {
    MQTTConnector { session, handle throws(MQTTFailure) in try BrokerConnection(session, handle) }
  }
}
