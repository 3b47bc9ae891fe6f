import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

@Suite("Damaged and foreign databases", .timeLimit(.minutes(10))) struct HistoryStoreTests {
  private let history: TestHistory

  init() throws { history = try TestHistory() }

  /// Overwrites a part of the database, as a failing disk does.
  private func damage(from offset: UInt64, count: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: history.folder.database))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }))
    try file.close()
  }

  @Test(
    "a damaged database is renamed with the current time, and counting continues in a new one",
    arguments: [
      (UInt64(0), 4096), (4096, 20_000), (100, 2000),
    ])
  func damaged(offset: UInt64, count: Int) throws {
    try history.walkAtOnce(2000, with: history.writer())
    try damage(from: offset, count: count)
    let former = try TemporaryDirectory.bytes(of: history.folder.database)

    let readable = #expect(throws: HistoryError.self) { try history.all() }
    #expect(try #require(readable).message.contains(history.folder.database))
    let writer = try history.writer()
    let aside = history.path + "/history-damaged-20260506T101640Z.sqlite"
    #expect(writer.setAside == [aside])
    #expect(try TemporaryDirectory.bytes(of: aside) == former)
    #expect(try history.walk(10, with: writer).recorded == 10)
    #expect(try history.all().steps == 10)
    let event = try history.reader().events(from: .distantPast, to: .distantFuture).first
    #expect(event?.kind == .historyDamaged && event?.message?.contains(aside) == true)
  }

  @Test("a database that breaks during writing is replaced too, readers continue, and names are unique")
  func damagedMeanwhile() throws {
    let writer = try history.writer()
    try history.walkAtOnce(2000, with: writer)
    let reader = try history.reader()
    for round in 1...2 {
      try history.checkpoint()
      try damage(from: 0, count: 30_000)
      let receipt = try history.walkAtOnce(30, with: writer)
      #expect(receipt.recorded == 30)
      #expect(writer.setAside.count == round)
      #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == 30)
      history.clock.set(by: -15)
    }
    #expect(Set(writer.setAside).count == 2)
  }

  @Test(
    "after an orderly end every page is looked at, after any other one every row", arguments: ["4711 tests\n", nil])
  func looks(lock: String?) throws {
    try history.walk(10, with: history.writer())
    try DatabaseQueue(path: history.folder.database).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE minute SET steps = -1")
    }
    #expect(try history.writer().setAside.isEmpty)
    // What one leaves that was killed; and a folder that was copied without it.
    if let lock {
      try Data(lock.utf8).write(to: URL(fileURLWithPath: history.folder.lock))
    } else {
      try FileManager.default.removeItem(atPath: history.folder.lock)
    }
    #expect(try history.writer().setAside.count == 1)
  }

  @Test("a closed writer has shut down cleanly, even with references, and accepts no more steps")
  func closed() throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    writer.close()
    writer.close()
    #expect(try String(contentsOfFile: history.folder.lock, encoding: .utf8) == "ended in order\n")
    #expect(throws: HistoryError.self) { try history.walk(10, with: writer) }
    #expect(throws: HistoryError.self) { try history.writer() }
    #expect(try history.all().steps == 10)
  }

  @Test("after a clean shutdown the database file alone is complete, even if readers have it open")
  func whole() throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    let reader = try history.reader()
    #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == 10)
    writer.close()
    let copy = try TestHistory()
    try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: history.folder.database, toPath: copy.folder.database)
    #expect(try copy.all().steps == 10)
    #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == 10)
  }

  @Test("a database from a newer version is not changed by writers and readers, with a sentence")
  func newer() throws {
    try history.walk(10, with: history.writer())
    try DatabaseQueue(path: history.folder.database).write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('heart beats'); CREATE TABLE heart (beat INTEGER)")
    }
    let before = try TemporaryDirectory.bytes(of: history.folder.database)
    #expect(throws: HistoryError.newer(path: history.folder.database)) { try history.writer() }
    let error = #expect(throws: HistoryError.self) { try history.reader() }
    #expect("\(error!)".contains("newer version of this program; update this one"))
    #expect(try TemporaryDirectory.bytes(of: history.folder.database) == before)
    #expect(!history.files.contains { $0.contains("damaged") })
  }

  @Test("a database from an older version keeps its totals when a writer upgrades it")
  func older() throws {
    let queue = try DatabaseQueue(path: history.folder.database)
    try HistorySchema.migrator.migrate(queue, upTo: "minutes")
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO source (id, identity, name, newest) VALUES (1, ?, 'wrist', ?);
          INSERT INTO minute VALUES (29634360, 1, 100, 75000000, 50000000);
          INSERT INTO quarter VALUES (1975624, 100, 75000000, 50000000);
          """, arguments: [TestHistory.wrist.identity, 1_778_061_650_000_000])
    }
    try queue.close()
    let error = #expect(throws: HistoryError.self) { try history.reader() }
    #expect(error == .older(path: history.folder.database))
    history.clock.pass(60)
    try history.walkAtOnce(10, with: history.writer())
    #expect(try history.all() == WalkTotals(steps: 110, distanceTravelled: 82.5, activeTime: .seconds(55)))
  }

  @Test("the database of another program is recognised and kept")
  func foreign() throws {
    try DatabaseQueue(path: history.folder.database).write { try $0.execute(sql: "CREATE TABLE bookmarks (url TEXT)") }
    #expect(throws: HistoryError.self) { try history.reader() }
    let writer = try history.writer()
    let aside = try #require(writer.setAside.first)
    #expect(try DatabaseQueue(path: aside).read { try $0.tableExists("bookmarks") })
  }

  @Test("recorded steps are in the file after a power loss", arguments: [false, true])
  func powerLoss(torn: Bool) throws {
    let writer = try history.writer()
    try history.walk(50, with: writer)
    // The writer still runs: this is what the disk holds when the power goes.
    let left = try TemporaryDirectory()
    for name in ["history.sqlite", "history.sqlite-wal"] {
      var bytes = try TemporaryDirectory.bytes(of: history.path + "/" + name)
      // A commit that was under way leaves half a frame behind.
      if torn, name.hasSuffix("wal") { bytes += (0..<1500).map { UInt8(truncatingIfNeeded: $0) } }
      try left.write(bytes, to: name)
    }
    let folder = HistoryFolder(path: left.path)
    history.clock.reboot(after: 60)
    let next = try HistoryWriter(folder: folder, application: "tests", clock: history.clock.history)
    #expect(next.setAside.isEmpty)
    #expect(try history.walk(10, with: next).recorded == 10)
    #expect(try HistoryReader(folder: folder).totals(from: .distantPast, to: .distantFuture).steps == 60)
  }

  @Test(
    "the location of the state: XDG_STATE_HOME, otherwise ~/.local/state, and never a relative path",
    arguments: [
      (["XDG_STATE_HOME": "/var/state", "HOME": "/home/a"], "/var/state/pedometer"),
      (["HOME": "/home/a"], "/home/a/.local/state/pedometer"),
      (["XDG_STATE_HOME": "", "HOME": "/home/a"], "/home/a/.local/state/pedometer"),
      (["XDG_STATE_HOME": "state", "HOME": "/home/a"], "/home/a/.local/state/pedometer"),
    ])
  func folders(environment: [String: String], path: String) {
    #expect(HistoryFolder.standard(environment: environment).path == path)
  }
}

extension TestHistory {
  /// Brings everything from the write-ahead log into the database's file.
  func checkpoint() throws {
    try DatabaseQueue(path: folder.database).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }
}
