import ChaseEngine
import RaceRoom
import TestSupport
import Testing

@Suite("Room: countdown, standings and places", .timeLimit(.minutes(30)))
struct RoomRaceTests {
  private static let start = Duration.seconds(800_000_000)
  private var room = Room(at: start, seed: 1)

  private static func texts(_ outputs: [RoomOutput]) -> [String] {
    outputs.compactMap { if case .message(let message) = $0 { message.message } else { nil } }
  }

  private static func races(_ outputs: [RoomOutput]) -> [RaceStatus] {
    outputs.compactMap { if case .race(let status) = $0 { status } else { nil } }
  }

  private mutating func advance(_ seconds: Double) -> [RoomOutput] {
    room.advance(to: room.now + .milliseconds(Int((seconds * 1000).rounded())))
  }

  private mutating func report(_ user: String, _ steps: Int, _ state: AppState, _ seq: Int) throws -> [RoomOutput] {
    try room.report(RunnerFrame(user: user, frame: .walk(steps: steps, goal: 100, state: state), seq: seq)).outputs
  }

  @Test("the room posts 3, 2, 1, a second each, then the text, and the race starts")
  mutating func countdown() throws {
    let first = Self.races(try room.startCountdown(to: "Go", by: "Ann"))
    #expect(first.map(\.race) == [.counting])
    #expect(first.first?.start == 800_000_004)
    #expect(advance(0.999).isEmpty)
    #expect(Self.texts(advance(0.001)) == ["3..."])
    #expect(Self.texts(advance(1)) == ["2..."])
    #expect(Self.texts(advance(1)) == ["1..."])
    let last = advance(1)
    #expect(Self.texts(last) == ["🎉 Go"])
    #expect(Self.races(last).map(\.race) == [.running])
    #expect(Self.races(last).first?.start == 800_000_004)
    #expect(room.nextDeadline == nil)
  }

  @Test("the next race begins without places, and its first one is number 1 again")
  mutating func placesAreReset() throws {
    for user in ["Ann", "Bob"] { _ = try report(user, 0, .notStarted, 1) }
    _ = try room.startCountdown(to: "Go")
    _ = advance(4)
    for (number, user) in ["Ann", "Bob"].enumerated() {
      _ = try report(user, 50, .inProgress, 2)
      _ = try report(user, 100, .completed, 3)
      #expect(room.standings.first { $0.user == user }?.place == number + 1)
    }
    // Nobody reports between the races.
    _ = try room.startCountdown(to: "Again")
    #expect(Self.races(advance(4)).last?.race == .running)
    #expect(room.standings.map(\.place) == [nil, nil])
    for user in ["Bob", "Ann"] { _ = try report(user, 10, .inProgress, 4) }
    let news = Self.texts(try report("Bob", 100, .completed, 5))
    #expect(news == ["Bob is first to reach the goal, with 100 steps"])
    #expect(room.standings.map(\.place) == [1, nil])
  }

  @Test("a runner who comes while the race is on takes part in it")
  mutating func latecomer() throws {
    _ = try report("Ann", 0, .notStarted, 1)
    _ = try room.startCountdown(to: "Go")
    _ = advance(4)
    let first = try report("Bob", 10, .inProgress, 1)
    #expect(Self.texts(first).isEmpty)
    let goal = try report("Bob", 100, .completed, 2)
    #expect(Self.texts(goal) == ["Bob is first to reach the goal, with 100 steps"])
    let last = try report("Ann", 100, .completed, 2)
    #expect(Self.texts(last) == ["Ann is second to reach the goal, with 100 steps", "the race is over: Bob won"])
  }

  @Test("who begins again is announced again, but not within a race")
  mutating func again() throws {
    for seq in [1, 3] {
      _ = try report("Bob", 1, .inProgress, seq)
      let end = try report("Bob", 100, .completed, seq + 1)
      #expect(Self.texts(end) == ["Bob reached the goal with 100 steps"])
    }
    _ = try report("Ann", 0, .notStarted, 1)
    _ = try room.startCountdown(to: "Go")
    _ = advance(4)
    for seq in [5, 7] {
      _ = try report("Bob", 1, .inProgress, seq)
      let end = try report("Bob", 100, .completed, seq + 1)
      #expect(Self.texts(end) == (seq == 5 ? ["Bob is first to reach the goal, with 100 steps"] : []))
      #expect(room.standings.first?.place == 1)
    }
  }

