import NIOCore
import Platform

/// A packet of MQTT 3.1.1 that a broker sends to a client with QoS 0 and 1.
enum MQTTPacket: Equatable {
  /// The answer to the client: 0, or why it is refused (section 3.2.2.3).
  case answered(code: Int)
  case message(MQTTMessage)
  /// The broker has a message.
  case acknowledged(UInt16)
  case subscribed(UInt16, isGranted: Bool)
  /// The answer to a ping.
  case alive

  /// The bytes are no packet that a broker may send.
  struct Violation: Error {}
}

/// Finds packets in bytes. What is announced as longer than `InputLimits.message` is read over as it comes, so it is never in memory.
struct MQTTPacketDecoder: ByteToMessageDecoder {
  typealias InboundOut = MQTTPacket

  private var skipped: (message: MQTTMessage, left: Int)?

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    guard let packet = try next(from: &buffer) else { return .needMoreData }
    context.fireChannelRead(Self.wrapInboundOut(packet))
    return .continue
  }

  mutating func decodeLast(
    context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
  ) throws -> DecodingState { try decode(context: context, buffer: &buffer) }

  /// The next packet; `nil` until it is complete.
  mutating func next(from buffer: inout ByteBuffer) throws(MQTTPacket.Violation) -> MQTTPacket? {
    if skipped != nil { return skip(in: &buffer) }
    var rest = buffer
    guard let head = rest.readInteger(as: UInt8.self) else { return nil }
    guard [0x20, 0x40, 0x90, 0xD0].contains(head) || head >> 4 == 3 else { throw MQTTPacket.Violation() }
    guard let length = try Self.length(&rest) else { return nil }
    if length > InputLimits.message {
      guard head >> 4 == 3 else { throw MQTTPacket.Violation() }
      let readable = rest.readableBytes
      guard var message = try Self.heading(head, &rest) else { return nil }
      message.isTooLong = true
      buffer = rest
      skipped = (message, length - (readable - rest.readableBytes))
      return skip(in: &buffer)
    }
    guard var body = rest.readSlice(length: length) else { return nil }
    buffer = rest
    return try Self.packet(head, &body)
  }

  private mutating func skip(in buffer: inout ByteBuffer) -> MQTTPacket? {
    guard let (message, left) = skipped else { return nil }
    let count = min(left, buffer.readableBytes)
    buffer.moveReaderIndex(forwardBy: count)
    skipped = left == count ? nil : (message, left - count)
    return left == count ? .message(message) : nil
  }

  /// The number of bytes of a packet, seven bits in each byte; `nil` if it is not complete.
  private static func length(_ buffer: inout ByteBuffer) throws(MQTTPacket.Violation) -> Int? {
    var length = 0
    for shift in stride(from: 0, through: 21, by: 7) {
      guard let byte = buffer.readInteger(as: UInt8.self) else { return nil }
      length |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return length }
    }
    throw MQTTPacket.Violation()
  }

  private static func packet(_ head: UInt8, _ body: inout ByteBuffer) throws(MQTTPacket.Violation) -> MQTTPacket {
    switch head {
    case 0x20:
      guard let code = body.readBytes(length: 2)?.last else { break }
      return .answered(code: Int(code))
    case 0x30...0x3F:
      guard var message = try heading(head, &body) else { break }
      message.payload = Array(body.readableBytesView)
      return .message(message)
    case 0x40:
      guard let number = body.readInteger(as: UInt16.self) else { break }
      return .acknowledged(number)
    case 0x90:
      guard let number = body.readInteger(as: UInt16.self), let code = body.readInteger(as: UInt8.self) else { break }
      return .subscribed(number, isGranted: code < 0x80)
    case 0xD0: return .alive
    default: break
    }
    throw MQTTPacket.Violation()
  }

  /// A message up to its payload; `nil` if that is not complete. QoS 2 was not asked for.
  private static func heading(_ head: UInt8, _ body: inout ByteBuffer) throws(MQTTPacket.Violation) -> MQTTMessage? {
    let quality = head >> 1 & 3
    guard quality < 2 else { throw MQTTPacket.Violation() }
    guard let topic = body.readLengthPrefixedSlice(as: UInt16.self) else { return nil }
    var message = MQTTMessage(
      topic: String(decoding: topic.readableBytesView, as: UTF8.self), payload: [], isRetained: head & 1 == 1)
    if quality == 1 {
      guard let number = body.readInteger(as: UInt16.self) else { return nil }
      (message.number, message.isRepeated) = (number, head & 8 == 8)
    }
    return message
  }
}

/// The packets that a client sends.
enum MQTTRequest {
  static let farewell = packet(0xE0) { _ in }
  static let ping = packet(0xC0) { _ in }

  /// - Parameter keepalive: the seconds without a packet after which the broker ends the connection, and half as many.
  static func connect(_ settings: MQTTSettings, _ topics: MQTTTopics, keepalive: UInt16) -> ByteBuffer {
    let (user, password) = (settings.user, settings.password?.text)
    // A will of QoS 1 that is retained; without subscriptions, the broker forgets the client when it ends.
    var flags: UInt8 = 0x2C | (settings.subscriptions.isEmpty ? 0x02 : 0)
    if user != nil { flags |= password == nil ? 0x80 : 0xC0 }
    return packet(0x10) { body in
      body.writeText("MQTT")
      body.writeInteger(UInt8(4))
      body.writeInteger(flags)
      body.writeInteger(keepalive)
      body.writeText(topics.device)
      body.writeText(topics.availability)
      body.writeText(MQTTTopics.offline)
      guard let user else { return }
      body.writeText(user)
      if let password { body.writeText(password) }
    }
  }

  /// With QoS 1.
  static func publish(_ message: MQTTMessage, number: UInt16) -> ByteBuffer {
    packet(message.isRetained ? 0x33 : 0x32) { body in
      body.writeText(message.topic)
      body.writeInteger(number)
      body.writeBytes(message.payload)
    }
  }

  /// With QoS 1.
  static func subscribe(_ topic: String, number: UInt16) -> ByteBuffer {
    packet(0x82) { body in
      body.writeInteger(number)
      body.writeText(topic)
      body.writeInteger(UInt8(1))
    }
  }

  static func acknowledge(_ number: UInt16) -> ByteBuffer { packet(0x40) { $0.writeInteger(number) } }

  private static func packet(_ head: UInt8, _ write: (inout ByteBuffer) -> Void) -> ByteBuffer {
    var body = ByteBuffer()
    write(&body)
    var packet = ByteBuffer(integer: head)
    var length = body.readableBytes
    repeat {
      packet.writeInteger(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
      length >>= 7
    } while length > 0
    packet.writeBuffer(&body)
    return packet
  }
}

extension ByteBuffer {
  /// A text of 65,535 bytes at most, behind their number.
  fileprivate mutating func writeText(_ text: String) {
    let bytes = Array(text.utf8.prefix(Int(UInt16.max)))
    writeInteger(UInt16(bytes.count))
    writeBytes(bytes)
  }
}
