import Foundation
import Glibc
import History
import Platform
import ServiceCore
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceWalkers

@Suite("Challenges", .timeLimit(.minutes(30)))
final class ChallengeRegistryTests {
  private let folder: TemporaryDirectory
  private let steps = ListedSteps()
  private let book: WalkerBook
  private let registry: ChallengeRegistry
  private let calendar = DayCalendar(timeZone: TimeZone(identifier: "Europe/Vienna")!)
  private var state: String { folder.path + "/state" }

  init() throws {
    folder = try TemporaryDirectory()
    let (book, calendar) = (WalkerBook(folder: folder.path + "/state"), calendar)
    self.book = book
    let clock = Clock()
    self.clock = clock
    registry = ChallengeRegistry(
      challenges: ChallengeBook(folder: folder.path + "/state"), walkers: book, histories: steps,
      calendar: { calendar }, now: { clock.now })
    set("2026-11-23T12:00")
  }

  deinit { try? FileManager.default.removeItem(atPath: state) }

  private final class Clock: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 0))
    var now: Date {
      get { date.withLock { $0 } }
      set { date.withLock { $0 = newValue } }
    }
  }
  private let clock: Clock

  private func moment(_ text: String) -> Date { calendar.reading(text)!.start }
  private func set(_ text: String) { clock.now = moment(text) }

  private func walk(_ walker: Walker, _ count: Int, at text: String) {
    steps.walk(walker.id, count, at: moment(text))
  }

  /// Walkers with teams after a colon.
  private func add(_ names: String...) throws -> [Walker] {
    try names.map { text in
      let parts = text.split(separator: ":").map(String.init)
      return try book.add(parts[0], team: parts.count > 1 ? parts[1] : nil).walker
    }
  }

  private func plan(_ change: (inout ChallengePlan) -> Void) -> ChallengePlan {
    var plan = ChallengePlan(name: "")
    plan.name = "November"
    plan.owner = false
    change(&plan)
    return plan
  }

  private func ranks(_ board: LeaderBoard) -> [String] {
    board.rows.map { "\($0.rank) \($0.score.name) \($0.score.steps)" }
  }

  @Test("ranks rise as steps fall, and equal steps share a rank")
  func ties() throws {
    let all = try add("Ann", "Ben", "Cid", "Dot", "Eve")
    let challenge = try registry.add(plan { ($0.days, $0.walkers) = (7, all.map(\.name)) })
    for (walker, count) in zip(all, [500, 900, 500, 900, 10]) { walk(walker, count, at: "2026-11-23T08:00") }
    let board = try registry.board(challenge.id, for: all[0].id)
    #expect(ranks(board.board) == ["1 Ben 900", "1 Dot 900", "3 Ann 500", "3 Cid 500", "5 Eve 10"])
    #expect(board.board.winners.map(\.name) == ["Ben", "Dot"] && board.phase == .running && board.daysLeft == 7)
  }

  @Test("teams are ranked by steps per member, so a small team may win")
  func teams() throws {
    let all = try add("Ann:Red", "Ben:Red", "Cid:Red", "Dot:Blue", "Eve")
    let challenge = try registry.add(plan { ($0.days, $0.walkers, $0.teams) = (7, all.map(\.name), true) })
    for (walker, count) in zip(all, [500, 400, 301, 450, 9000]) { walk(walker, count, at: "2026-11-23T08:00") }
    let board = try registry.board(challenge.id, for: Walker.ownerID).board
    #expect(
      board.teams.map { "\($0.rank) \($0.name) \($0.average) \($0.steps) \($0.members)" } == [
        "1 Blue 450 450 1", "2 Red 400 1201 3",
      ])
    #expect(board.winningTeams.map(\.name) == ["Blue"])
    let without = try registry.add(plan { ($0.name, $0.days, $0.walkers) = ("Alone", 7, all.map(\.name)) })
    #expect(try registry.board(without.id, for: Walker.ownerID).board.teams.isEmpty)
  }

  @Test("nobody wins without a step")
  func noSteps() throws {
    let all = try add("Ann:Red", "Ben:Red")
    let challenge = try registry.add(plan { ($0.days, $0.walkers, $0.teams) = (1, all.map(\.name), true) })
    let board = try registry.board(challenge.id, for: all[0].id).board
    #expect(board.winners.isEmpty && board.winningTeams.isEmpty && board.rows.map(\.rank) == [1, 1])
  }

  @Test("days are those of the service's time zone, and the week in which clocks change has all its hours")
  func clockChange() throws {
    let ann = try add("Ann")[0]
    // The 25th of October 2026 has 25 hours in Vienna.
    let challenge = try registry.add(
      plan { ($0.from, $0.days, $0.walkers, $0.show) = ("2026-10-19", 7, ["Ann"], "days") })
    let edges = challenge.period(on: CivilDay("2026-10-19")!).edges(calendar)
    #expect(edges.count == 8 && edges[7].timeIntervalSince(edges[0]) == 7 * 86_400 + 3600)
    let iso = { (text: String) in try! Date(text, strategy: .iso8601) }
    steps.walk(ann.id, 1, at: iso("2026-10-18T21:59:59Z"))
    steps.walk(ann.id, 2, at: iso("2026-10-18T22:00:00Z"))
    steps.walk(ann.id, 4, at: iso("2026-10-24T21:59:59Z"))
    steps.walk(ann.id, 8, at: iso("2026-10-24T22:00:00Z"))
    steps.walk(ann.id, 16, at: iso("2026-10-25T22:59:59Z"))
    steps.walk(ann.id, 32, at: iso("2026-10-25T23:00:00Z"))
    set("2026-10-25T23:30")
    let board = try registry.board(challenge.id, for: ann.id)
    #expect(board.board.rows[0].score.days == [2, 0, 0, 0, 0, 4, 24])
    #expect(board.phase == .running && board.daysLeft == 1)
    set("2026-10-26T00:00")
    #expect(try registry.board(challenge.id, for: ann.id).phase == .settling)
  }

  @Test("steps that arrive late count on their own day for 24 hours after the end, and not later")
  func late() throws {
    let all = try add("Ann", "Ben")
    let challenge = try registry.add(
      plan { ($0.from, $0.to, $0.walkers, $0.show) = ("2026-11-20", "2026-11-22", ["Ann", "Ben"], "days") })
    set("2026-11-23T23:59")
    walk(all[0], 100, at: "2026-11-21T10:00")
    try registry.closePeriods()
    var board = try registry.board(challenge.id, for: all[1].id)
    #expect(board.phase == .settling && board.board.rows[0].score.days == [0, 100, 0])
    walk(all[1], 150, at: "2026-11-22T10:00")
    set("2026-11-24T00:00")
    try registry.closePeriods()
    walk(all[0], 1000, at: "2026-11-21T11:00")
    try registry.closePeriods()
    board = try registry.board(challenge.id, for: all[1].id)
    #expect(board.phase == .closed && ranks(board.board) == ["1 Ben 150", "2 Ann 100"] && board.daysLeft == 0)
    #expect(board.board.rows[0].score.days == [0, 0, 150])
  }

  @Test("every week begins anew, and former weeks show their winners")
  func weeks() throws {
    let all = try add("Ann", "Ben")
    let challenge = try registry.add(
      plan { ($0.from, $0.every, $0.walkers) = ("2026-11-04", "week", ["Ann", "Ben"]) })
    walk(all[0], 70, at: "2026-11-05T10:00")
    walk(all[1], 80, at: "2026-11-11T10:00")
    walk(all[1], 90, at: "2026-11-18T10:00")
    set("2026-11-18T12:00")
    try registry.closePeriods()
    let board = try registry.board(challenge.id, for: all[0].id)
    #expect(board.period.first.text == "2026-11-18" && board.period.last.text == "2026-11-24")
    #expect(ranks(board.board) == ["1 Ben 90", "2 Ann 0"])
    #expect(board.past.map { $0.period.first.text } == ["2026-11-11", "2026-11-04"])
    #expect(board.past.map { $0.board.winners.map(\.name) } == [["Ben"], ["Ann"]])
    // The week that ended twelve hours ago still changes.
    #expect(board.past.map(\.isFinal) == [false, true])
    // A closed result does not change any more; what is not shown is not kept.
    walk(all[1], 500, at: "2026-11-05T10:00")
    let stored = try registry.challenges.challenge(challenge.id).results
    #expect(stored.map(\.index) == [0] && stored[0].scores.map(\.days) == [[70], [0]])
    #expect(try registry.board(challenge.id, for: all[0].id).past[1].board.winners.map(\.name) == ["Ann"])
  }

  @Test("each day begins anew until the last day, and a limited number of results is kept")
  func daily() throws {
    let ann = try add("Ann")[0]
    let challenge = try registry.add(
      plan { ($0.from, $0.to, $0.every, $0.walkers) = ("2026-09-01", "2026-11-20", "day", ["Ann"]) })
    set("2026-12-24T12:00")
    try registry.closePeriods()
    let board = try registry.board(challenge.id, for: ann.id)
    #expect(board.phase == .closed && board.period.first.text == "2026-11-20")
    let results = try registry.challenges.challenge(challenge.id).results
    #expect(results.count == 30 && results.last?.index == 80)
    try registry.closePeriods()
    #expect(try registry.challenges.challenge(challenge.id).results == results)
  }

  @Test("a period is not closed while a history cannot be read")
  func unreadable() throws {
    let all = try add("Ann", "Ben")
    let challenge = try registry.add(
      plan { ($0.from, $0.to, $0.walkers) = ("2026-11-20", "2026-11-20", ["Ann", "Ben"]) })
    steps.setBroken([all[1].id])
    #expect(throws: ListedSteps.Broken.self) { try registry.closePeriods() }
    #expect(try registry.challenges.challenge(challenge.id).results.isEmpty)
    steps.setBroken([])
    try registry.closePeriods()
    #expect(try registry.challenges.challenge(challenge.id).results.count == 1)
  }

  @Test("results and participants survive a restart")
  func restart() throws {
    let ann = try add("Ann")[0]
    let challenge = try registry.add(plan { ($0.from, $0.to, $0.walkers) = ("2026-11-20", "2026-11-20", ["Ann"]) })
    walk(ann, 10, at: "2026-11-20T10:00")
    try registry.closePeriods()
    let after = try ChallengeBook(folder: state).challenge(challenge.id)
    #expect(after == (try registry.challenges.challenge(challenge.id)))
    #expect(after.results.map { $0.scores.map(\.steps) } == [[10]] && after.members.map(\.id) == [ann.id])
  }

  @Test("a walker joins by the invitation, sees the board, and leaves again")
  func joining() throws {
    let all = try add("Ann", "Ben")
    let challenge = try registry.add(plan { ($0.days, $0.walkers) = (7, ["Ann"]) })
    #expect(throws: PeopleError.noChallenge) { try registry.board(challenge.id, for: all[1].id) }
    #expect(throws: PeopleError.noChallenge) { try registry.join(challenge.id, walker: all[1].id) }
    for code in ["", String(challenge.code.dropLast()), challenge.code + "0"] {
      #expect(throws: PeopleError.noChallenge) { try registry.invitation(code) }
    }
    _ = try registry.join(challenge.code, walker: all[1].id)
    _ = try registry.join(challenge.code, walker: all[1].id)
    #expect(try registry.board(challenge.id, for: all[1].id).board.rows.count == 2)
    try registry.leave(challenge.id, walker: all[1].id)
    #expect(try registry.list(for: all[1].id).isEmpty && registry.list(for: all[0].id).count == 1)
    #expect(throws: PeopleError.noChallenge) { try registry.leave(challenge.id, walker: all[1].id) }
    #expect(try registry.board(challenge.id, for: all[0].id).board.rows.count == 1)
  }

  @Test("who joins in the second week is not in the results of the first")
  func joiningLater() throws {
    let all = try add("Ann", "Ben")
    let challenge = try registry.add(plan { ($0.from, $0.every, $0.walkers) = ("2026-11-16", "week", ["Ann"]) })
    walk(all[1], 9000, at: "2026-11-17T10:00")
    walk(all[0], 1, at: "2026-11-17T10:00")
    _ = try registry.join(challenge.code, walker: all[1].id)
    #expect(try registry.board(challenge.id, for: all[0].id).past[0].board.winners.map(\.name) == ["Ann"])
  }

  @Test("the owner adds and removes participants after the beginning, all of them or none")
  func participants() throws {
    let all = try add("Ann", "Ben", "Cid")
    let id = try registry.add(plan { ($0.every, $0.walkers) = ("week", ["Ann", "Ben"]) }).id
    for walker in all { walk(walker, 100, at: "2026-11-23T08:00") }
    set("2026-12-01T12:00")
    for walker in all { walk(walker, 10, at: "2026-11-30T08:00") }
    _ = try registry.change(id, adding: ["cid", "Ann"], removing: ["Ben"])
    let board = try registry.board(id, for: all[2].id)
    // The week has begun before, and counts from its beginning; the former one had other participants.
    #expect(ranks(board.board) == ["1 Ann 10", "1 Cid 10"] && board.past.map { ranks($0.board) } == [["1 Ann 100"]])
    #expect(throws: PeopleError(.noInput, "no walker named 'Ben' takes part in November")) {
      try registry.change(id, adding: ["Owner"], removing: ["Ann", "Ben"])
    }
    #expect(throws: PeopleError.noWalker("Dot")) { try registry.change(id, adding: ["Ben", "Dot"], removing: []) }
    #expect(ranks(try registry.board(id, for: all[2].id).board) == ranks(board.board))
    #expect(throws: PeopleError.noChallenge) { try registry.board(id, for: all[1].id) }
  }

  @Test("who was removed by the owner cannot return by the link that they know, and the owner can replace a link")
  func oldLink() throws {
    let all = try add("Ann", "Ben", "Cid")
    let former = try registry.add(plan { ($0.every, $0.walkers) = ("week", ["Ann", "Ben"]) })
    let present = try registry.change(former.id, adding: [], removing: ["Ben"])
    #expect(throws: PeopleError.noChallenge) { try registry.join(former.code, walker: all[1].id) }
    #expect(throws: PeopleError.noChallenge) { try registry.invitation(former.code) }
    _ = try registry.join(present.code, walker: all[2].id)
    #expect(try registry.change(former.id, adding: ["Ben"], removing: []).code == present.code)
    #expect(try registry.change(former.id, adding: [], removing: [], renewing: true).code != present.code)
    #expect(throws: PeopleError.noChallenge) { try registry.join(present.code, walker: all[2].id) }
  }

  @Test("a removed walker leaves the boards, and former results only if the history is deleted")
  func removal() throws {
    let all = try add("Ann", "Ben", "Cid")
    let challenge = try registry.add(
      plan { ($0.from, $0.every, $0.walkers) = ("2026-11-08", "week", all.map(\.name)) })
    for (walker, count) in zip(all, [10, 20, 30]) { walk(walker, count, at: "2026-11-09T10:00") }
    try registry.closePeriods()
    try book.remove("Ben", keepingHistory: true)
    #expect(try registry.board(challenge.id, for: all[0].id).board.rows.map(\.score.name) == ["Ann", "Cid"])
    try registry.challenges.forget(all[1].id, results: false)
    try book.remove("Cid", keepingHistory: false)
    try registry.challenges.forget(all[2].id, results: true)
    let board = try registry.board(challenge.id, for: all[0].id)
    #expect(board.board.rows.map(\.score.name) == ["Ann"])
    #expect(board.past.last?.board.rows.map(\.score.name) == ["Ben", "Ann"])
  }

  @Test(
    "an impossible plan is refused with a sentence",
    arguments: [
      "name=\u{202E}x days=1", "name=x", "name=x days=0", "name=x days=367", "name=x from=2026-13-01 days=1",
      "name=x from=2026-2-1 days=1", "name=x from=2026-11-23 to=2026-11-22", "name=x days=1 to=2026-12-01",
      "name=x every=month", "name=x every=day days=2", "name=x days=1 goal=0", "name=x days=1 show=all",
      "name=x days=1 walker=Nobody", "name=x from=2026-02-29 days=1", "name=x from=0000-01-01 days=1",
    ])
  func impossible(_ text: String) throws {
    let plan = plan { plan in
      for field in text.split(separator: " ") {
        let (key, value) = (field.split(separator: "=")[0], String(field.split(separator: "=")[1]))
        switch key {
        case "name": plan.name = value
        case "from": plan.from = value
        case "to": plan.to = value
        case "days": plan.days = Int(value)
        case "every": plan.every = value
        case "goal": plan.goal = Int(value)
        case "show": plan.show = value
        default: plan.walkers = [value]
        }
      }
    }
    #expect { try registry.add(plan) } throws: { $0 is PeopleError && "\($0)".count > 20 }
    #expect(try registry.challenges.all().isEmpty)
  }

  @Test("the number of challenges is limited")
  func limit() throws {
    for number in 0..<ChallengeBook.most { _ = try registry.add(plan { ($0.name, $0.days) = ("c\(number)", 1) }) }
    #expect(throws: PeopleError(.cannotCreate, "there are \(ChallengeBook.most) challenges already; remove one first"))
    { try registry.add(plan { $0.days = 1 }) }
  }

  @Test("an identifier is never a path", arguments: ["../walkers", "", "0123456789abc", "..........", "ABCDEF0123"])
  func identifiers(_ id: String) throws {
    _ = try registry.add(plan { $0.days = 1 })
    #expect(throws: PeopleError.noChallenge) { try registry.challenges.challenge(id) }
    #expect(throws: PeopleError.noChallenge) { try registry.challenges.remove(id) }
  }

  @Test(
    "a challenge with an impossible content is damaged, and can be removed",
    arguments: [(#""days" : 1"#, #""days" : 0"#), (#""id" : ""#, #""id" : "../"#), ("{", "")])
  func damage(_ part: String, _ other: String) throws {
    let challenge = try registry.add(plan { $0.days = 1 })
    let path = "\(state)/challenges/\(challenge.id).json"
    let text = try TemporaryDirectory.text(of: path)
    try #require(text.contains(part))
    try Data(text.replacing(part, with: other).utf8).write(to: URL(filePath: path))
    #expect(throws: StateFileError(path: path, errno: EBADMSG)) { try registry.list(for: Walker.ownerID) }
    #expect(throws: StateFileError(path: path, errno: EBADMSG)) {
      try registry.board(challenge.id, for: Walker.ownerID)
    }
    try registry.challenges.remove(challenge.id)
    #expect(try registry.challenges.all().isEmpty)
  }

  @Test("a folder of challenges that cannot be read is an error, not a service without challenges")
  func unreadableFolder() throws {
    #expect(try registry.challenges.all().isEmpty)
    try folder.makeFolder("state")
    try folder.write([], to: "state/challenges")
    #expect(throws: StateFileError(path: "\(state)/challenges", errno: ENOTDIR)) { try registry.challenges.all() }
  }

  @Test("a challenge is found by its name, unless two have the same, which only earlier versions made")
  func names() throws {
    let first = try registry.add(plan { $0.days = 1 })
    #expect(try registry.challenges.challenge(called: "november").id == first.id)
    let error = #expect(throws: PeopleError.self) {
      try registry.add(plan { ($0.name, $0.days) = ("NOVEMBER", 1) })
    }
    #expect(error?.exitStatus == .cannotCreate && error?.description.contains("a challenge 'NOVEMBER' already") == true)
    let other = try registry.add(plan { ($0.name, $0.days) = ("December", 1) })
    try registry.challenges.change(other.id) { $0.name = "November" }
    #expect(throws: PeopleError(.usage, "several challenges are named 'November'; give the identifier instead")) {
      try registry.challenges.challenge(called: "November")
    }
    #expect(try registry.challenges.challenge(called: first.id).id == first.id)
  }

  @Test("before the first day the board says when it begins")
  func upcoming() throws {
    let ann = try add("Ann")[0]
    let challenge = try registry.add(plan { ($0.from, $0.days, $0.walkers) = ("2026-11-30", 7, ["Ann"]) })
    let board = try registry.board(challenge.id, for: ann.id)
    #expect(board.phase == .upcoming && board.daysLeft == 7 && board.text.contains("begins in 7 days"))
  }
}
