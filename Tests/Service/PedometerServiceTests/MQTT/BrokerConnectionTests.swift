import Platform
import TestSupport
import Testing

@testable import ServiceMessaging

/// The connection with brokers of the tests, which send exact bytes.
@Suite("A connection to a broker", .timeLimit(.minutes(30)), .ownThreads)
struct BrokerConnectionTests {
  private static let accepted: [UInt8] = [0x20, 2, 0, 0]

  /// A message of QoS 1 on the topic t.
  private static func message(_ number: UInt8) -> [UInt8] { [0x32, 6, 0, 1, 0x74, 0, number, 0x78] }

  private static func connect(_ server: LoopbackServer, _ events: Observed<[MQTTEvent]>) throws -> BrokerConnection {
    try BrokerConnection(
      MQTTSession(
        settings: MQTTSettings(host: "127.0.0.1", port: server.port), identity: "test", availability: "test/will")
    ) { _, event in events.update { $0.append(event) } }
  }

  private static func received(_ events: [MQTTEvent]) -> [MQTTMessage] {
    events.compactMap { if case .received(let message) = $0 { message } else { nil } }
  }

  @Test("a message is acknowledged when it is finished, not before")
  func acknowledgement() async throws {
    let answers = Observed("")
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "test")
      connection.send(Self.accepted + Self.message(7) + Self.message(8))
      let answer = connection.receive(upTo: "@\u{2}\0\u{7}")
      answers.update { $0 = answer }
      connection.waitForEnd()
    }
    defer { server.close() }
    let events = Observed<[MQTTEvent]>([])
    let connection = try Self.connect(server, events)
    await events.wait { Self.received($0).count == 2 }
    for message in Self.received(events.value).reversed() { connection.finish(message) }
    await answers.wait { !$0.isEmpty }
    #expect(answers.value == "@\u{2}\0\u{8}@\u{2}\0\u{7}")
    connection.close()
    await events.wait { $0.last == .ended(.closed) }
  }

  @Test("nothing is reported after the end, although messages that had arrived are read")
  func afterTheEnd() async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "test")
      connection.send(Self.accepted)
    }
    defer { server.close() }
    let events = Observed<[MQTTEvent]>([])
    let connection = try Self.connect(server, events)
    await events.wait { if case .ended? = $0.last { true } else { false } }
    connection.report(.received(MQTTMessage("t", "late")))
    #expect(events.value.count == 2, "\(events.value)")
  }

  @Test("a message that is too long is acknowledged unread, and the next one comes")
  func oversize() async throws {
    let answers = Observed("")
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "test")
      // Two megabytes, five bytes of which are the topic and the number.
      connection.send(Self.accepted + [0x32, 0x80, 0x80, 0x80, 0x01, 0, 1, 0x74, 0, 7])
      connection.send([UInt8](repeating: 0x78, count: (2 << 20) - 5))
      connection.send(Self.message(8))
      let answer = connection.receive(upTo: "@\u{2}\0\u{7}")
      answers.update { $0 = answer }
      connection.waitForEnd()
    }
    defer { server.close() }
    let events = Observed<[MQTTEvent]>([])
    let connection = try Self.connect(server, events)
    await events.wait { Self.received($0).count == 1 }
    await answers.wait { !$0.isEmpty }
    #expect(events.value.contains(.skipped(topic: "t")) && answers.value == "@\u{2}\0\u{7}")
    connection.close()
  }

  @Test(
    "a broker that refuses, hangs up or speaks another language is named by what it does",
    arguments: [
      ([0x20, 2, 0, 5], .refused(code: 5)), ([], .lost(MQTTFailure.hungUp)),
      ([0x48, 0x54, 0x54, 0x50, 0x2F], .lost(MQTTFailure.foreign)), ([0xD0, 0], .lost(MQTTFailure.foreign)),
    ] as [([UInt8], MQTTFailure)])
  func refusal(_ answer: [UInt8], _ failure: MQTTFailure) async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "test")
      connection.send(answer)
      if !answer.isEmpty { connection.waitForEnd() }
    }
    defer { server.close() }
    let events = Observed<[MQTTEvent]>([])
    let connection = try Self.connect(server, events)
    await events.wait { !$0.isEmpty }
    #expect(events.value == [.ended(failure)])
    connection.close()
  }
}
