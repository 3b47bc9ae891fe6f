import ChaseEngine
import FoundationEssentials
import Platform
import TestSupport
import Testing

@testable import RaceRoom

/// What is still accepted, and what no longer is.
@Suite("Room: the limits", .timeLimit(.minutes(30)))
struct LimitTests {
  private var room = Room(at: .seconds(800_000_000), seed: 1)

  private func frame(_ user: String = "Ann", seq: Int = 1, _ change: (inout RunnerFrame) -> Void = { _ in })
    -> RunnerFrame
  {
    var frame = RunnerFrame(
      user: user, state: .inProgress, steps: 1, goal: 100, distance: 0.7, nessieDistance: 0, runner: 0.01, nessie: 0,
      seq: seq)
    change(&frame)
    return frame
  }

  @Test("a message may have 1,000 characters, a countdown begin at 1 to 60, and a name have 64 characters")
  mutating func defaults() throws {
    _ = try room.say(String(repeating: "é", count: 1000), by: "Ann")
    #expect(throws: RoomRefusal.messageTooLong(limit: 1000)) {
      try room.say(String(repeating: "e", count: 1001), by: "Ann")
    }
    for from in [0, -1, 61] {
      #expect(throws: RoomRefusal.badCountdown(from: from, highest: 60)) {
        try room.startCountdown(to: "Go", from: from)
      }
    }
    for from in [1, 60] {
      let status = try room.startCountdown(to: "Go", from: from)
      #expect(status == [.race(room.race)] && room.race.start == 800_000_001 + Double(from))
      _ = try room.cancelCountdown()
    }
    let (longest, tooLong) = (String(repeating: "é", count: 1000), String(repeating: "e", count: 1001))
    _ = try room.share(Location(latitude: 0, longitude: 0, label: longest), by: "Ann")
    #expect(throws: RoomRefusal.messageTooLong(limit: 1000)) {
      try room.share(Location(latitude: 0, longitude: 0, label: tooLong), by: "Ann")
    }
    _ = try room.join(String(repeating: "n", count: 64))
    #expect(throws: RoomRefusal.self) { try room.join(String(repeating: "n", count: 65)) }
    #expect(room.rules.rooms == 64 && room.rules.bodySize == 16_384 && room.rules.backlog == 512)
  }

  @Test("64 members and 256 runners have room; one may send 20 messages at once, and all together 400")
  mutating func numbers() throws {
    for number in 1...64 { _ = try room.join("member \(number)") }
    #expect(throws: RoomRefusal.roomIsFull(members: 64)) { try room.join("another") }
    for number in 1...256 {
      _ = try room.report(frame("runner \(number)"))
      _ = try room.watch()
    }
    #expect(room.activeUsers == 64 + 256)
    #expect(throws: RoomRefusal.roomIsFull(members: 256)) { try room.report(frame("another")) }
    #expect(throws: RoomRefusal.roomIsFull(members: 256)) { try room.watch() }
    room = Room(at: .seconds(800_000_000), seed: 1)
    for number in 1...400 { _ = try room.say("\(number)", by: "user \(number % 20)") }
    #expect(throws: RoomRefusal.tooFast(retryAfter: .milliseconds(5))) { try room.say("x", by: "somebody else") }
    _ = room.advance(to: room.now + .seconds(10))
    #expect(throws: Never.self) { for number in 1...20 { _ = try room.say("\(number)", by: "Ann") } }
    #expect(throws: RoomRefusal.tooFast(retryAfter: .milliseconds(200))) { try room.say("x", by: "Ann") }
  }

  @Test(
    "a frame has possible figures only; the smallest and largest possible ones are accepted",
    arguments: [
      ("steps", -1, 0), ("goal", 0, 1), ("distance", -1, 0), ("nessieDistance", -1, 0), ("runner", -0.1, 0),
      ("runner", 1.1, 1), ("nessie", -0.1, 0), ("nessie", 1.1, 1), ("seq", -1, 0), ("distance", .infinity, 1e6),
      ("nessieDistance", .nan, 1e6),
    ])
  mutating func figures(key: String, impossible: Double, possible: Double) throws {
    func set(_ value: Double) -> RunnerFrame {
      frame { frame in
        switch key {
        case "steps": frame.steps = Int(value)
        case "goal": frame.goal = Int(value)
        case "distance": frame.distance = value
        case "nessieDistance": frame.nessieDistance = value
        case "runner": frame.runner = value
        case "nessie": frame.nessie = value
        default: frame.seq = Int(value)
        }
      }
    }
    #expect(throws: RoomRefusal.badFrame(key: key)) { try room.report(set(impossible)) }
    #expect(try room.report(set(possible)).outputs == [.runner(set(possible))])
  }

  @Test("a runner's name is checked like any other")
  mutating func runnerName() {
    for name in ["", " ", "a\u{7}"] { #expect(throws: RoomRefusal.self) { try room.report(frame(name)) } }
    #expect(room.standings.isEmpty)
  }

  @Test("a runner is removed exactly 300 s after the last frame, at a heartbeat")
  mutating func silentRunner() throws {
    _ = try room.watch()
    _ = try room.report(frame())
    _ = room.advance(to: room.now + .seconds(299))
    #expect(room.standings.count == 1)
    _ = room.advance(to: room.now + .seconds(1))
    #expect(room.standings.isEmpty)
  }

  @Test("a room of a single number counts down from it only")
  mutating func shortCountdown() throws {
    var rules = RoomRules()
    rules.longestCountdown = 1
    room = Room(rules: rules, at: room.now, seed: 1)
    #expect(throws: RoomRefusal.badCountdown(from: 2, highest: 1)) { try room.startCountdown(to: "Go", from: 2) }
    _ = try room.startCountdown(to: "Go", from: 1)
  }

  @Test("heartbeats follow each other by 15 s, and a user's streams are counted one by one")
  mutating func streams() throws {
    for _ in 0..<3 { _ = try room.join("Ann") }
    for _ in 0..<2 {
      let now = room.now
      #expect(room.nextDeadline == now + .seconds(15))
      #expect(room.advance(to: now + .seconds(15)) == [.heartbeat(room.now)])
    }
    for left in [2, 1, 0] {
      #expect(room.leave("Ann").isEmpty == (left > 0) && room.members == left)
    }
    #expect(room.leave("Ann").isEmpty && room.members == 0)
  }

  @Test("a user without a stream is active for less than 300 s, and the room is idle afterwards")
  mutating func activity() throws {
    _ = try room.say("hello", by: "Ann")
    _ = room.advance(to: room.now + .milliseconds(299_999))
    #expect(room.activeUsers == 1 && !room.isIdle)
    _ = room.advance(to: room.now + .milliseconds(1))
    #expect(room.activeUsers == 0 && room.isIdle)
    _ = try room.startCountdown(to: "Go")
    #expect(!room.isIdle)
  }

  @Test("a room has heartbeats while it is watched, and counts its watchers")
  mutating func watching() throws {
    for _ in 0..<2 { _ = try room.watch() }
    let due = room.now + .seconds(15)
    #expect(room.nextDeadline == due && room.watchers == 2 && !room.isIdle)
    room.stopWatching()
    #expect(room.nextDeadline == due && room.watchers == 1)
    for _ in 0..<2 { room.stopWatching() }
    #expect(room.nextDeadline == nil && room.watchers == 0 && room.isIdle)
  }

  @Test("a user who starts, cancels, shares or speaks needs a valid name, and becomes active")
  mutating func names() throws {
    #expect(throws: RoomRefusal.badName(.unfit)) { try room.startCountdown(to: "Go", by: "a\u{7}") }
    #expect(throws: RoomRefusal.badName(.unfit)) { try room.say("x", by: "a\u{7}") }
    #expect(throws: RoomRefusal.badName(.unfit)) { try room.join("a\u{7}") }
    #expect(throws: RoomRefusal.badName(.unfit)) { try room.share(Location(latitude: 0, longitude: 0), by: "a\u{7}") }
    _ = try room.startCountdown(to: "Go", by: "Ann")
    #expect(room.activeUsers == 1)
    #expect(throws: RoomRefusal.badName(.unfit)) { try room.cancelCountdown(by: "a\u{7}") }
    _ = try room.cancelCountdown(by: "Bob")
    #expect(room.activeUsers == 2)
    _ = try room.share(Location(latitude: 0, longitude: 0), by: "Cid")
    #expect(room.activeUsers == 3)
    #expect(throws: RoomRefusal.badCoordinates(latitude: 91, longitude: 0)) {
      try room.share(Location(latitude: 91, longitude: 0), by: "Dot")
    }
    #expect(room.activeUsers == 3)
  }

  @Test("a name has at most four bytes for each character")
  func bytes() {
    let letter = "a\u{301}\u{301}\u{301}b"
    #expect(letter.utf8.count == 8 && letter.count == 2)
    #expect(RoomName.problem(with: letter, limit: 2) == nil)
    #expect(RoomName.problem(with: "a\u{301}\u{301}\u{301}\u{301}", limit: 2) == .tooLong(limit: 2))
    #expect(RoomName.problem(with: "abc", limit: 2) == .tooLong(limit: 2))
  }

  @Test("the longest idle room is removed for another one, never the main room or one in use")
  func rooms() throws {
    var rules = RoomRules()
    rules.rooms = 3
    var rooms = RaceRooms(rules: rules, seed: 1)
    let start = Duration.seconds(800_000_000)
    for (seconds, name) in [RoomName.main, "first", "second"].enumerated() {
      try rooms.open(name, at: start + .seconds(seconds))
    }
    try rooms.open("third", at: start)
    #expect(rooms.names == ["main", "second", "third"])
    for name in ["second", "third"] { _ = try rooms.change(name) { room throws(RoomRefusal) in try room.join("Ann") } }
    #expect(throws: RoomRefusal.tooManyRooms(limit: 3)) { try rooms.open("fourth", at: start) }
    try rooms.open("third", at: start)
    #expect(rooms.nextDeadline == start + .seconds(15))
  }

  @Test("standings: finished by place, under way by their share and name, not started, caught")
  func order() {
    let frames = [
      ("Caught", AppState.caught, 0.9, nil), ("New", .notStarted, 0.5, nil), ("Zoe", .inProgress, 0.3, nil),
      ("Ann", .paused, 0.3, nil), ("Far", .inProgress, 0.4, nil),
      ("Third", .completed, 0.35, nil),
      ("Second", .completed, 1, 2), ("First", .completed, 1, 1),
    ].map { user, state, share, place in
      frame(user) { ($0.state, $0.runner, $0.place) = (state, share, place) }
    }
    let expected = ["First", "Second", "Third", "Far", "Ann", "Zoe", "New", "Caught"]
    #expect(RunnerFrame.standings(frames).map(\.user) == expected)
    #expect(RunnerFrame.standings(frames.reversed()).map(\.user) == expected)
  }

  @Test("a log keeps as many messages as it may, and knows the numbers of these")
  func log() {
    var log = MessageLog(limit: 2)
    let messages = (0..<5).map { _ in Message(message: "x") }
    #expect(messages.prefix(4).map { log.append($0).seq } == [1, 2, 3, 4])
    #expect(messages.map { log.number(of: $0.id) } == [nil, nil, 3, 4, nil])
    #expect(log.newest(9).map(\.seq) == [3, 4] && log.newest(1).map(\.seq) == [4] && log.newest(-1).isEmpty)
    _ = log.append(messages[4])
    #expect(messages.map { log.number(of: $0.id) } == [nil, nil, 3, 4, 5] && log.lastSeq == 5)
    #expect(log.after(4).map(\.seq) == [5] && log.after(0).map(\.seq) == [4, 5] && log.after(7).isEmpty)
  }

  @Test("a random identifier has all 122 random bits, version 4 and the variant of RFC 9562")
  func identifier() {
    var numbers = SplitMix64(seed: 5)
    var words = numbers
    var bytes: [UInt8] = []
    for _ in 0..<2 {
      var word = words.next()
      for _ in 0..<8 {
        bytes.append(UInt8(word % 256))
        word /= 256
      }
    }
    bytes[6] = 0x40 + bytes[6] % 16
    bytes[8] = 0x80 + bytes[8] % 64
    let id = numbers.identifier().uuidString.filter { $0 != "-" }
    #expect(id == bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined())
  }

  @Test("codes in small letters are decoded, too; text with one that is none stays as it is")
  func smallLetters() {
    #expect(PercentCoding.decode("%c3%a9%2f%0a%7E") == "é/\n~")
    #expect(PercentCoding.decode("%c3%a9%99x%4") == "%c3%a9%99x%4")
  }
}

