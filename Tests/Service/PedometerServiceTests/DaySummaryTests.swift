import Foundation
import History
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore

@Suite("Day summary", .timeLimit(.minutes(30)))
final class DaySummaryTests {
  private final class Wall: Sendable {
    let now: Mutex<Date>
    let zone = Mutex(TimeZone(secondsFromGMT: 0)!)
    let lines = Mutex<[String]>([])
    init(_ now: Date) { self.now = Mutex(now) }
  }

  /// 2026-11-21T23:30:00Z.
  private let wall = Wall(Date(timeIntervalSince1970: 1_795_303_800))
  private let folder: TemporaryDirectory
  private let writer: HistoryWriter
  private let summary: HistoryAnswers
  private let goals: GoalFile
  private let source = HistorySource(identity: "a", name: "a sensor")

  init() throws {
    let wall = wall
    folder = try TemporaryDirectory()
    let history = HistoryFolder(path: folder.path)
    writer = try HistoryWriter(
      folder: history, application: "test", clock: HistoryClock(now: { wall.now.withLock { $0 } }, uptime: { .zero }))
    goals = try GoalFile(folder: history.path, usual: 8000)
    summary = try Self.summary(writer, wall, goals)
  }

  private static func summary(_ writer: HistoryWriter, _ wall: Wall, _ goals: GoalFile) throws -> HistoryAnswers {
    var clock = ServiceClock.manual(ManualClock())
    clock.now = { wall.now.withLock { $0 } }
    let (reader, lanes) = (try HistoryReader(folder: writer.folder), WorkLanes())
    return HistoryAnswers(
      reader: reader, clock: clock, calendar: { DayCalendar(timeZone: wall.zone.withLock { $0 }) }, goals: goals,
      walks: try WalkAnswers(folder: writer.folder.path), lanes: lanes,
      maintenance: HistoryMaintenance(writer, reader: reader, clock: clock, logger: .silent, lanes: lanes),
      publish: { line in wall.lines.withLock { $0.append(line) } })
  }

  private func walk(_ steps: Int) throws {
    let now = wall.now.withLock { $0 }
    try writer.record(
      (0..<steps).map {
        WalkedStep(time: now - Double(steps - $0) * 0.5, distance: 0.75, activeTime: .milliseconds(500))
      },
      source: source)
  }

