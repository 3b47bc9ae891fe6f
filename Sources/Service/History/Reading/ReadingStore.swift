import Foundation
import GRDB
import Platform
import Synchronization

/// A read-only database that is reopened when its file is replaced.
final class ReadingStore: Sendable {
  private let folder: HistoryFolder

  private struct Opened {
    var pool: DatabasePool
    var file: FileNumber
  }
  private let opened: Mutex<Opened>

  init(_ folder: HistoryFolder) throws(HistoryError) {
    self.folder = folder
    opened = Mutex(try Self.open(folder))
  }

  /// Reads in one transaction.
  func read<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    try speakingOf(folder.database) { try readAnything(body) }
  }

  /// Reads in one transaction; the body may throw any error.
  func readAnything<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      // Before the snapshot begins, which then has at least this transaction.
      let mark = WriterLock.mark(of: folder)
      return try current().read { db in
        try Self.check(db, mark, path: folder.database)
        return try body(db)
      }
    } catch let error as DatabaseError { throw HistoryError(error, path: folder.database) }
  }

  /// Checks a period, and then reads, in one transaction.
  func read<Result>(
    checking from: Date, _ to: Date, _ minutes: IntegrityCheck.Minutes, bouts: Bool = false,
    _ body: (Database) throws -> Result
  ) throws(HistoryError) -> Result {
    let path = folder.database
    return try read { db in
      let check = IntegrityCheck(db, path: path)
      try check.check(from: from, to: to, minutes)
      if bouts { try check.bouts(from: from, to: to) }
      return try body(db)
    }
  }

  /// A file that lacks the latest transactions was replaced by an older one, or its log was.
  static func check(_ db: Database, _ mark: WriterLock.Mark?, path: String) throws {
    guard let mark else { return }
    let generation = try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM whole")) ?? 0
    guard generation < mark.generation else { return }
    throw HistoryError.damaged(
      path: path,
      reason: "its latest \(mark.generation - generation) changes are missing, until "
        + CivilDate(Date(microseconds: mark.time), offset: 0).iso8601)
  }

  /// A damaged database may have been renamed since the last reading; its inode shows that.
  private func current() throws(HistoryError) -> DatabasePool {
    let known = opened.withLock { $0 }
    guard let file = FileNumber(of: folder.database), file != known.file else { return known.pool }
    let anew = try Self.open(folder)
    opened.withLock { $0 = anew }
    return anew.pool
  }

  private static func open(_ folder: HistoryFolder) throws(HistoryError) -> Opened {
    let path = folder.database
    guard let file = FileNumber(of: path) else {
      if errno == ENOENT || errno == ENOTDIR { throw .nothingYet(path: folder.path) }
      throw .system(errno, path: path)
    }
    if unsafe access(path, R_OK) != 0 { throw .system(errno, path: path) }
    let pool = try speakingOf(path) {
      do { return try openRecognising(path) } catch let error as DatabaseError
        where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
      {
        // A folder in which this user may not create files for the readers' locks, which is fine if nobody writes
        // there.
        return try open(immutable(path))
      }
    }
    return Opened(pool: pool, file: file)
  }

  private static func openRecognising(_ path: String) throws -> DatabasePool {
    do { return try open(path) } catch {
      // Only now: closing a descriptor releases SQLite's locks of this process.
      let isDamage =
        (error as? HistoryError)?.isDamage ?? (error as? DatabaseError).map { HistoryError($0, path: path).isDamage }
      if isDamage == true, FileHeader(path: path).isForeign { throw HistoryError.foreign(path: path) }
      throw error
    }
  }

  private static func open(_ path: String) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: .history(isReadOnly: true))
    try pool.read { db in
      guard try Int.fetchOne(db, sql: "PRAGMA application_id") == HistorySchema.applicationID else {
        // The tables have not been created yet.
        if try HistorySchema.isEmpty(db) { throw HistoryError.nothingYet(path: path) }
        throw HistoryError.damaged(path: path, reason: "its header")
      }
      if try HistorySchema.migrator.hasBeenSuperseded(db) { throw HistoryError.newer(path: path) }
      guard try HistorySchema.isReadable(db) else { throw HistoryError.older(path: path) }
    }
    return pool
  }

  private static func immutable(_ path: String) -> String {
    let allowed = CharacterSet.urlPathAllowed
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?immutable=1"
  }
}