@Suite("Room: streams of lines", .timeLimit(.minutes(30)))
struct LineTests {
  private static func client(_ transport: StubTransport, clock: RoomClock = .instant) throws -> RoomClient {
    try RoomClient(url: "http://room.test", username: "Ann", transport: transport, clock: clock)
  }

  private static let status = #"{"activeUsers":1,"seq":0,"session":"S"}"# + "\n"

  @Test("a busy service is asked again, one that refuses is not", arguments: [429, 500, 503, 403, 499])
  func refusals(status: Int) async throws {
    let transport = StubTransport([
      .text(Self.status), .response(status: status, body: ""), .text(Self.status, end: .silence),
    ])
    let listener = Listener(try Self.client(transport).chat())
    if status == 429 || status >= 500 {
      let events = try await listener.next(4)
      #expect(events.count { if case .interrupted = $0 { true } else { false } } == 2)
    } else {
      await #expect(throws: RoomClientError.self) { _ = try await listener.next(4) }
    }
  }

  @Test("the error of a foreign first line shows its first 80 characters")
  func foreign() async throws {
    let line = String(repeating: "x", count: 100)
    for stream in 0..<2 {
      let client = try Self.client(StubTransport([.text(line + "\n")]))
      await #expect(throws: RoomClientError.noRoom(line: String(repeating: "x", count: 80))) {
        if stream == 0 { for try await _ in client.chat() {} } else { for try await _ in client.live() {} }
      }
    }
    await #expect(throws: RoomClientError.noRoom(line: String(repeating: "x", count: 80))) {
      try await Self.client(StubTransport([.response(status: 200, body: line)])).serverClock()
    }
  }

  @Test("frames are numbered from 0, one by one")
  func frameNumbers() async throws {
    let transport = StubTransport()
    let client = try Self.client(transport)
    for _ in 0..<2 { try await client.report(.walk(steps: 1, goal: 100, state: .inProgress)) }
    let frames = try transport.requests.map { try JSONDecoder().decode(RunnerFrame.self, from: Data($0.body)) }
    #expect(frames.map(\.seq) == [0, 1])
  }

  @Test("of equally good round trips the first one counts, and as many are made as asked")
  func roundTrips() async throws {
    let answers = (1...3).map { StubTransport.Answer.response(status: 200, body: #"{"time":\#($0)}"#) }
    let transport = StubTransport(answers)
    let clock = RoomClock(now: { .seconds(10) }, sleep: { _ in })
    let measured = try await Self.client(transport, clock: clock).serverClock(roundTrips: 3)
    #expect(measured == ServerClock(offset: .seconds(-9), uncertainty: .zero))
    #expect(transport.requests.count == 3)
  }

  @Test("in a cancelled task nothing is requested")
  func cancelledFollower() async throws {
    let transport = StubTransport(otherwise: .text(Self.status, end: .silence))
    let client = try Self.client(transport)
    let follower = LineFollower(client.connection, reader: ChatReader(user: "Ann", room: nil))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await follower.next()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let countdown = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await client.countdown(to: "Go")
    }
    await #expect(throws: CancellationError.self) { try await countdown.value }
    #expect(transport.requests.isEmpty)
  }

  @Test("a line of 1 MiB is accepted, a longer one is dropped, and the next one is complete again")
  func longest() {
    let line = [UInt8](repeating: 0x61, count: 1 << 20)
    var splitter = LineSplitter()
    #expect(splitter.append(line).isEmpty)
    #expect(splitter.append([0x0A]) == [line])
    #expect(splitter.append(line + [0x61, 0x62]).isEmpty)
    #expect(splitter.append([0x63, 0x0A, 0x64, 0x0D, 0x0A, 0x0D, 0x0A]) == [[0x64], []])
  }

  @Test("a queue accepts lines until it is closed or full, and a reader that waits gets the end")
  func queue() async {
    let queue = LineQueue(first: [[1]], limit: 2)
    #expect(queue.add([2]) && queue.add([3], key: "k") && queue.add([4], key: "k") && queue.add([5]))
    #expect(!queue.add([6]) && !queue.add([7], key: "k"))
    for line: [UInt8] in [[1], [2], [4], [5]] { #expect(await queue.next() == line) }
    #expect(await queue.next() == nil)
    let waited = LineQueue(first: [], limit: 1)
    let reader = Task { [await waited.next(), await waited.next(), await waited.next()] }
    #expect(waited.add([1], key: "k"))
    waited.addIfIdle([2])
    waited.close()
    #expect(await reader.value.last == .some(nil))
    #expect(!waited.add([3]))
    let idle = LineQueue(first: [], limit: 1)
    for line: [UInt8] in [[1], [2]] { idle.addIfIdle(line) }
    #expect(idle.add([3]))
    for line: [UInt8] in [[1], [3]] { #expect(await idle.next() == line) }
    let released = LineQueue(first: [], limit: 1)
    do { _ = RoomLines(released) {} }
    #expect(!released.add([1]))
  }
}
