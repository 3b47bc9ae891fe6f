import ChaseEngine
import Foundation
import RaceRoom
import ServiceNetwork
import ServiceTransport
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

/// The founding behaviour of the chat, and the additions of the room, with the executable on loopback.
@Suite("rooms over HTTP: the executable", .timeLimit(.minutes(30)), .ownThreads)
final class RoomsOverHTTPTests {
  @Test("the contract, over the network", arguments: RoomContract.allCases)
  func contract(_ contract: RoomContract) async throws {
    let service = try RealService()
    try await contract.check(service.rooms)
  }

  @Test("testModelSay, T1, T13: a message comes back once, with its sender and the service's date")
  func modelSay() async throws {
    let service = try RealService()
    let ann = try service.rooms.client("Ann", room: "main")
    // Dates are sent in whole milliseconds.
    let before = Date().addingTimeInterval(-0.001)
    try await ann.say("Hello!")
    try await ann.say("")
    let messages = try await Listener(ann.chat()).messages(until: "Ann connected")
    #expect(messages.map(\.message) == ["Hello!", "Ann connected"])
    #expect(messages[0].user == "Ann" && messages[0].seq == 1)
    #expect(messages[0].date >= before && messages[0].date <= Date().addingTimeInterval(0.001))
  }

  @Test("testModelCountdown, T4, T5: four texts in order, after a second each")
  func modelCountdown() async throws {
    let service = try RealService()
    let waits = Mutex<[Duration]>([])
    let clock = RoomClock(now: RoomClock.wall.now, sleep: { time in waits.withLock { $0.append(time) } })
    let ann = try RoomClient(at: service.url, "Ann", clock: clock)
    let messages = try await Listener(ann.chat()).messages(until: "🎉 Tada!") { try await ann.countdown(to: "Tada!") }
    #expect(messages.map(\.message) == ["Ann connected", "3...", "2...", "1...", "🎉 Tada!"])
    #expect(waits.withLock { $0 } == Array(repeating: .seconds(1), count: 4))
  }

  @Test("T16: a listener that is cancelled has left, and the others are notified at once")
  func leaving() async throws {
    let service = try RealService()
    let (ann, bob) = (try service.rooms.client("Ann", room: "main"), try service.rooms.client("Bob", room: "main"))
    let visit = Mutex<Task<Void, any Error>?>(nil)
    let messages = try await Listener(ann.chat()).messages(until: "Bob left") {
      visit.withLock { $0 = Task { for try await _ in bob.chat() {} } }
      // He has joined when his message arrives, and then leaves.
      _ = try await Listener(bob.chat()).messages(until: "Bob connected")
      visit.withLock { $0?.cancel() }
    }
    #expect(messages.map(\.message).filter { $0.hasPrefix("Bob") } == ["Bob connected", "Bob left"])
  }

  @Test("a message with control characters, colours and HTML is sent escaped, and shown as text")
  func hostileText() async throws {
    let service = try RealService()
    let ann = try service.rooms.client("Ann", room: "main")
    let text = "\u{1B}[31mred\u{1B}]0;title\u{7} <script>alert(1)</script> \u{202E}back\u{9B}2J\r\nend"
    try await ann.say(text)
    let stream = try await NetworkTransport().open(
      TransportRequest(url: service.url + "/chat/room?user=Bob"), silence: Hang.limit)
    var raw: [UInt8] = []
    for try await chunk in stream.chunks {
      raw += chunk
      if String(decoding: raw, as: UTF8.self).contains("Bob connected") { break }
    }
    #expect(!raw.contains { $0 < 0x20 && $0 != 0x0A })
    #expect(String(decoding: raw, as: UTF8.self).contains(#"\u001b[31mred"#))
    #expect(stream.headers.contains(.init("content-type", "application/x-ndjson")))
    #expect(stream.headers.contains(.init("x-content-type-options", "nosniff")))
    let message = try #require(try await Listener(ann.chat()).messages(until: "Ann connected").first)
    #expect(message.message == text)
    #expect(message.displayText == "?[31mred?]0;title? <script>alert(1)</script> ?back?2J??end")
  }
}

