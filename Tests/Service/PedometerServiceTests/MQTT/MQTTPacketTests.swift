import NIOCore
import Platform
import TestSupport
import Testing

@testable import ServiceMessaging

@Suite("Packets of MQTT", .timeLimit(.minutes(30)))
struct MQTTPacketTests {
  /// A PUBLISH of QoS 1 with the number 7.
  private static func publish(_ topic: String, _ payload: [UInt8], announcing length: Int? = nil) -> [UInt8] {
    let heading = [UInt8(topic.utf8.count >> 8), UInt8(topic.utf8.count & 0xFF)] + Array(topic.utf8) + [0, 7]
    var rest = length ?? heading.count + payload.count
    var bytes: [UInt8] = [0x32]
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes + heading + payload
  }

  /// The packets in bytes that arrive in pieces.
  private static func packets(_ bytes: [UInt8], pieces: Int = 1) throws -> (packets: [MQTTPacket], kept: Int) {
    var decoder = MQTTPacketDecoder()
    var (buffer, found) = (ByteBuffer(), [MQTTPacket]())
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      buffer.writeBytes(bytes[start..<min(start + pieces, bytes.count)])
      while let packet = try decoder.next(from: &buffer) { found.append(packet) }
      buffer.discardReadBytes()
    }
    return (found, buffer.readableBytes)
  }

  @Test("packets are found in pieces of any size", arguments: [1, 2, 3, 1000])
  func pieces(_ size: Int) throws {
    var bytes: [UInt8] = [0x20, 2, 0, 0, 0x90, 3, 0, 9, 0x80]
    bytes += Self.publish("a/b", Array(repeating: 5, count: 300))
    bytes += [0x40, 2, 1, 2, 0xD0, 0]
    var message = MQTTMessage(topic: "a/b", payload: Array(repeating: 5, count: 300))
    message.number = 7
    #expect(
      try Self.packets(bytes, pieces: size).packets == [
        .answered(code: 0), .subscribed(9, isGranted: false), .message(message), .acknowledged(258), .alive,
      ])
  }

  @Test("a message of 256 MB is read over without being kept, and the next one is read")
  func oversize() throws {
    let announced = 268_435_455
    var decoder = MQTTPacketDecoder()
    var buffer = ByteBuffer(bytes: Self.publish("walk/ann", [], announcing: announced))
    let chunk = [UInt8](repeating: 0x5B, count: 1 << 20)
    var (left, most) = (announced - 12, 0)
    var found: [MQTTPacket] = []
    while left > 0 {
      buffer.writeBytes(chunk.prefix(left))
      left -= min(left, chunk.count)
      if left == 0 { buffer.writeBytes([0xD0, 0]) }
      while let packet = try decoder.next(from: &buffer) { found.append(packet) }
      most = max(most, buffer.readableBytes)
      buffer.discardReadBytes()
    }
    var message = MQTTMessage(topic: "walk/ann", payload: [])
    (message.number, message.isTooLong) = (7, true)
    #expect(found == [.message(message), .alive])
    #expect(most == 0)
  }

  @Test(
    "what no broker sends is a violation",
    arguments: [
      [0x10, 0], [0x20, 1, 0], [0x36, 4, 0, 1, 0x61, 0], [0x40, 1, 0], [0xFF, 0], [0x90, 2, 0, 1],
      [0x30, 0xFF, 0xFF, 0xFF, 0xFF], [0x32, 3, 0, 1, 0x61], [0x20, 0xFF, 0xFF, 0x7F], [0x30, 1, 0],
    ] as [[UInt8]])
  func violation(_ bytes: [UInt8]) {
    #expect(throws: MQTTPacket.Violation.self) { try Self.packets(bytes, pieces: 100) }
  }

  @Test("any bytes are packets, or a violation, or too few")
  func anyBytes() {
    var random = SplitMix64(seed: 60)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? Self.packets(bytes, pieces: 7)
    }
  }
}
