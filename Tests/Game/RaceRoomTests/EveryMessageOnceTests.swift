import ServiceTransport
import Synchronization
import TestSupport
import Testing

@testable import RaceRoom

@Suite("Cuts and reconnections", .timeLimit(.minutes(30)))
struct EveryMessageOnceTests {
  /// Reproducible random decisions.
  private final class Chance: Sendable {
    private let state: Mutex<UInt64>
    init(_ seed: UInt64) { state = Mutex(seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }
    func next(below bound: Int) -> Int {
      state.withLock {
        $0 = $0 &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(($0 >> 33) % UInt64(bound))
      }
    }
  }

  @Test("20 clients, disconnected at random within lines and characters, get every message once and in order")
  func property() async throws {
    var rules = RoomRules()
    rules.messageRate = .init(burst: 10_000, perSecond: 1)
    rules.roomRate = .init(burst: 100_000, perSecond: 1)
    rules.keptMessages = 100_000
    rules.backlog = 30
    let chance = Chance(42)
    let cuts = Mutex(0)
    var inside = RoomServiceInside(rules: rules)
    inside.cut = { line in
      // If the service cannot be reached the first time, that is an error, so the status is never cut.
      let isStatus = line.starts(with: #"{"activeUsers""#.utf8)
      // Each cut makes the room announce that a user left and joined: without a limit, these messages would multiply.
      let isCut =
        !isStatus && chance.next(below: 12) == 0
        && cuts.withLock { count in
          count += 1
          return count <= 150
        }
      if isCut { return nil }
      let at = chance.next(below: line.count)
      return [Array(line[..<at]), Array(line[at...])].filter { !$0.isEmpty }
    }
    let service = inside
    let names = (1...20).map { "Läufer \($0) 👟" }
    let seen = try await withThrowingTaskGroup(of: [Message].self) { group in
      for name in names {
        let client = try RoomClient(url: service.url, username: name, transport: service, clock: .instant)
        group.addTask {
          var messages: [Message] = []
          for try await event in client.chat(since: 0) {
            guard case .message(let message) = event else { continue }
            messages.append(message)
            if message.message == "the end" { break }
          }
          return messages
        }
      }
      group.addTask {
        for number in 1...20 {
          for name in names {
            let client = try RoomClient(url: service.url, username: name, transport: service, clock: .instant)
            try await client.say("\(number) from \(name)")
          }
          await Task.yield()
        }
        try await RoomClient(url: service.url, username: "Judge", transport: service).say("the end")
        return []
      }
      return try await group.reduce(into: [[Message]]()) { if !$1.isEmpty { $0.append($1) } }
    }
    #expect(cuts.withLock { $0 } > 100)
    #expect(seen.count == 20)
    let said = (1...20).flatMap { number in names.map { "\(number) from \($0)" } }
    for messages in seen {
      #expect(messages.compactMap(\.seq) == Array(1...messages.count))
      #expect(messages == seen[0])
      #expect(messages.filter { $0.user != nil }.map(\.message) == said + ["the end"])
    }
  }
}
