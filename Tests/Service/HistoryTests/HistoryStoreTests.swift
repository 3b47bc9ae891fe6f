import Foundation
import GRDB
import Pedometry
import Platform
import TestSupport
import Testing

@testable import History

@Suite("Damaged and foreign databases", .timeLimit(.minutes(30))) struct HistoryStoreTests {
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
    "a damaged database is renamed with the current time, and counting continues with what was saved",
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
    #expect(writer.damages.map(\.path) == [aside])
    #expect(try TemporaryDirectory.bytes(of: aside) == former)
    let saved = try history.all().steps
    #expect(try history.walk(10, with: writer).recorded == 10)
    #expect(try history.all().steps == saved + 10)
    // All rows of minutes are behind the first page.
    if offset + UInt64(count) <= 4096 { #expect(saved == 2000) }
  }

  @Test("a database that breaks during writing is replaced too, readers continue, and names are unique")
  func damagedMeanwhile() throws {
    let writer = try history.writer()
    try history.walkAtOnce(2000, with: writer)
    let reader = try history.reader()
    for round in 1...2 {
      try history.checkpoint()
      let size = try TemporaryDirectory.bytes(of: history.folder.database).count
      try damage(from: 0, count: size)
      let receipt = try history.walkAtOnce(30, with: writer)
      #expect(receipt.recorded == 30)
      #expect(writer.damages.count == round)
      #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == 30)
      history.clock.set(by: -15)
    }
    #expect(Set(writer.damages.map(\.path)).count == 2)
  }

  @Test("the exact times of steps are kept for two days", arguments: [(1.9, 10), (2.1, 5)])
  func recent(days: Double, kept: Int) throws {
    let writer = try history.writer()
    try history.walk(5, with: writer)
    history.clock.pass(days * 86_400)
    try history.walk(5, with: writer)
    let queue = try DatabaseQueue(path: history.folder.database)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM step") } == kept)
    #expect(try history.all().steps == 10)
  }

  @Test("a writer that has not written yet has noted how far the history reaches")
  func noted() throws {
    try history.walk(5, with: history.writer())
    let queue = try DatabaseQueue(path: history.folder.database)
    let generation = try #require(
      try queue.read { try Int64.fetchOne($0, sql: "SELECT generation FROM whole") })
    try FileManager.default.removeItem(atPath: history.folder.lock)
    let writer = try history.writer()
    #expect(try #require(WriterLock.mark(of: history.folder)).generation >= generation)
    withExtendedLifetime(writer) {}
  }

  @Test("a folder that cannot be created is named, with the reason")
  func noFolder() throws {
    let path = history.path + "/file"
    try Data().write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: HistoryError.self) {
      try HistoryWriter(
        folder: HistoryFolder(path: path + "/folder"), application: "tests", clock: history.clock.history)
    }
    #expect(error?.message == "cannot create \(path)/folder (Not a directory); give another folder")
  }

  @Test(
    "after a clean shutdown every page is checked, otherwise every row", arguments: ["4711 tests\n", nil])
  func looks(lock: String?) throws {
    try history.walk(10, with: history.writer())
    try history.tamper("UPDATE minute SET steps = steps + 1")
    #expect(try history.writer().damages.isEmpty)
    // The lock file of a killed process; and a folder copied without it.
    if let lock {
      try Data(lock.utf8).write(to: URL(fileURLWithPath: history.folder.lock))
    } else {
      try FileManager.default.removeItem(atPath: history.folder.lock)
    }
    #expect(try history.writer().damages.count == 1)
  }

  @Test(
    "every row is checked again after more than a week, and if the clock was set back",
    arguments: [(0.0, 0), (604_800.0, 0), (604_801.0, 1), (-60.0, 1)])
  func weekly(seconds: Double, damages: Int) throws {
    // The check of the new file is noted now; the walk does not pass the clock.
    let writer = try history.writer()
    try writer.record([TestHistory.step(history.clock.now)], source: TestHistory.wrist)
    writer.close()
    try history.tamper("UPDATE minute SET steps = steps + 1")
    history.clock.set(by: seconds)
    #expect(try history.writer().damages.count == damages)
  }

  @Test("a database without tables is not that of another program, and becomes a history")
  func empty() throws {
    try DatabaseQueue(path: history.folder.database).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = 7")
    }
    #expect(try TemporaryDirectory.bytes(of: history.folder.database).count == 4096)
    let writer = try history.writer()
    #expect(writer.damages.isEmpty)
    #expect(try history.walk(10, with: writer).recorded == 10)
  }

  @Test("a closed writer has shut down cleanly, even with references, and accepts no more steps")
  func closed() throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    writer.close()
    writer.close()
    #expect(try String(contentsOfFile: history.folder.lock, encoding: .utf8).hasPrefix("ended in order\n"))
    #expect(throws: HistoryError.self) { try history.walk(10, with: writer) }
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

  @Test(
    "a database from an older version keeps its totals when a writer upgrades it", arguments: ["minutes", "reports"])
  func older(version: String) throws {
    let queue = try DatabaseQueue(path: history.folder.database)
    try HistorySchema.migrator.migrate(queue, upTo: version)
    try queue.write { db in
      try TestHistory.insertFormerMinute(db)
    }
    try queue.close()
    let error = #expect(throws: HistoryError.self) { try history.reader() }
    #expect(error == .older(path: history.folder.database))
    history.clock.pass(60)
    try history.walkAtOnce(10, with: history.writer())
    #expect(try history.all() == WalkTotals(steps: 110, distanceTravelled: 82.5, activeTime: .seconds(55)))
  }

  @Test("the database of another program is neither renamed nor changed", arguments: [false, true])
  func foreign(isLogged: Bool) throws {
    let path = history.folder.database
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      if isLogged { _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") }
      try db.execute(sql: "CREATE TABLE bookmarks (url TEXT)")
    }
    let before = try TemporaryDirectory.bytes(of: path)
    let files = history.files.filter { $0 != "history.lock" }
    let error = #expect(throws: HistoryError.self) { try history.writer() }
    #expect(error?.message.contains("is the database of another program; move it away") == true)
    #expect(try TemporaryDirectory.bytes(of: path) == before)
    #expect(history.files.filter { $0 != "history.lock" } == files)
    #expect(throws: HistoryError.foreign(path: path)) { try history.reader() }
    #expect(try TemporaryDirectory.bytes(of: path) == before)
  }

  @Test("a history whose number of the application was damaged is not taken for another program's")
  func ownNumber() throws {
    try history.walk(10, with: history.writer())
    try damage(from: 68, count: 4)
    #expect(try history.writer().damages.count == 1)
    #expect(try history.all().steps == 10)
  }

  @Test("the folder and the file are private whatever the umask, also where they existed")
  func isPrivate() throws {
    try history.walk(1, with: history.writer())
    let path = history.folder.database
    #expect(unsafe chmod(path, 0o644) == 0)
    #expect(unsafe chmod(history.path, 0o755) == 0)
    try history.walk(1, with: history.writer())
    let permissions = { (path: String) in
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(path) == 0o600)
    #expect(try permissions(history.path) == 0o700)
  }

  @Test("recorded steps are in the file after a power loss", arguments: [false, true])
  func powerLoss(torn: Bool) throws {
    let writer = try history.writer()
    try history.walk(50, with: writer)
    // The writer is still running: this is the content of the disk at a power loss.
    let left = try TemporaryDirectory()
    for name in ["history.sqlite", "history.sqlite-wal"] {
      var bytes = try TemporaryDirectory.bytes(of: history.path + "/" + name)
      // An interrupted commit leaves half a frame.
      if torn, name.hasSuffix("wal") { bytes += (0..<1500).map { UInt8(truncatingIfNeeded: $0) } }
      try left.write(bytes, to: name)
    }
    let folder = HistoryFolder(path: left.path)
    history.clock.reboot(after: 60)
    let next = try HistoryWriter(folder: folder, application: "tests", clock: history.clock.history)
    #expect(next.damages.isEmpty)
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
  /// Changes the closed database behind the writer's back, as damage does, and leaves the notes of a clean shutdown.
  func tamper(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; " + sql)
    }
    try queue.close()
  }

  /// A minute and its quarter of an hour as the versions before floors and checksums stored them.
  static func insertFormerMinute(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO source (id, identity, name, newest) VALUES (1, ?, 'wrist', ?);
        INSERT INTO minute VALUES (29634360, 1, 100, 75000000, 50000000);
        INSERT INTO quarter VALUES (1975624, 100, 75000000, 50000000);
        """, arguments: [wrist.identity, 1_778_061_650_000_000])
  }

  /// Moves everything from the write-ahead log to the database file.
  func checkpoint() throws {
    try DatabaseQueue(path: folder.database).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }
}
