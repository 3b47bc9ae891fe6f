import FoundationEssentials
import RaceRoom
import ServiceTransport
import Synchronization
import TestSupport
import Testing

/// T1 to T11 and the two founding tests of the chat, against a stub.
@Suite("RoomClient: the founding behaviour", .timeLimit(.minutes(30)))
struct RoomClientTests {
  private func client(_ transport: StubTransport, name: String = "Ann", room: String = "main") throws -> RoomClient {
    try RoomClient(url: "http://room.test:8080/", username: name, room: room, transport: transport, clock: .instant)
  }

  private static func message(in request: TransportRequest) throws -> Message {
    try JSONDecoder().decode(Message.self, from: Data(request.body))
  }

  private static func line(_ seq: Int, _ text: String, user: String? = "Bob") -> String {
    let user = user.map { #""user":"\#($0)","# } ?? ""
    let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(seq)".count) + "\(seq)"
    return #"{"id":"\#(id)",\#(user)"message":"\#(text)","date":1,"seq":\#(seq)}"# + "\n"
  }

  @Test("testModelSay: the recorded request has the address and the decoded text")
  func modelSay() async throws {
    // given
    let transport = StubTransport()
    // when
    try await client(transport).say("Hello!")
    // then
    let request = try #require(transport.requests.first)
    #expect(request.url == "http://room.test:8080/chat/say")
    #expect(try Self.message(in: request).message == "Hello!")
  }

  @Test("testModelCountdown: four texts in order")
  func modelCountdown() async throws {
    // given
    let transport = StubTransport()
    // when: counting and collecting side by side, the collecting with a time-out of its own
    async let counting: Void = client(transport).countdown(to: "Tada!")
    let collected = TimeoutTask(seconds: 10) { await transport.waitForRequests(4) }
    try await collected.value
    try await counting
    // then
    #expect(
      try transport.requests.prefix(4).map { try Self.message(in: $0).message } == ["3...", "2...", "1...", "🎉 Tada!"])
  }

  @Test("T1: say sends exactly one POST with id, user, message and date")
  func sayOnce() async throws {
    let transport = StubTransport()
    try await client(transport, room: "a & b").say("Grüße, \"Ann\"\n")
    #expect(transport.requests.count == 1)
    let request = try #require(transport.requests.first)
    #expect(request.method == "POST")
    #expect(request.url == "http://room.test:8080/chat/say?room=a%20%26%20b")
    #expect(request.headers.contains(.init("Content-Type", "application/json")))
    let object = try JSONDecoder().decode([String: Field].self, from: Data(request.body))
    #expect(Set(object.keys) == ["id", "user", "message", "date"])
    #expect(object["user"] == .text("Ann"))
    #expect(object["message"] == .text("Grüße, \"Ann\"\n"))
    #expect(object["date"] == .number(800_000_000))
  }

  @Test("T2: an empty message is not sent")
  func sayNothing() async throws {
    let transport = StubTransport()
    try await client(transport).say("")
    #expect(transport.requests.isEmpty)
  }

