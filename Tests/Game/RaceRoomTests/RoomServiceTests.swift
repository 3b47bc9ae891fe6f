import ChaseEngine
import FoundationEssentials
import ServiceTransport
import TestSupport
import Testing

@testable import RaceRoom

@Suite("RoomService: the contract of every service with rooms", .timeLimit(.minutes(30)))
struct RoomContractTests {
  @Test("the contract, inside the process", arguments: RoomContract.allCases)
  func inside(_ contract: RoomContract) async throws {
    try await contract.check(RoomServiceInside())
  }
}

@Suite("RoomService: timing and delivery", .timeLimit(.minutes(30)))
struct RoomServiceTests {
  private let clock = ManualClock()

  private func service(_ change: (inout RoomRules) -> Void = { _ in }) -> RoomService {
    var rules = RoomRules()
    change(&rules)
    return RoomService(rules: rules, clock: .manual(clock), seed: 1)
  }

  private static func room(of service: RoomService) async -> Room? {
    let rooms = await service.rooms
    return rooms.names.first.flatMap { rooms[$0] }
  }

  private static func lines(_ answer: RoomAnswer) throws -> RoomLines.Iterator {
    guard case .lines(let lines) = answer.body else { throw Unexpected() }
    return lines.makeAsyncIterator()
  }

