import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

@Suite("Backups", .timeLimit(.minutes(30))) struct BackupTests {
  private let history: TestHistory
  private let backups: HistoryBackups

  init() throws {
    history = try TestHistory()
    backups = HistoryBackups(folder: history.folder)
  }

  @Test("a backup a day beside the writer, seven days and four weeks before are kept, and each is a whole history")
  func rotation() throws {
    let writer = try history.writer()
    var days: [Date] = []
    for _ in 0..<60 {
      try history.walkAtOnce(10, with: writer)
      #expect(try backups.make(now: history.clock.now) != nil)
      #expect(try backups.make(now: history.clock.now) == nil)
      try days.insert(backups.list()[0].day, at: 0)
      history.clock.pass(86_400)
    }
    let kept = try backups.list()
    #expect(kept.count == HistoryBackups.days + HistoryBackups.weeks)
    #expect(kept.prefix(7).map(\.day) == Array(days.prefix(7)))
    // The newest of each week from Monday to Sunday; the first of them has lost its Sunday to the last days.
    #expect(
      kept.dropFirst(7).map { CivilDate($0.day, offset: 0).date }
        == ["2026-06-27", "2026-06-21", "2026-06-14", "2026-06-07"])
    #expect(try FileManager.default.attributesOfItem(atPath: backups.path(kept[0]))[.posixPermissions] as? Int == 0o600)
    #expect(TemporaryDirectory.names(in: history.folder.backups).count == kept.count)
  }

  @Test("the oldest backups are deleted above a gibibyte in all", arguments: [0, 1])
  func large(above: Int) throws {
    try history.walkAtOnce(10, with: history.writer())
    let size = try #require(try backups.make(now: history.clock.now)).size
    history.clock.pass(86_400)
    try FileManager.default.createDirectory(atPath: history.folder.backups, withIntermediateDirectories: true)
    let names = ["history-20260503.sqlite", "history-20260504.sqlite", "history-20260505.sqlite"]
    for (name, length) in zip(names, [400 << 20, 400 << 20, (624 << 20) - 2 * size + above]) {
      let path = history.folder.backups + "/" + name
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      // A hole in the file, which takes no space.
      #expect(unsafe truncate(path, length) == 0)
    }
    try backups.make(now: history.clock.now)
    let kept = ["history-20260507.sqlite", "history-20260506.sqlite", names[2]] + (above == 0 ? [names[1]] : [])
    #expect(try backups.list().map(\.name) == kept)
  }

  @Test("the draft of a backup that was interrupted is replaced")
  func interrupted() throws {
    try history.walkAtOnce(10, with: history.writer())
    let name = try #require(try backups.make(now: history.clock.now)).name
    let open = TemporaryDirectory.names(in: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(!open.contains { $0.hasPrefix(history.folder.backups) })
    let (backup, draft) = (history.folder.backups + "/" + name, history.folder.backups + "/" + name + ".part")
    try FileManager.default.moveItem(atPath: backup, toPath: draft)
    #expect(try backups.make(now: history.clock.now)?.name == name)
    #expect(TemporaryDirectory.names(in: history.folder.backups) == [name])
  }

  @Test("a restored backup has its own steps, and the former history is kept")
  func restored() throws {
    try history.walkAtOnce(50, with: history.writer())
    let backup = try #require(try backups.make(now: history.clock.now))
    history.clock.pass(60)
    try history.walkAtOnce(30, with: history.writer())
    #expect(try history.all().steps == 80)
    // An interrupted restoration leaves this.
    try Data("half".utf8).write(to: URL(fileURLWithPath: history.folder.salvaged + ".part"))
    let former = try #require(try backups.restore(backup, application: "tests", now: history.clock.now))
    #expect(try history.all().steps == 50)
    #expect(try DatabaseQueue(path: former).read { try Int.fetchOne($0, sql: "SELECT sum(steps) FROM quarter") } == 80)
    // The next writer does not check every minute: it would find this one.
    try history.tamper("UPDATE minute SET active = active + 1")
    let writer = try history.writer()
    #expect(writer.damages.isEmpty)
    try history.tamper("UPDATE minute SET active = active - 1")
    history.clock.pass(60)
    #expect(try history.walk(5, with: writer).recorded == 5)
    #expect(try history.all().steps == 55)
  }

  @Test("nothing is restored while a writer runs, nor from a damaged backup")
  func refused() throws {
    var writer: HistoryWriter? = try history.writer("pedometerd")
    try history.walkAtOnce(50, with: try #require(writer))
    let backup = try #require(try backups.make(now: history.clock.now))
    let held = #expect(throws: HistoryError.self) {
      try backups.restore(backup, application: "tests", now: history.clock.now)
    }
    #expect(held?.code == .held && held?.message.contains("pedometerd") == true)
    writer = nil
    let queue = try DatabaseQueue(path: backups.path(backup))
    try queue.write { try $0.execute(sql: "UPDATE minute SET steps = steps + 1") }
    try queue.close()
    let damaged = #expect(throws: HistoryError.self) {
      try backups.restore(backup, application: "tests", now: history.clock.now)
    }
    #expect(damaged?.code == .damaged)
    #expect(try history.all().steps == 50)
  }

  @Test("a damaged history is not backed up, and its former backups are kept")
  func damaged() throws {
    try history.walkAtOnce(50, with: history.writer())
    try backups.make(now: history.clock.now)
    history.clock.pass(86_400)
    try history.tamper("UPDATE minute SET steps = steps + 1")
    let error = #expect(throws: HistoryError.self) { try backups.make(now: history.clock.now) }
    #expect(error?.code == .damaged)
    #expect(try backups.list().count == 1 && TemporaryDirectory.names(in: history.folder.backups).count == 1)
  }

  @Test("a folder of backups that cannot be read is an error, not one without backups")
  func unreadable() throws {
    try history.walkAtOnce(50, with: history.writer())
    #expect(try backups.list().isEmpty)
    try Data().write(to: URL(fileURLWithPath: history.folder.backups))
    #expect(throws: HistoryError.self) { try backups.list() }
  }

  @Test("other files in the folder are neither listed nor deleted")
  func otherFiles() throws {
    try history.walkAtOnce(50, with: history.writer())
    try backups.make(now: history.clock.now)
    for name in ["history-20261301.sqlite", "history-old.sqlite", "notes.txt"] {
      try Data().write(to: URL(fileURLWithPath: history.folder.backups + "/" + name))
    }
    #expect(try backups.list().count == 1)
  }

  @Test("a damaged history is read from a temporary copy of what is readable, and is not changed")
  func readable() throws {
    try history.walkAtOnce(2400, with: history.writer())
    try history.tamper("DELETE FROM minute WHERE minute <= (SELECT min(minute) + 1 FROM minute)")
    let before = try TemporaryDirectory.bytes(of: history.folder.database)
    let end = history.clock.now
    let readable = try ReadableHistory(folder: history.folder, from: TestHistory.morning, to: end)
    #expect(readable.damage?.code == .damaged)
    #expect(try readable.reader.everything().count == 19)
    #expect(readable.losses.map(\.minutes) == [2] && readable.losses.first?.start == TestHistory.morning)
    readable.close()
    #expect(try TemporaryDirectory.bytes(of: history.folder.database) == before)
    // The loss does not concern other periods.
    let later = try ReadableHistory(folder: history.folder, from: TestHistory.morning + 900, to: end)
    #expect(later.losses.isEmpty)
    later.close()
  }

  @Test("a loss concerns the periods that it overlaps, and those of bouts concern no totals")
  func losses() throws {
    try history.walkAtOnce(2400, with: history.writer())
    let start = TestHistory.morning
    let lost = HistoryLoss(start: start + 300, end: start + 420, minutes: 2, noticed: start + 1200)
    let bouts = HistoryLoss(start: start + 300, end: start + 420, kind: .bouts, noticed: start + 1200)
    let queue = try DatabaseQueue(path: history.folder.database)
    try queue.write { try LossTable.add([lost, bouts], $0) }
    try queue.close()
    for (from, to, expected) in [
      (0.0, 1200.0, [lost]), (0, 300, []), (0, 301, [lost]), (419, 1200, [lost]), (420, 1200, []), (330, 360, [lost]),
    ] {
      let readable = try ReadableHistory(folder: history.folder, from: start + from, to: start + to)
      #expect(readable.damage == nil && readable.losses == expected, "\(from) s to \(to) s")
      readable.close()
    }
  }
}
