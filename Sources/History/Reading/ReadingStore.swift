import Foundation
import GRDB
import Glibc
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
    do { return try current().read(body) } catch let error as DatabaseError {
      throw HistoryError(error, path: folder.database)
    }
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
      do { return try open(path) } catch let error as DatabaseError
        where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
      {
        // A folder in which this user may not create files for the readers' locks, which is fine if nobody writes
        // there.
        return try open(immutable(path))
      }
    }
    return Opened(pool: pool, file: file)
  }

  private static func open(_ path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.label = "history"
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.read { db in
      let migrator = HistorySchema.migrator
      guard try Int.fetchOne(db, sql: "PRAGMA application_id") == HistorySchema.applicationID else {
        // The tables have not been created yet.
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 {
          throw HistoryError.nothingYet(path: path)
        }
        throw HistoryError.damaged(path: path, reason: "it is the database of another program")
      }
      if try migrator.hasBeenSuperseded(db) { throw HistoryError.newer(path: path) }
      guard try migrator.hasCompletedMigrations(db) else { throw HistoryError.older(path: path) }
    }
    return pool
  }

  private static func immutable(_ path: String) -> String {
    let allowed = CharacterSet.urlPathAllowed
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?immutable=1"
  }
}

/// The identity of the file with a name.
struct FileNumber: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// `nil` if there is none; see `errno`.
  init?(of path: String) {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return nil }
    (device, inode) = (UInt64(information.st_dev), UInt64(information.st_ino))
  }
}
