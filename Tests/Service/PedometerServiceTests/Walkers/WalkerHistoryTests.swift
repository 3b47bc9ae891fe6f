import Foundation
import HTTPTypes
import History
import Recordings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceWalkers

@Suite("The histories of walkers", .timeLimit(.minutes(30)), .ownThreads)
struct WalkerHistoryTests {
  @Test("steps survive a restart, and a period that is sent again counts once")
  func restart() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/state"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try WalkerService(folder: path)
    let (_, ann) = try first.book.add("Ann", team: nil)
    #expect(try await first.send(1200, as: ann).status == .ok)
    try await first.stop()
    let second = try WalkerService(folder: path)
    #expect(try WalkedDay.of(try await second.ask(.get, "/api/today", as: ann)) == 1200)
    #expect(try await second.send(1200, as: ann).text.contains(#""accepted":0"#))
    #expect(try WalkedDay.of(try await second.ask(.get, "/api/today", as: ann)) == 1200)
    try await second.stop()
  }

  @Test("two devices of one walker do not double the walk, and two walkers may use the same name for theirs")
  func devices() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      let (_, ben) = try walkers.book.add("Ben", team: nil)
      for source in ["watch", "phone"] { _ = try await walkers.send(1200, as: ann, source: source) }
      _ = try await walkers.send(700, as: ben, source: "watch")
      #expect(try WalkedDay.of(try await walkers.ask(.get, "/api/today", as: ann)) == 1200)
      #expect(try WalkedDay.of(try await walkers.ask(.get, "/api/today", as: ben)) == 700)
    }
  }

  @Test("a damaged list of walkers is a reason why the service is degraded")
  func damagedList() throws {
    let folder = try TemporaryDirectory()
    let service = try WalkerService(folder: folder.path)
    #expect(service.homes.failure == nil)
    try folder.write(Array("[{".utf8), to: "walkers.json")
    #expect(service.homes.failure?.contains("walkers.json") == true)
  }

  @Test("a walker may use a few devices, and another walker is not limited by them")
  func limit() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      let (_, ben) = try walkers.book.add("Ben", team: nil)
      for number in 0..<WalkerHomes.mostClients {
        #expect(try await walkers.send(1, as: ann, source: "s\(number)").status == .ok)
      }
      #expect(try await walkers.send(1, as: ann, source: "one-more").status.code == 429)
      #expect(try await walkers.send(1, as: ben, source: "one-more").status == .ok)
    }
  }

  @Test("the samples of a walker's phone are counted for the walker")
  func samples() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/state"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let walkers = try WalkerService(folder: path)
    let (_, ann) = try walkers.book.add("Ann", team: nil)
    let samples = try SyntheticWalk.brisk(seconds: 30).samples()
    let lines: [String] = samples.map { sample in
      let a = sample.acceleration
      return "{\"t\":\(Double(sample.nanoseconds) / 1e9),\"x\":\(a.x),\"y\":\(a.y),\"z\":\(a.z)}\n"
    }
    let answer = try await walkers.ask(.post, "/api/samples?source=phone&seq=1", as: ann, body: lines.joined())
    #expect(answer.status == .ok && answer.text.contains(#""source":"client:phone""#), "\(answer.text)")
    // At its end, the service counts what it has received.
    try await walkers.stop()
    let ended = try WalkerService(folder: path)
    #expect((45...65).contains(try WalkedDay.of(try await ended.ask(.get, "/api/today", as: ann))))
    try await ended.stop()
  }

  @Test("a board shows the steps of the histories, and those that arrive late on their own day")
  func board() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      let (_, ben) = try walkers.book.add("Ben", team: nil)
      var plan = ChallengePlan(name: "")
      (plan.name, plan.from, plan.days, plan.walkers) = ("November", "2026-11-21", 3, ["Ann", "Ben"])
      (plan.show, plan.goal) = ("days", 1000)
      let id = try walkers.registry.add(plan).id
      _ = try await walkers.send(900, as: ann, on: "2026-11-22", source: "phone")
      _ = try await walkers.send(300, as: ann, on: "2026-11-23")
      _ = try await walkers.send(500, as: ben, on: "2026-11-21")
      _ = try await walkers.send(800, as: ben, on: "2026-11-20", source: "other")
      let text = try await walkers.ask(.get, "/api/challenge?id=\(id)", as: ben).text
      #expect(
        text.contains(#"{"rank":1,"name":"Ann","steps":1200,"days":[0,900,300],"reached":true,"you":false}"#), "\(text)"
      )
      #expect(
        text.contains(#"{"rank":2,"name":"Ben","steps":500,"days":[500,0,0],"reached":false,"you":true}"#), "\(text)")
      #expect(text.contains(#""rank":3,"name":"Owner","steps":0"#), "\(text)")
    }
  }

  @Test("the service closes periods by itself, 24 hours after their end, and the histories of removed walkers")
  func keeper() async throws {
    try await withWalkers { walkers in
      let (walker, ann) = try walkers.book.add("Ann", team: nil)
      var plan = ChallengePlan(name: "")
      (plan.name, plan.from, plan.days, plan.walkers) = ("Sunday", "2026-11-22", 1, ["Ann"])
      let id = try walkers.registry.add(plan).id
      #expect(try await walkers.send(900, as: ann, on: "2026-11-22").status == .ok)
      // Only the keeper sleeps on this clock.
      let minutes = ManualClock()
      let keeper = ServiceWork.challenges(
        walkers.registry, walkers.homes, clock: .manual(minutes), logger: .silent)
      let running = Task { try await keeper.run() }
      await minutes.waitForSleepers()
      #expect(try walkers.registry.challenges.challenge(id).results.isEmpty)
      // Midnight after Monday.
      walkers.clock.advance(by: .seconds(12 * 3600))
      minutes.advance(by: .seconds(60))
      await minutes.waitForSleepers()
      let results = try walkers.registry.challenges.challenge(id).results
      #expect(results.map { $0.scores.map(\.steps) } == [[0, 900]])
      try walkers.book.remove("Ann", keepingHistory: true)
      minutes.advance(by: .seconds(60))
      await minutes.waitForSleepers()
      // Another writer can open it.
      let folder = HistoryFolder(path: walkers.book.folder(of: walker.id))
      try HistoryWriter(folder: folder, application: "test").close()
      running.cancel()
      try await running.value
    }
  }

  @Test("a walker joins and leaves over HTTP; a wrong code, or a foreign challenge, does not exist")
  func joining() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      let made = try await walkers.ask(
        .post, "/api/challenges", as: FakeService.secret, body: #"{"name":"November","every":"week","teams":true}"#)
      #expect(made.status == .ok, "\(made.text)")
      let challenge = try #require(try walkers.registry.challenges.all().first)
      let (code, id) = (#"{"code":"\#(challenge.code)"}"#, #"{"id":"\#(challenge.id)"}"#)
      for path in ["invitation", "join"] {
        let wrong = try await walkers.ask(.post, "/api/challenge/\(path)", as: ann, body: #"{"code":"x"}"#)
        #expect(wrong.status == .notFound)
      }
      #expect(try await walkers.ask(.post, "/api/challenge/leave", as: ann, body: id).status == .notFound)
      let invitation = try await walkers.ask(.post, "/api/challenge/invitation", as: ann, body: code).text
      #expect(invitation.contains(#""name":"November""#) && invitation.contains(#""takesPart":false"#))
      #expect(!invitation.contains("board") && !invitation.contains("Owner"))
      #expect(try await walkers.ask(.get, "/api/challenges", as: ann).text == "[]")
      #expect(try await walkers.ask(.post, "/api/challenge/join", as: ann, body: code).status == .ok)
      #expect(try await walkers.ask(.get, "/api/challenges", as: ann).text.contains(challenge.id))
      #expect(try await walkers.ask(.post, "/api/challenge/leave", as: ann, body: id).status == .noContent)
      #expect(try await walkers.ask(.get, "/api/challenge?id=\(challenge.id)", as: ann).status == .notFound)
      let impossible = try await walkers.ask(
        .post, "/api/challenges", as: FakeService.secret, body: #"{"name":"x","days":0}"#)
      #expect(impossible.status == .badRequest && impossible.reason?.contains("1 to 366") == true)
      #expect(try await walkers.ask(.get, "/api/challenge", as: ann).status == .badRequest)
    }
  }

  @Test("the history of a removed walker is closed, and nothing is written to it any more")
  func removal() async throws {
    try await withWalkers { walkers in
      let (walker, ann) = try walkers.book.add("Ann", team: nil)
      _ = try await walkers.send(1200, as: ann)
      try walkers.book.remove("Ann", keepingHistory: true)
      try await walkers.homes.closeFormer()
      // Another writer can open it.
      let writer = try HistoryWriter(
        folder: HistoryFolder(path: walkers.book.folder(of: walker.id)), application: "test")
      writer.close()
      await #expect(throws: ServiceRefusal.self) { try await walkers.homes.home(of: walker) }
      let (_, second) = try walkers.book.renewToken(of: "Ann")
      #expect(try WalkedDay.of(try await walkers.ask(.get, "/api/today", as: second)) == 1200)
    }
  }
}