  @Test("T3: any other status than success throws, with the service's own reason", arguments: [400, 404, 429, 500])
  func refused(status: Int) async throws {
    let transport = StubTransport([.response(status: status, body: #"{"error":true,"reason":"because"}"#)])
    await #expect(throws: RoomClientError.refused(status: status, reason: "because")) {
      try await client(transport).say("x")
    }
  }

  @Test(
    "a refusal without a reason of the service has the beginning of its text",
    arguments: [
      ("", "no reason given"), (" \n", "no reason given"), ("bad gateway", "bad gateway"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 200)),
    ])
  func refusedByAnother(body: String, reason: String) async throws {
    let transport = StubTransport([.response(status: 502, body: body)])
    await #expect(throws: RoomClientError.refused(status: 502, reason: reason)) { try await client(transport).say("x") }
  }

  @Test("T4, T5: the countdown sends four texts in order, each a second after the previous one")
  func countdown() async throws {
    let transport = StubTransport()
    let order = Mutex<[String]>([])
    let clock = RoomClock(
      now: { .zero },
      sleep: { duration in order.withLock { $0.append("sleep \(duration) behind \(transport.requests.count)") } })
    let client = try RoomClient(url: "http://room.test", username: "Ann", transport: transport, clock: clock)
    try await client.countdown(to: "Go")
    #expect(order.withLock { $0 } == (0...3).map { "sleep \(Duration.seconds(1)) behind \($0)" })
    let messages = try transport.requests.map(Self.message)
    #expect(messages.map(\.message) == ["3...", "2...", "1...", "🎉 Go"])
    #expect(messages.allSatisfy { $0.user == "Ann" })
  }

  @Test("T6: a countdown without a message sends nothing")
  func countdownToNothing() async throws {
    let transport = StubTransport()
    try await client(transport).countdown(to: "")
    #expect(transport.requests.isEmpty)
  }

  @Test("T7 (X6): cancelled after k seconds, a countdown has sent k messages and throws", arguments: 0...3)
  func countdownCancelled(ticks: Int) async throws {
    let transport = StubTransport()
    let clock = ManualClock()
    let client = try RoomClient(url: "http://room.test", username: "Ann", transport: transport, clock: .manual(clock))
    let counting = Task { try await client.countdown(to: "Go") }
    for tick in 0..<ticks {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      await transport.waitForRequests(tick + 1)
    }
    await clock.waitForSleepers()
    counting.cancel()
    await #expect(throws: CancellationError.self) { try await counting.value }
    #expect(transport.requests.count == ticks)
  }

  @Test("T8: a refused message stops the countdown")
  func countdownStops() async throws {
    let transport = StubTransport([
      .response(status: 200, body: "{}"), .response(status: 500, body: ""), .response(status: 200, body: "{}"),
    ])
    await #expect(throws: RoomClientError.self) { try await client(transport).countdown(to: "Go") }
    #expect(transport.requests.count == 2)
  }

  @Test("messages of the room have no name; messages of users do")
  func systemMessage() async throws {
    let transport = StubTransport([.response(status: 200, body: "{}"), .response(status: 200, body: "{}")])
    let ann = try client(transport)
    try await ann.say("the track is open", isSystemMessage: true)
    try await ann.say("hello")
    let said = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(said.count == 2 && said[0].contains("the track is open") && !said[0].contains("Ann"))
    #expect(said.last?.contains(#""user":"Ann""#) == true)
  }

  @Test("T9: the first line is the status, then the messages, in order")
  func chat() async throws {
    let text = #"{"activeUsers":3}"# + "\n" + Self.line(7, "seven") + Self.line(8, "eight", user: nil)
    let transport = StubTransport([.text(text, end: .silence)])
    let events = try await Listener(client(transport).chat()).next(3)
    #expect(events[0] == .status(ServerStatus(activeUsers: 3)))
    guard case .message(let seven) = events[1], case .message(let eight) = events[2] else {
      return #expect(Bool(false), "\(events)")
    }
    #expect((seven.user, seven.message) == ("Bob", "seven"))
    #expect(eight.isSystemMessage && !seven.isSystemMessage)
    #expect(transport.requests.map(\.url) == ["http://room.test:8080/chat/room?user=Ann"])
    #expect(transport.requests.map(\.method) == ["GET"])
  }

  @Test("T10: a first line other than a status is an error", arguments: ["<html>\n", "{}\n", ""])
  func badFirstLine(line: String) async throws {
    let transport = StubTransport([.text(line)])
    await #expect(throws: RoomClientError.noRoom(line: line.isEmpty ? "" : String(line.dropLast()))) {
      _ = try await Listener(client(transport).chat()).next(1)
    }
  }

