import Foundation
import GRDB
import Glibc

/// Opens a folder's database for writing, after checking it.
enum HistoryStore {
  /// Creates the folder, if missing.
  static func makeFolder(_ folder: HistoryFolder) throws(HistoryError) {
    var path = ""
    for part in folder.path.split(separator: "/", omittingEmptySubsequences: true) {
      path += (path.isEmpty && !folder.path.hasPrefix("/") ? "" : "/") + part
      // The history is private.
      if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { continue }
      let number = errno
      var information = stat()
      if unsafe stat(path, &information) == 0 { continue }
      throw .system(number, path: path)
    }
  }

  /// Opens the database, creates or upgrades its tables, and makes every commit durable.
  /// - Parameter thoroughly: whether to check every row, not only every page.
  static func open(_ folder: HistoryFolder, thoroughly: Bool) throws(HistoryError) -> DatabaseQueue {
    let path = folder.database
    return try speakingOf(path) {
      var configuration = Configuration()
      configuration.label = "history"
      configuration.busyMode = .timeout(5)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let migrator = HistorySchema.migrator
      // Only reads: a file of another program, or from a newer version, is not changed.
      try queue.read { db in try check(db, migrator, path, thoroughly: thoroughly) }
      try queue.writeWithoutTransaction { db in
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
          throw HistoryError.failed(path: path, reason: "its file system has no shared memory for SQLite's WAL mode")
        }
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
      }
      try migrator.migrate(queue)
      return queue
    }
  }

  private static func check(
    _ db: Database, _ migrator: DatabaseMigrator, _ path: String, thoroughly: Bool
  ) throws {
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    let id = try Int.fetchOne(db, sql: "PRAGMA application_id")
    guard isEmpty || id == HistorySchema.applicationID else {
      throw HistoryError.damaged(path: path, reason: "it is the database of another program")
    }
    if try migrator.hasBeenSuperseded(db) { throw HistoryError.newer(path: path) }
    if thoroughly { return try inspect(db, path, "1") }
    // Ten years of minutes are five million rows. Counting them visits every page, twenty times as fast as checking
    // every row.
    for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") {
      if table == "minute" {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM minute")
      } else {
        try inspect(db, path, table.quotedDatabaseIdentifier)
      }
    }
  }

  /// - Parameter what: a table, or the maximum number of errors to report for the whole file.
  private static func inspect(_ db: Database, _ path: String, _ what: String) throws {
    let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(\(what))") ?? "no answer"
    guard verdict == "ok" else { throw HistoryError.damaged(path: path, reason: verdict) }
  }

  /// Opens the database; a damaged one is renamed, and a new one begun.
  /// - Returns: the database, and the path of the damaged one.
  static func openOrReplace(
    _ folder: HistoryFolder, now: Date, thoroughly: Bool
  ) throws(HistoryError) -> (queue: DatabaseQueue, aside: String?) {
    do { return (try open(folder, thoroughly: thoroughly), nil) } catch {
      guard error.isDamage else { throw error }
      let aside = try putAside(folder, now: now)
      return (try open(folder, thoroughly: true), aside)
    }
  }

  /// Renames the database and its related files; the name contains the current time.
  static func putAside(_ folder: HistoryFolder, now: Date) throws(HistoryError) -> String {
    let stamp = CivilDate(now, offset: 0).stamp
    var aside = folder.path + "/history-damaged-\(stamp).sqlite"
    var number = 1
    while unsafe access(aside, F_OK) == 0 {
      number += 1
      aside = folder.path + "/history-damaged-\(stamp)-\(number).sqlite"
    }
    for ending in ["", "-wal", "-shm"] where unsafe rename(folder.database + ending, aside + ending) != 0 {
      if errno != ENOENT { throw .system(errno, path: aside + ending) }
    }
    return aside
  }
}
