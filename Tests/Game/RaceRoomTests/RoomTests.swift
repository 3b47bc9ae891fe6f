import RaceRoom
import Testing

@Suite("Room: the rules, without clock or network", .timeLimit(.minutes(30)))
struct RoomTests {
  private static let start = Duration.seconds(800_000_000)
  private var room = Room(at: start, seed: 1)

  private static func texts(_ outputs: [RoomOutput]) -> [String] {
    outputs.compactMap { if case .message(let message) = $0 { message.message } else { nil } }
  }

  private mutating func advance(_ seconds: Double) -> [RoomOutput] {
    room.advance(to: room.now + .milliseconds(Int((seconds * 1000).rounded())))
  }

  @Test("messages get numbers from 1 in order of arrival, and the room's date (T13)")
  mutating func order() throws {
    _ = try room.say("first", by: "Ann")
    _ = advance(2.5)
    let posting = try room.say("second", by: "Bob")
    #expect(posting.seq == 2)
    guard case .message(let message) = posting.outputs[0] else { return #expect(Bool(false)) }
    #expect(message.date.timeIntervalSinceReferenceDate == 800_000_002.5)
  }

  @Test("T9: a new member gets a status and the last three messages, then the announcement")
  mutating func newcomers() throws {
    for number in 1...5 { _ = try room.say("\(number)", by: "Ann") }
    let admission = try room.join("Bob")
    #expect(admission.status.activeUsers == 2)
    #expect(admission.status.seq == 5)
    #expect(admission.missed.map(\.message) == ["3", "4", "5"])
    #expect(Self.texts(admission.outputs) == ["Bob connected"])
  }

  @Test("a returning member gets all missed messages that are still stored")
  mutating func since() throws {
    for number in 1...2500 {
      _ = try room.say("\(number)", by: "Ann")
      _ = advance(1)
    }
    #expect(try room.join("Bob", since: 2498).missed.map(\.message) == ["2499", "2500"])
    #expect(try room.join("Bob", since: 10).missed.count == room.rules.keptMessages)
    #expect(try room.join("Bob", since: 2501).missed.isEmpty)
  }

  @Test("with a number of another session, a member gets all messages")
  mutating func otherLife() throws {
    for number in 1...5 { _ = try room.say("\(number)", by: "Ann") }
    #expect(try room.join("Bob", since: 5, session: room.session).missed.isEmpty)
    #expect(try room.join("Bob", since: 4, session: "another").missed.count == 6)
    #expect(try room.join("Bob", since: 100).missed.count == 6)
  }

  @Test("T12: users are active for 300 s after their last activity")
  mutating func presence() throws {
    _ = try room.join("Ann")
    _ = advance(200)
    _ = try room.join("Bob")
    #expect(room.activeUsers == 2)
    _ = advance(99.999)
    #expect(room.activeUsers == 2)
    _ = advance(0.001)
    #expect(room.activeUsers == 1)
    _ = try room.say("still here", by: "Ann")
    #expect(room.activeUsers == 2)
  }

  @Test("T14: a system message has no user and does not count as activity")
  mutating func systemMessage() throws {
    let posting = try room.say("the sun sets", by: nil)
    guard case .message(let message) = posting.outputs[0] else { return #expect(Bool(false)) }
    #expect(message.user == nil)
    #expect(room.activeUsers == 0)
  }

  @Test("T15: joining and leaving is announced once each, however many streams a user has")
  mutating func comingAndGoing() throws {
    #expect(Self.texts(try room.join("Ann").outputs) == ["Ann connected"])
    #expect(try room.join("Ann").outputs.isEmpty)
    #expect(room.leave("Ann").isEmpty)
    #expect(Self.texts(room.leave("Ann")) == ["Ann left"])
    #expect(room.leave("Ann").isEmpty)
    #expect(room.members == 0)
  }

  @Test("T17: the bot posts 5 s after the last user message, if there was none since")
  mutating func bot() throws {
    var rules = RoomRules()
    rules.bot = RoomBot(lines: [.text("And now?")])
    room = Room(rules: rules, at: Self.start, seed: 1)
    _ = try room.say("hello", by: "Ann")
    #expect(advance(4).isEmpty)
    _ = try room.say("anybody?", by: "Ann")
    #expect(advance(4.999).isEmpty)
    let outputs = advance(0.001)
    guard case .message(let message)? = outputs.first else { return #expect(Bool(false), "\(outputs)") }
    #expect((message.user, message.message) == ("Loch", "And now?"))
    #expect(advance(600).isEmpty)
  }

  @Test("T17: one of the bot's lines is an echo; no user may have its name")
  mutating func echo() throws {
    var rules = RoomRules()
    rules.bot = RoomBot(lines: [.echo])
    room = Room(rules: rules, at: Self.start, seed: 1)
    _ = try room.say("echo…", by: "Ann")
    #expect(Self.texts(advance(5)) == ["echo…"])
    #expect(throws: RoomRefusal.badName(.taken("Loch"))) { try room.say("I am the bot", by: "Loch") }
    #expect(RoomBot.standardLines.count == 8)
  }

  @Test("without a bot there are no answers")
  mutating func noBot() throws {
    _ = try room.say("hello", by: "Ann")
    #expect(room.nextDeadline == nil)
  }

  @Test("a repeated message is not posted again")
  mutating func sameAgain() throws {
    let id = Message(message: "x").id
    #expect(try room.say("x", by: "Ann", id: id).seq == 1)
    #expect(try room.say("y", by: "Ann").seq == 2)
    let again = try room.say("x", by: "Ann", id: id)
    #expect(again.seq == 1)
    #expect(again.outputs.isEmpty)
  }

  @Test("limits: members, message length, rate of one user and of all")
  mutating func limits() throws {
    var rules = RoomRules()
    rules.members = 2
    rules.messageLength = 10
    rules.messageRate = .init(burst: 2, perSecond: 0.5)
    rules.roomRate = .init(burst: 6, perSecond: 100)
    room = Room(rules: rules, at: Self.start, seed: 1)
    _ = try room.join("Ann")
    _ = try room.join("Bob")
    #expect(throws: RoomRefusal.roomIsFull(members: 2)) { try room.join("Cid") }
    #expect(throws: RoomRefusal.messageTooLong(limit: 10)) { try room.say("12345678901", by: "Eve") }
    _ = try room.say("1234567890", by: "Ann")
    _ = try room.say("2", by: "Ann")
    #expect(throws: RoomRefusal.tooFast(retryAfter: .seconds(2))) { try room.say("3", by: "Ann") }
    _ = try room.say("others may", by: "Bob")
    _ = advance(2)
    _ = try room.say("again", by: "Ann")
    #expect(RoomRefusal.tooFast(retryAfter: .seconds(2)).status == 429)
    #expect(RoomRefusal.roomIsFull(members: 2).status == 503)
    #expect(RoomRefusal.messageTooLong(limit: 1).status == 413)
  }

  @Test("heartbeats are sent every 15 s, as long as there is a listener")
  mutating func heartbeats() throws {
    #expect(advance(60).isEmpty)
    _ = try room.join("Ann")
    #expect(advance(14.9).isEmpty)
    let outputs = advance(0.1)
    #expect(outputs == [.heartbeat(room.now)])
    // After a sleep of the machine, only one heartbeat is sent.
    #expect(advance(86_400).count == 1)
    _ = room.leave("Ann")
    #expect(room.nextDeadline == nil)
  }

  @Test("the same calls give the same room")
  func deterministic() throws {
    func play() throws -> [RoomOutput] {
      var rules = RoomRules()
      rules.bot = RoomBot()
      var room = Room(rules: rules, at: Self.start, seed: 7)
      var outputs = try room.join("Ann").outputs
      outputs += try room.say("hello", by: "Ann").outputs
      outputs += room.advance(to: Self.start + .seconds(7))
      outputs += try room.startCountdown(to: "Go")
      outputs += room.advance(to: Self.start + .seconds(60))
      return outputs
    }
    #expect(try play() == play())
    #expect(try play().count > 8)
  }

  @Test("names of many kinds are valid; controls, overrides, blanks and long texts are not")
  func names() {
    for name in ["Ann", "a b", "&=+#?/%", "👩‍👩‍👧", "1️⃣ ❤️", "می‌خواهم", "דנה", "نسيم", String(repeating: "x", count: 64)] {
      #expect(RoomName.problem(with: name) == nil, "\(name)")
    }
    for name in [
      "a\u{1B}[31mb", "a\nb", "\u{202E}nnA", "a\u{85}", "\u{2066}", "An\u{200B}n", "Ann\u{200D}", "A\u{200D}nn",
      "\u{FEFF}Ann", "Ann\u{AD}", "\u{2800}", "\u{200D}Ann", "\u{FE0F}Ann", "An\u{FE0F}n",
      "\u{200F}Ann", "\u{3164}", "Ann\u{E0041}",
    ] {
      #expect(RoomName.problem(with: name) == .unfit)
    }
    #expect(RoomName.problem(with: "") == .empty)
    #expect(RoomName.problem(with: " \u{A0}") == .empty)
    #expect(RoomName.problem(with: String(repeating: "x", count: 65)) == .tooLong(limit: 64))
    #expect(RoomName.problem(with: "a" + String(repeating: "\u{301}", count: 500)) == .tooLong(limit: 64))
  }

  @Test("rooms are opened when a user joins, and idle ones are removed for others")
  func directory() throws {
    var rules = RoomRules()
    rules.rooms = 2
    var rooms = RaceRooms(rules: rules, seed: 1)
    try rooms.open(RoomName.main, at: Self.start)
    try rooms.open("first", at: Self.start)
    try rooms.open("second", at: Self.start)
    #expect(rooms.names == ["main", "second"])
    #expect(throws: RoomRefusal.badName(.unfit)) { try rooms.open("a\u{7}", at: Self.start) }
  }
}
