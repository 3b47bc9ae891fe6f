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

  private static func connect(_ server: LoopbackServer) async throws(MQTTFailure) -> BrokerConnection {
    try await BrokerConnection.open(
      MQTTSettings(host: "127.0.0.1", port: server.port), MQTTTopics(identity: "test", base: "test"))
  }

  @Test("a message is acknowledged when it is finished, not before")
  func acknowledgement() async throws {
    let answers = Observed("")
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "offline")
      connection.send(Self.accepted + Self.message(7) + Self.message(8))
      let answer = connection.receive(upTo: "@\u{2}\0\u{7}")
      answers.update { $0 = answer }
      connection.waitForEnd()
    }
    defer { server.close() }
    let connection = try await Self.connect(server)
    var messages = connection.messages.makeAsyncIterator()
    let both = [await messages.next(), await messages.next()].compactMap(\.self)
    for message in both.reversed() { connection.finish(message) }
    await answers.wait { !$0.isEmpty }
    #expect(answers.value == "@\u{2}\0\u{8}@\u{2}\0\u{7}")
    connection.close(isOrderly: true)
    #expect(await connection.end == .closed)
    #expect(await messages.next() == nil)
  }

  @Test("publishing waits for the acknowledgement, and fails when the connection ends")
  func publishing() async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "offline")
      connection.send(Self.accepted)
      _ = connection.receive(upTo: "first")
      connection.send([0x40, 2, 0, 1])
      _ = connection.receive(upTo: "second")
    }
    defer { server.close() }
    let connection = try await Self.connect(server)
    try await connection.publish(MQTTMessage("t", "first"))
    await #expect(throws: MQTTFailure.lost(MQTTFailure.hungUp)) {
      try await connection.publish(MQTTMessage("t", "second"))
    }
    #expect(await connection.end == .lost(MQTTFailure.hungUp))
    await #expect(throws: MQTTFailure.lost(MQTTFailure.hungUp)) {
      try await connection.publish(MQTTMessage("t", "third"))
    }
  }

  @Test("an attempt that is cancelled ends at once, although the broker does not answer")
  func cancellation() async throws {
    let asked = Observed(false)
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "offline")
      asked.update { $0 = true }
      connection.waitForEnd()
    }
    defer { server.close() }
    let task = Task { try await Self.connect(server) }
    await asked.wait { $0 }
    task.cancel()
    await #expect(throws: MQTTFailure.closed) { try await task.value }
  }

  @Test("a message that is too long arrives without its content, and the next one comes")
  func oversize() async throws {
    let answers = Observed("")
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "offline")
      // Two megabytes, five bytes of which are the topic and the number.
      connection.send(Self.accepted + [0x32, 0x80, 0x80, 0x80, 0x01, 0, 1, 0x74, 0, 7])
      connection.send([UInt8](repeating: 0x78, count: (2 << 20) - 5))
      connection.send(Self.message(8))
      let answer = connection.receive(upTo: "@\u{2}\0\u{7}")
      answers.update { $0 = answer }
      connection.waitForEnd()
    }
    defer { server.close() }
    let connection = try await Self.connect(server)
    var messages = connection.messages.makeAsyncIterator()
    let long = try #require(await messages.next())
    #expect(long.isTooLong && long.payload.isEmpty)
    #expect(await messages.next()?.isTooLong == false)
    connection.finish(long)
    await answers.wait { !$0.isEmpty }
    #expect(answers.value == "@\u{2}\0\u{7}")
    connection.close(isOrderly: true)
  }

  @Test(
    "a broker that refuses, hangs up or speaks another language is named by what it does",
    arguments: [
      ([0x20, 2, 0, 5], .refused(code: 5)), ([], .lost(MQTTFailure.hungUp)),
      ([0x48, 0x54, 0x54, 0x50, 0x2F], .lost(MQTTFailure.foreign)), ([0xD0, 0], .lost(MQTTFailure.foreign)),
    ] as [([UInt8], MQTTFailure)])
  func refusal(_ answer: [UInt8], _ failure: MQTTFailure) async throws {
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "offline")
      connection.send(answer)
      if !answer.isEmpty { connection.waitForEnd() }
    }
    defer { server.close() }
    await #expect(throws: failure) { try await Self.connect(server) }
  }
}