  @Test("the day's figures are published when they change, and only then")
  func figures() async throws {
    try walk(10)
    await summary.refresh()
    await summary.refresh()
    #expect(
      wall.lines.withLock { $0 } == [
        #"{"type":"today","date":"2026-11-21","steps":10,"distanceTravelled":7.5,"activeTime":5,"goal":8000}"#
      ])
  }

  @Test("floors that come after the steps are published, too")
  func floors() async throws {
    try walk(10)
    await summary.refresh()
    let now = wall.now.withLock { $0 }
    try writer.record([], floors: [WalkedFloors(time: now, ascended: 2, descended: 0)], source: source)
    await summary.refresh()
    let lines = wall.lines.withLock { $0 }
    #expect(lines.count == 2 && lines.first?.contains("floors") == false)
    #expect(lines.last?.hasSuffix(#""goal":8000,"floorsAscended":2,"floorsDescended":0}"#) == true)
  }

  @Test("a new day begins at zero, and another time zone changes the day")
  func days() async throws {
    try walk(10)
    #expect(try await summary.today().steps == 10)
    wall.now.withLock { $0 += 3600 }
    let next = try await summary.today()
    #expect(next.date == "2026-11-22" && next.steps == 0)
    wall.zone.withLock { $0 = TimeZone(secondsFromGMT: -5 * 3600)! }
    let elsewhere = try await summary.today()
    #expect(elsewhere.date == "2026-11-21" && elsewhere.steps == 10)
  }

  @Test("a goal is published at once and kept across restarts; no goal is below one, and a week has seven")
  func goal() async throws {
    let plan = try #require(GoalPlan([12_000]))
    try await summary.change { [goals] in try goals.set(plan) }
    #expect(wall.lines.withLock { $0.last }?.contains(#""goal":12000"#) == true)
    let again = try Self.summary(writer, wall, try GoalFile(folder: folder.path, usual: 8000))
    #expect(try await again.today().goal == 12_000)
    for wrong in [[0], [], [5, 5], [1_000_001], [1, 2, 3, 4, 5, 6, 0]] { #expect(GoalPlan(wrong) == nil) }
    #expect(try await summary.today().goal == 12_000)
  }

  @Test("a day keeps the goal that it had, across restarts; the first goal is that of all days before")
  func formerGoals() throws {
    let goals = try GoalFile(folder: folder.path, usual: 8000)
    #expect(goals.goal(on: "2026-11-20") == 8000)
    goals.note(on: "2026-11-20")
    try goals.set(try #require(GoalPlan([5000])))
    goals.note(on: "2026-11-25")
    // The last one of a day is the day's.
    try goals.set(try #require(GoalPlan([3000])))
    goals.note(on: "2026-11-25")
    for goals in [goals, try GoalFile(folder: folder.path, usual: 100)] {
      #expect(
        ["2020-01-01", "2026-11-24", "2026-11-25", "2027-01-01"].map(goals.goal(on:)) == [8000, 8000, 3000, 3000])
    }
    #expect(try TemporaryDirectory.text(of: folder.path + "/goals.csv") == "0001-01-01,8000\n2026-11-25,3000\n")
  }

  @Test("each weekday has its goal, for the service and for commands; days before keep theirs")
  func weekdays() throws {
    let goals = try GoalFile(folder: folder.path, usual: 8000)
    goals.note(on: "2026-11-20")
    try goals.set(try #require(GoalPlan([1, 2, 3, 4, 5, 6, 7].map { 1000 * $0 })))
    goals.note(on: "2026-11-23")
    // 2026-11-23 is a Monday.
    let dates = ["2026-11-22", "2026-11-23", "2026-11-28", "2026-11-29", "2026-11-30"]
    for goals in [goals, try GoalFile(reading: folder.path)] {
      #expect(dates.map(goals.goal(on:)) == [8000, 1000, 6000, 7000, 1000])
    }
    #expect(try TemporaryDirectory.text(of: folder.path + "/goal") == "1000,2000,3000,4000,5000,6000,7000\n")
    #expect(GoalPlan(Array(repeating: 9, count: 7)) == GoalPlan([9]))
  }

  @Test(
    "goals that cannot be read are an error, since those of former days would be replaced",
    arguments: ["goal", "goals.csv"])
  func unreadableGoal(name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + name, withIntermediateDirectories: false)
    let error = #expect(throws: StateFileError.self) { try GoalFile(folder: folder.path, usual: 500) }
    #expect("\(try #require(error))".contains("/\(name) cannot be used"))
  }

  @Test("why the history cannot be read is logged when the reason changes")
  func noticed() throws {
    let log = LogLines()
    let maintenance = HistoryMaintenance(
      writer, reader: try HistoryReader(folder: HistoryFolder(path: folder.path)), clock: .manual(ManualClock()),
      logger: log.logger, lanes: WorkLanes())
    for reason in ["a", "a", "b", "b"] { maintenance.notice(HistoryError.failed(path: "h", reason: reason)) }
    #expect(log.all.count == 2 && log.all[0].contains("a") && log.all[1].contains("b"), "\(log.all)")
  }

  @Test("reading the goals for a command changes no file, even if one is not a number")
  func reading() throws {
    try folder.write(Array("many\n".utf8), to: "goal-usual")
    #expect(try GoalFile(reading: folder.path).plan == nil)
    #expect(try TemporaryDirectory.text(of: folder.path + "/goal-usual") == "many\n")
  }

  @Test("an invalid saved goal is ignored")
  func brokenGoal() throws {
    try folder.write(Array("many\n".utf8), to: "goal")
    #expect(try GoalFile(folder: folder.path, usual: 500).plan == GoalPlan([500]))
    // For commands, which do not know the service's options.
    #expect(try TemporaryDirectory.text(of: folder.path + "/goal-usual") == "500\n")
    _ = try GoalFile(folder: folder.path, usual: nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/goal-usual"))
    #expect(try GoalFile(folder: folder.path + "/none", usual: nil).plan == nil)
  }
}

@Suite("User's time zone", .timeLimit(.minutes(30)))
struct UserTimeZoneTests {
  @Test("the zone is that of the machine's current link")
  func link() throws {
    guard ProcessInfo.processInfo.environment["TZ"] == nil else { return }
    let folder = try TemporaryDirectory()
    let path = folder.path + "/localtime"
    for name in ["Asia/Kathmandu", "America/New_York"] {
      unsafe unlink(path)
      unsafe symlink("/usr/share/zoneinfo/\(name)", path)
      #expect(UserTimeZone.present(localtime: path).identifier == name)
    }
    #expect(UserTimeZone.present(localtime: folder.path + "/none") == .current)
  }
}