  private static func text(_ answer: RoomAnswer) -> String {
    guard case .json(let bytes) = answer.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func message(_ line: [UInt8]?) throws -> String {
    try JSONDecoder().decode(Message.self, from: Data(try #require(line))).message
  }

  private func say(_ text: String, _ service: RoomService, user: String = "Bob") async -> RoomAnswer {
    await service.say(body: Array(#"{"user":"\#(user)","message":"\#(text)"}"#.utf8))
  }

  @Test("T13: the date is the server's, whatever was sent; the answer has number and time")
  func date() async throws {
    let service = service()
    let body = #"{"id":"00000000-0000-4000-8000-000000000001","user":"Ann","message":"x","date":-978307200}"#
    let answer = await service.say(body: Array(body.utf8))
    #expect(answer.status == 200)
    #expect(Self.text(answer) == #"{"seq":1,"time":800000000}"#)
    var lines = try Self.lines(await service.join(user: "Bob"))
    let status = String(decoding: try #require(await lines.next()), as: UTF8.self)
    #expect(status.hasPrefix(#"{"activeUsers":2,"seq":1,"session":""#))
    #expect(status.hasSuffix("\n"))
    let line = String(decoding: try #require(await lines.next()), as: UTF8.self)
    #expect(
      line
        == #"{"date":800000000,"id":"00000000-0000-4000-8000-000000000001","message":"x","seq":1,"user":"Ann"}"# + "\n")
  }

  @Test("the countdown follows the clock, and everybody gets the same instant of the start")
  func countdown() async throws {
    let service = service()
    var chat = try Self.lines(await service.join(user: "Ann"))
    var first = try Self.lines(await service.live())
    var second = try Self.lines(await service.live())
    _ = await (chat.next(), chat.next(), first.next(), second.next())
    let answer = await service.countdown(body: Array(#"{"text":"Go"}"#.utf8))
    #expect(Self.text(answer) == #"{"start":800000004,"time":800000000}"#)
    #expect(await service.countdown(body: Array(#"{"text":"Go"}"#.utf8)).status == 409)
    for expected in ["3...", "2...", "1...", "🎉 Go"] {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      #expect(try Self.message(await chat.next()) == expected)
    }
    for phase in ["counting", "running"] {
      // Both are notified; if only the newest line is kept, the first may have been replaced.
      let lines = await [first.next(), second.next()].compactMap { $0.map { String(decoding: $0, as: UTF8.self) } }
      #expect(lines.count == 2)
      #expect(Set(lines).count == 1)
      #expect(lines[0].contains(#""start":800000004"#))
      if lines[0].contains("running") { break }
      #expect(lines[0].contains(phase))
    }
  }

  @Test("T16: the stream of a reader that disconnects is freed, and the leaving announced")
  func disconnect() async throws {
    let service = service()
    var ann = try Self.lines(await service.join(user: "Ann"))
    do {
      var bob = try Self.lines(await service.join(user: "Bob"))
      _ = await bob.next()
    }
    _ = await ann.next()
    #expect(try Self.message(await ann.next()) == "Ann connected")
    #expect(try Self.message(await ann.next()) == "Bob connected")
    #expect(try Self.message(await ann.next()) == "Bob left")
    #expect(await Self.room(of: service)?.members == 1)
  }

  @Test("T16: the same for a reader that is cancelled while waiting")
  func cancelled() async throws {
    let service = service()
    var ann = try Self.lines(await service.join(user: "Ann"))
    let answer = await service.join(user: "Bob")
    let reading = Task {
      var bob = try Self.lines(answer)
      while await bob.next() != nil {}
    }
    _ = await (ann.next(), ann.next(), ann.next())
    reading.cancel()
    try await reading.value
    // The answer still holds the stream, as a server might; cancelling is sufficient.
    #expect(try Self.message(await ann.next()) == "Bob left")
    _ = answer.status
  }

  @Test("a reader too far behind gets the queued lines, and then the end; with since it gets the rest")
  func behind() async throws {
    let service = service {
      $0.backlog = 10
      $0.messageRate = .init(burst: 100, perSecond: 1)
    }
    var slow = try Self.lines(await service.join(user: "Ann"))
    for number in 1...30 { _ = await say("\(number)", service) }
    var seen: [Message] = []
    while let line = await slow.next() {
      if let message = try? JSONDecoder().decode(Message.self, from: Data(line)) { seen.append(message) }
    }
    #expect(seen.count == 10)
    #expect(await Self.room(of: service)?.members == 0)
    let last = try #require(seen.last?.seq)
    var again = try Self.lines(await service.join(user: "Ann", since: "\(last)"))
    _ = await again.next()
    while seen.last?.message != "30" {
      let line = try #require(await again.next())
      seen.append(try JSONDecoder().decode(Message.self, from: Data(line)))
    }
    #expect(seen.filter { $0.user == "Bob" }.map(\.message) == (1...30).map(String.init))
    #expect(seen.compactMap(\.seq) == Array(1...(seen.last?.seq ?? 0)))
  }

  @Test("a slow reader of the standings gets only the latest of each runner")
  func newestOnly() async throws {
    let service = service {
      $0.statusRate = .init(burst: 1000, perSecond: 1)
      $0.roomRate = .init(burst: 1000, perSecond: 1)
    }
    var slow = try Self.lines(await service.live())
    for steps in 1...500 {
      for user in ["Ann", "Bob"] {
        let frame = RunnerFrame(user: user, frame: .walk(steps: steps, goal: 1000), seq: steps)
        let answer = await service.status(body: Array(try JSONEncoder().encode(frame)))
        #expect(answer.status == 200)
      }
    }
    _ = await slow.next()
    let lines = await [slow.next(), slow.next()].compactMap(\.self)
    let frames = try lines.map { try JSONDecoder().decode(RunnerFrame.self, from: Data($0)) }
    #expect(frames.map(\.user) == ["Ann", "Bob"])
    #expect(frames.map(\.steps) == [500, 500])
  }

  @Test("a heartbeat is sent every 15 s to readers without other lines")
  func heartbeat() async throws {
    let service = service()
    var chat = try Self.lines(await service.join(user: "Ann"))
    _ = await (chat.next(), chat.next())
    await clock.waitForSleepers()
    clock.advance(by: .seconds(15))
    #expect(String(decoding: try #require(await chat.next()), as: UTF8.self) == "{\"heartbeat\":800000015}\n")
  }

  @Test("T17: the bot's time is the service's")
  func bot() async throws {
    let service = service { $0.bot = RoomBot(lines: [.echo]) }
    var chat = try Self.lines(await service.join(user: "Ann"))
    _ = await (chat.next(), chat.next())
    _ = await say("hello", service)
    #expect(try Self.message(await chat.next()) == "hello")
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(try Self.message(await chat.next()) == "hello")
  }

  @Test("refusals are JSON with a sentence, and a rate limit states when to retry")
  func refusals() async throws {
    let service = service { $0.messageRate = .init(burst: 1, perSecond: 0.1) }
    let bad = await service.say(body: Array("nonsense".utf8))
    #expect(bad.status == 400)
    #expect(Self.text(bad).hasPrefix(#"{"error":true,"reason":"the body cannot be read; send JSON"#))
    _ = await say("one", service)
    let fast = await say("two", service)
    #expect(fast.status == 429)
    #expect(fast.headers.first { $0.name == "Retry-After" }?.value == "10")
    #expect(await service.join(user: nil).status == 400)
    #expect(await service.join(user: "Ann", since: "-1").status == 400)
    #expect(await service.join(user: "Ann", since: "x").status == 400)
    #expect(await service.say(body: [UInt8](repeating: 32, count: 20_000)).status == 413)
    #expect(await service.answer(RoomRequest(method: "PUT", target: "/chat/say")).status == 404)
  }

  @Test("the founding client's bare name is accepted")
  func bareName() async throws {
    var lines = try Self.lines(await service().answer(RoomRequest(method: "GET", target: "/chat/room?Ann%20Lee")))
    _ = await lines.next()
    #expect(try Self.message(await lines.next()) == "Ann Lee connected")
    for target in ["/chat/room?name=Ann", "/chat/room?Ann&since=1", "/chat/room?Ann&Bob"] {
      #expect(await service().answer(RoomRequest(method: "GET", target: target)).status == 400)
    }
  }

  @Test("a service that is released stops waiting for its next event")
  func released() async {
    var service: RoomService? = service()
    _ = await service?.countdown(body: Array(#"{"text":"Go","user":"Ann"}"#.utf8))
    await clock.waitForSleepers()
    service = nil
    await clock.waitUntilIdle()
  }

  @Test("a service that closes ends its streams and refuses later requests")
  func close() async throws {
    let service = service()
    var chat = try Self.lines(await service.join(user: "Ann"))
    _ = await (chat.next(), chat.next())
    await service.close()
    #expect(await chat.next() == nil)
    #expect(await service.join(user: "Ann").status == 503)
  }

  private struct Unexpected: Error {}
}