  @Test("a frame with the same or an older number has no effect")
  mutating func repeatedFrame() throws {
    _ = try report("Ann", 10, .inProgress, 5)
    for seq in [5, 4, 1] { #expect(try report("Ann", 99, .inProgress, seq).isEmpty) }
    #expect(room.standings.map(\.steps) == [10])
    #expect(try !report("Ann", 20, .inProgress, 6).isEmpty)
    #expect(room.standings.map(\.steps) == [20])
  }

  @Test("a late call finds the start at its announced instant")
  mutating func late() throws {
    _ = try room.startCountdown(to: "Go")
    let outputs = advance(100)
    #expect(Self.texts(outputs) == ["3...", "2...", "1...", "🎉 Go"])
    #expect(Self.races(outputs).last?.start == 800_000_004)
  }

  @Test("a second countdown is refused during the first; a cancelled one never starts")
  mutating func cancelled() throws {
    _ = try room.startCountdown(to: "Go")
    _ = advance(2)
    #expect(throws: RoomRefusal.alreadyCounting) { try room.startCountdown(to: "Me too") }
    let outputs = try room.cancelCountdown(by: "Ann")
    #expect(Self.races(outputs).map(\.race) == [.open])
    #expect(Self.texts(outputs) == ["Ann cancelled the start"])
    #expect(advance(60).isEmpty)
    #expect(throws: RoomRefusal.notCounting) { try room.cancelCountdown() }
    _ = try room.startCountdown(to: "Now")
    #expect(RoomRefusal.alreadyCounting.status == 409)
    #expect(throws: RoomRefusal.alreadyCounting) { try room.startCountdown(to: "Me too") }
  }

  @Test("finish and catch are announced once each, with places, and then the end of the race")
  mutating func places() throws {
    for user in ["Ann", "Bob", "Cid"] { _ = try report(user, 0, .notStarted, 0) }
    _ = try room.startCountdown(to: "Go")
    _ = advance(4)
    _ = try report("Ann", 50, .inProgress, 1)
    #expect(
      Self.texts(try report("Bob", 100, .completed, 1)) == ["Bob is first to reach the goal, with 100 steps"])
    #expect(Self.texts(try report("Bob", 100, .completed, 2)).isEmpty)
    #expect(Self.texts(try report("Cid", 1, .caught, 1)) == ["Nessie caught Cid after 1 step"])
    let last = try report("Ann", 101, .completed, 2)
    #expect(
      Self.texts(last) == ["Ann is second to reach the goal, with 101 steps", "the race is over: Bob won"])
    #expect(Self.races(last).map(\.race) == [.finished])
    #expect(room.standings.map(\.user) == ["Bob", "Ann", "Cid"])
    #expect(room.standings.map(\.place) == [1, 2, nil])
  }

  @Test("in the next race everybody may win again, and repeated ends of the last one are ignored")
  mutating func nextRace() throws {
    _ = try report("Ann", 0, .notStarted, 0)
    _ = try room.startCountdown(to: "Go")
    _ = advance(4)
    _ = try report("Ann", 100, .completed, 1)
    _ = try room.startCountdown(to: "Again")
    _ = advance(4)
    #expect(room.race.race == .running)
    #expect(try report("Ann", 100, .completed, 2).count == 1)
    _ = try report("Ann", 0, .inProgress, 0)
    #expect(Self.texts(try report("Ann", 100, .completed, 1)).count == 2)
  }

  @Test("without a race an end is announced without a place")
  mutating func alone() throws {
    _ = try report("Ann", 10, .inProgress, 0)
    #expect(Self.texts(try report("Ann", 100, .completed, 1)) == ["Ann reached the goal with 100 steps"])
  }

  @Test("a late frame is ignored; number 0 starts again")
  mutating func lateFrames() throws {
    _ = try report("Ann", 50, .inProgress, 5)
    #expect(try report("Ann", 40, .inProgress, 4).isEmpty)
    #expect(room.standings.first?.steps == 50)
    #expect(try report("Ann", 0, .notStarted, 0).count == 1)
    #expect(room.standings.first?.steps == 0)
  }

  @Test("a runner who is silent for 300 s is removed, and the race does not wait")
  mutating func silent() throws {
    _ = try room.watch()
    _ = try report("Ann", 0, .notStarted, 0)
    _ = try report("Bob", 0, .notStarted, 0)
    _ = try room.startCountdown(to: "Go")
    _ = advance(200)
    _ = try report("Ann", 100, .completed, 1)
    #expect(room.race.race == .running)
    let outputs = advance(120)
    #expect(Self.texts(outputs) == ["the race is over: Ann won"])
    #expect(room.standings.map(\.user) == ["Ann"])
  }

  @Test("status frames have a separate rate limit")
  mutating func rate() throws {
    for seq in 0..<room.rules.statusRate.burst { _ = try report("Ann", seq, .inProgress, seq) }
    #expect(throws: RoomRefusal.self) { try report("Ann", 99, .inProgress, 99) }
    _ = try room.say("but I can still talk", by: "Ann")
  }

  @Test("clocks are compared by the shortest round trip")
  func clocks() {
    let clock = ServerClock(sent: .seconds(10), received: .milliseconds(10_020), server: .milliseconds(17_013))
    #expect(clock.offset == .milliseconds(7003))
    #expect(clock.uncertainty == .milliseconds(10))
    #expect(clock.localTime(of: .seconds(20)) == .milliseconds(12_997))
  }
}