  @Test("a service whose clock is no time is not a room", arguments: ["1e300", "-1e300"])
  func clock(time: String) async throws {
    let answer = #"{"time":\#(time)}"#
    let transport = StubTransport(otherwise: .response(status: 200, body: answer))
    await #expect(throws: RoomClientError.noRoom(line: answer)) {
      try await client(transport).serverClock()
    }
  }

  @Test("T10: an unknown later line, such as a heartbeat, is skipped")
  func badLaterLine() async throws {
    let text =
      #"{"activeUsers":1}"# + "\n" + #"{"heartbeat":1}"# + "\nnonsense\n\n" + #"{"id":1}"# + "\n" + Self.line(1, "good")
    let transport = StubTransport([.text(text, end: .silence)])
    let events = try await Listener(client(transport).chat()).next(2)
    guard case .message(let message) = events[1] else { return #expect(Bool(false), "\(events)") }
    #expect(message.message == "good")
  }

  @Test("T11: lines split anywhere, with CRLF or LF, even within characters, arrive complete", arguments: 1...9)
  func pieces(size: Int) async throws {
    let text =
      #"{"activeUsers":1}"# + "\r\n" + Self.line(1, "Zoë läuft 👩‍👩‍👧 שלום").replacing("\n", with: "\r\n")
      + Self.line(2, "zwei")
    let bytes = Array(text.utf8)
    let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    let transport = StubTransport([.stream(status: 200, pieces: pieces, end: .silence)])
    let events = try await Listener(client(transport).chat()).next(3)
    guard case .message(let first) = events[1], case .message(let second) = events[2] else {
      return #expect(Bool(false), "\(events)")
    }
    #expect(first.message == "Zoë läuft 👩‍👩‍👧 שלום")
    #expect(second.message == "zwei")
  }

  @Test("T21 (X7): names are encoded strictly")
  func names() async throws {
    let transport = StubTransport(otherwise: .text("{\"activeUsers\":1}\n", end: .silence))
    _ = try await Listener(client(transport, name: "a&b=c+d #ü").chat()).next(1)
    #expect(transport.requests.first?.url == "http://room.test:8080/chat/room?user=a%26b%3Dc%2Bd%20%23%C3%BC")
  }

  @Test("X12: a stream that breaks is reopened at the same position, without duplicates")
  func reconnects() async throws {
    let status = #"{"activeUsers":1,"seq":9,"session":"S"}"# + "\n"
    let transport = StubTransport([
      .text(status + Self.line(8, "8") + Self.line(9, "9"), end: .failure(Self.cut)),
      .failure(Self.cut),
      .response(status: 503, body: ""),
      .text(status + Self.line(9, "9") + Self.line(10, "10")),
      .text(status + Self.line(15, "15"), end: .silence),
    ])
    let events = try await Listener(client(transport).chat()).next(12)
    let messages = events.compactMap { if case .message(let message) = $0 { message.seq } else { nil } }
    #expect(messages == [8, 9, 10, 15])
    #expect(events.contains(.missed(4)))
    let delays = events.compactMap { if case .interrupted(_, let delay) = $0 { delay } else { nil } }
    #expect(delays == [.milliseconds(500), .seconds(1), .seconds(2), .milliseconds(500)])
    #expect(
      transport.requests.map(\.url).suffix(2) == [
        "http://room.test:8080/chat/room?user=Ann&since=9&session=S",
        "http://room.test:8080/chat/room?user=Ann&since=10&session=S",
      ])
  }

  @Test("a stream that breaks before any message is reopened without a gap", arguments: [(9, 6), (3, 0), (2, 0)])
  func reconnectsBeforeMessages(newest: Int, since: Int) async throws {
    let status = "{\"activeUsers\":1,\"seq\":\(newest)}\n"
    let transport = StubTransport([.text(status, end: .failure(Self.cut)), .text(status, end: .silence)])
    _ = try await Listener(client(transport).chat()).next(3)
    #expect(transport.requests.last?.url == "http://room.test:8080/chat/room?user=Ann&since=\(since)")
  }

  @Test("a restarted service counts from 1 again, and its messages still arrive")
  func restarted() async throws {
    let transport = StubTransport([
      .text(#"{"activeUsers":1,"seq":9,"session":"A"}"# + "\n" + Self.line(9, "old")),
      .text(#"{"activeUsers":1,"seq":1,"session":"B"}"# + "\n" + Self.line(1, "new"), end: .silence),
    ])
    let messages = try await Listener(client(transport).chat()).messages(until: "new")
    #expect(messages.map(\.message) == ["old", "new"])
  }

  @Test("a service that is missing the first time is an error at once")
  func unreachable() async throws {
    let transport = StubTransport([.failure(Self.cut)])
    await #expect(throws: TransportError.self) { _ = try await Listener(client(transport).chat()).next(1) }
  }

  @Test("releasing the chat closes its stream")
  func letsGo() async throws {
    let transport = StubTransport([.text("{\"activeUsers\":1}\n", end: .silence)])
    _ = try await Listener(client(transport).chat()).next(1)
    await transport.waitUntilClosed()
  }

  @Test("addresses and names are checked before anything is sent")
  func checked() {
    let transport = StubTransport()
    func client(_ url: String, _ name: String) throws -> RoomClient {
      try RoomClient(url: url, username: name, transport: transport)
    }
    for url in ["", "localhost:8080", "ftp://x", "http://", "http://x y", "http://x?y"] {
      #expect(throws: RoomClientError.badAddress(url)) { try client(url, "Ann") }
    }
    for url in ["http://x", "https://x/", "http://[::1]:8080/rooms"] {
      #expect(throws: Never.self) { try client(url, "Ann") }
    }
    #expect(throws: RoomClientError.badName(.empty)) { try client("http://x", " ") }
    #expect(throws: RoomClientError.badName(.unfit)) { try client("http://x", "a\u{1B}b") }
  }

  private static let cut = TransportError.interrupted(address: "http://room.test", reason: "cut")
}

/// A value of a flat JSON object.
private enum Field: Decodable, Equatable {
  case text(String)
  case number(Double)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }
}

extension RoomClock {
  /// A clock for which waiting takes no time.
  static let instant = RoomClock(now: { .seconds(800_000_000) }, sleep: { _ in try Task.checkCancellation() })
}