/// Refusals that require a token, or a flood of requests.
@Suite("refusals over HTTP: the executable", .timeLimit(.minutes(30)), .ownThreads)
final class RefusalsOverHTTPTests {
  private static let message = #"{"user":"Ann","message":"hello"}"#
  private static let report = #"{"name":"goalSet","recordedDate":"2026-11-21T14:19:20.123Z","type":"buttonTap"}"#

  @Test("without the token, or from another's page, nothing is posted, counted, shown or reported")
  func token() async throws {
    let service = try RealService(isGuarded: true)
    let requests = [
      ("GET", "/chat/room?user=Ann", ""), ("POST", "/chat/say", Self.message),
      ("POST", "/race/countdown", #"{"text":"Go"}"#), ("DELETE", "/race/countdown", ""),
      ("POST", "/race/location", #"{"user":"Ann","latitude":1,"longitude":1}"#),
      ("POST", "/api/analytics", Self.report), ("GET", "/api/analytics", ""), ("GET", "/race/clock", ""),
    ]
    for (method, path, body) in requests {
      let missing = try await service.ask(method, path, body: body)
      #expect(missing.status == 401 && missing.reason?.contains("token") == true, "\(method) \(path)")
      #expect(missing.header("www-authenticate") == "Bearer")
      for header in [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Host", "evil.example")] {
        // A page with the token may read analytics; other origins cannot read the answer.
        if method == "GET", path == "/api/analytics", header.0 != "Host" { continue }
        let foreign = try await service.ask(method, path, body: body, [header], token: RealService.token)
        #expect(foreign.status == 403, "\(method) \(path) \(header)")
      }
    }
    for path in ["/chat/say", "/api/analytics"] {
      let wrong = try await service.ask("POST", path, body: Self.message, token: "another-token-of-good-length")
      #expect(wrong.status == 401)
    }
    let ann = try RoomClient(at: service.url, "Ann", token: RealService.token)
    let messages = try await Listener(ann.chat()).messages(until: "Ann connected")
    #expect(messages.map(\.message) == ["Ann connected"])
    let reports = try await service.ask("GET", "/api/analytics", token: RealService.token)
    #expect(reports.status == 200 && reports.text == "[]")
  }

  @Test("without a configured token reports can be neither sent nor read")
  func tokenless() async throws {
    let service = try RealService()
    for method in ["GET", "POST"] {
      let answer = try await service.ask(
        method, "/api/analytics", body: method == "POST" ? Self.report : "", token: RealService.token)
      #expect(answer.status == 403 && answer.reason?.contains("--token-file") == true)
    }
  }

  @Test("a flood of messages is a 429 that states when to retry; accepted ones stay")
  func flood() async throws {
    let service = try RealService()
    let request = TransportRequest(
      method: "POST", url: service.url + "/chat/say", headers: [.init("Content-Type", "application/json")],
      body: Array(Self.message.utf8))
    // Five a second are accepted in the long run: enough requests that a slow machine exceeds that, too.
    let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var statuses: [Int] = []
          for _ in 0..<25 {
            let answer = try await NetworkTransport().send(request, timeout: Hang.limit)
            statuses.append(answer.status)
            guard answer.status == 429 else { continue }
            #expect(answer.header("retry-after").flatMap { Int($0) } ?? 0 >= 1 && answer.reason != nil)
          }
          return statuses
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let accepted = statuses.count { $0 == 200 }
    #expect(accepted >= 20 && statuses.contains(429) && statuses.allSatisfy { $0 == 200 || $0 == 429 })
    let bob = try service.rooms.client("Bob", room: "main")
    let messages = try await Listener(bob.chat(since: 0)).messages(until: "Bob connected")
    #expect(messages.count == accepted + 1)
  }

  @Test("bodies that are too long are a 413, and nothing of them is stored", arguments: [17_000, 300_000])
  func longBodies(size: Int) async throws {
    let service = try RealService(isGuarded: true)
    let padding = String(repeating: "x", count: size)
    for (path, body) in [
      ("/chat/say", #"{"user":"Ann","message":"hello","more":"\#(padding)"}"#),
      ("/chat/say", #"{"user":"Ann","message":"\#(padding)"}"#),
      ("/race/countdown", #"{"text":"\#(padding)"}"#),
      ("/api/analytics", Self.report.dropLast() + #","more":"\#(padding)"}"#),
    ] {
      let answer = try await service.ask("POST", path, body: body, token: RealService.token)
      #expect(answer.status == 413 && answer.reason != nil, "\(path)")
    }
    #expect(try await service.ask("GET", "/api/analytics", token: RealService.token).text == "[]")
  }
}

/// Time-dependent behaviour, with a manual clock for the rooms of a real server.
@Suite("rooms over HTTP: a manual clock", .timeLimit(.minutes(30)), .ownThreads)
struct RoomTimeOverHTTPTests {
  private let clock = ManualClock()

  private func serve(
    _ rules: RoomRules = RoomRules(), _ body: @escaping @Sendable (String, ManualClock) async throws -> Void
  ) async throws {
    let rooms = RoomService(rules: rules, clock: .manual(clock), seed: 1)
    let service = try FakeService(groups: [RoomRoutes(rooms: rooms, limits: ServiceLimits())])
    try await service.serve { [clock] port in
      try await body("http://127.0.0.1:\(port)", clock)
      await rooms.close()
    }
  }

  @Test("the room counts down for all, and everybody gets the same instant of the start")
  func countdown() async throws {
    try await serve { url, clock in
      let (ann, bob) = (try RoomClient(at: url, "Ann"), try RoomClient(at: url, "Bob"))
      var texts: [String] = []
      var starts: [Duration?] = []
      for try await event in ann.chat() {
        if case .status = event { starts.append(try await bob.startRace(to: "Go")) }
        guard case .message(let message) = event else { continue }
        texts.append(message.message)
        if message.message == "🎉 Go" { break }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
      }
      #expect(texts == ["Ann connected", "3...", "2...", "1...", "🎉 Go"])
      for client in [ann, bob] {
        for try await event in client.live() {
          guard case .race(let status) = event else { continue }
          #expect(status.race == .running)
          starts.append(status.start.map { .seconds($0) })
          break
        }
      }
      #expect(starts == Array(repeating: .seconds(800_000_004), count: 3))
    }
  }

  @Test("T12: users are active for 300 s after their last activity")
  func presence() async throws {
    try await serve { url, clock in
      let ann = try RoomClient(at: url, "Ann")
      try await ann.say("x")
      func here() async throws -> Int? {
        for try await event in try RoomClient(at: url, "Bob").chat() {
          if case .status(let status) = event { return status.activeUsers }
        }
        return nil
      }
      clock.advance(by: .milliseconds(299_999))
      #expect(try await here() == 2)
      clock.advance(by: .milliseconds(1))
      #expect(try await here() == 1)
    }
  }

  @Test("T17: a bot answers after five seconds without an answer, and may echo")
  func bot() async throws {
    var rules = RoomRules()
    rules.bot = RoomBot(lines: [.echo])
    try await serve(rules) { url, clock in
      let ann = try RoomClient(at: url, "Ann")
      var heard: [String] = []
      for try await event in ann.chat() {
        if case .status = event { try await ann.say("anybody?") }
        guard case .message(let message) = event else { continue }
        heard.append("\(message.user ?? "*"): \(message.message)")
        if message.user == "Ann" {
          await clock.waitForSleepers()
          clock.advance(by: .seconds(5))
        }
        if heard.count == 3 { break }
      }
      #expect(heard == ["*: Ann connected", "Ann: anybody?", "Loch: anybody?"])
    }
  }
}
