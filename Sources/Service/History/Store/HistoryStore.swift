import Foundation
import GRDB
import Platform

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
    // Also if the folder existed. A folder that belongs to another user keeps its permissions.
    var information = stat()
    if unsafe stat(folder.path, &information) == 0, information.st_uid == geteuid(),
      information.st_mode & S_IFMT == S_IFDIR, information.st_mode & 0o1077 != 0, information.st_mode & 0o1000 == 0
    {
      _ = unsafe chmod(folder.path, information.st_mode & 0o700)
    }
  }

  /// Opens the database, creates or upgrades its tables, and makes every commit durable.
  static func open(_ folder: HistoryFolder) throws(HistoryError) -> DatabaseQueue {
    let path = folder.database
    return try speakingOf(path) {
      try makePrivate(path)
      let queue = try DatabaseQueue(path: path, configuration: .history(isReadOnly: false))
      try queue.writeWithoutTransaction { db in
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
          throw HistoryError.failed(path: path, reason: "its file system has no shared memory for SQLite's WAL mode")
        }
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
        // Deleted rows must not look like salvageable ones.
        try db.execute(sql: "PRAGMA secure_delete = ON")
      }
      try HistorySchema.migrator.migrate(queue)
      return queue
    }
  }

  /// Makes a file readable by its owner only, whatever the umask: a history shows when its owner was out.
  private static func makePrivate(_ path: String) throws(HistoryError) {
    var information = stat()
    // Not by a descriptor: closing it would release SQLite's locks of this process.
    guard unsafe stat(path, &information) == 0 else {
      let descriptor = unsafe Platform.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 || errno == EEXIST else { throw .system(errno, path: path) }
      close(descriptor)
      return
    }
    if information.st_mode & 0o077 != 0 { _ = unsafe chmod(path, information.st_mode & 0o700) }
  }

  /// How often everything is checked after clean shutdowns.
  static let checkInterval: Int64 = 7 * 86_400_000_000

  /// Checks a database before it is opened for writing, since opening may already change it.
  ///
  /// After an unclean shutdown, or a week after the last time, everything is checked: 1 s for a million minutes.
  /// Otherwise every page is visited, and the checksums of sums are checked: a tenth of that.
  /// - Parameter former: the latest transaction that the writer noted.
  /// - Returns: whether everything was checked.
  static func check(
    _ folder: HistoryFolder, thoroughly: Bool, former: WriterLock.Mark?, now: Date
  ) throws(HistoryError) -> Bool {
    let path = folder.database
    var information = stat()
    guard unsafe stat(path, &information) == 0, information.st_size > 0 else { return true }
    if FileHeader(path: path).isForeign { throw .foreign(path: path) }
    return try speakingOf(path) {
      let queue = try DatabaseQueue(path: path, configuration: .history(isReadOnly: true))
      defer { try? queue.close() }
      do {
        return try queue.read { db in try check(db, path, thoroughly: thoroughly, former: former, now: now) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A changed letter in the definition of a table.
        throw HistoryError.damaged(path: path, reason: error.message ?? "its tables")
      }
    }
  }

  private static func check(
    _ db: Database, _ path: String, thoroughly: Bool, former: WriterLock.Mark?, now: Date
  ) throws -> Bool {
    if try HistorySchema.isEmpty(db) { return true }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == HistorySchema.applicationID else {
      throw HistoryError.damaged(path: path, reason: "its header")
    }
    if try HistorySchema.migrator.hasBeenSuperseded(db) { throw HistoryError.newer(path: path) }
    let integrity = IntegrityCheck(db, path: path)
    guard try HistorySchema.isReadable(db) else {
      try integrity.pages("1")
      return true
    }
    try ReadingStore.check(db, former, path: path)
    let last = try Int64.fetchOne(db, sql: "SELECT checked FROM whole") ?? 0
    if thoroughly || now.microseconds - last > checkInterval || last > now.microseconds {
      try integrity.all()
      return true
    }
    // Ten years of minutes are five million rows. Counting them visits every page, twenty times as fast as checking
    // every row.
    for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") {
      if table == "minute" {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM minute")
      } else {
        try integrity.pages(table.quotedDatabaseIdentifier)
      }
    }
    try integrity.check(from: nil, to: nil, .ofTheEnds)
    return false
  }

  /// A database for writing, and what it took to open it.
  struct Opened {
    var queue: DatabaseQueue
    var damage: HistoryDamage?
  }

  /// Checks and opens the database. A damaged one is renamed, after what is readable has been saved to a new one.
  static func openOrSalvage(
    _ folder: HistoryFolder, now: Date, thoroughly: Bool, former: WriterLock.Mark?
  ) throws(HistoryError) -> Opened {
    try finishReplacement(folder)
    var isChecked = false
    do {
      isChecked = try check(folder, thoroughly: thoroughly, former: former, now: now)
    } catch {
      guard error.isDamage else { throw error }
      return try salvage(folder, now: now, former: former)
    }
    let queue = try open(folder)
    if isChecked { try speakingOf(folder.database) { try noteCheck(queue, now) } }
    return Opened(queue: queue)
  }

  static func noteCheck(_ queue: DatabaseQueue, _ now: Date) throws {
    try queue.write { db in
      try Seals.begin(db)
      try db.execute(sql: "UPDATE whole SET checked = ?", arguments: [now.microseconds])
      _ = try Seals.advance(db)
    }
  }

  /// Saves what is readable to a new database, and renames the damaged one.
  /// - Parameter release: closes the damaged one. SQLite deletes a log by its name when it closes a database: here it
  ///   would be that of the new one.
  static func salvage(
    _ folder: HistoryFolder, now: Date, former: WriterLock.Mark?, release: () -> Void = {}
  ) throws(HistoryError) -> Opened {
    let draft = folder.salvaged + ".part"
    let outcome = try Salvage.salvage(folder.database, to: draft, former: former, now: now)
    // Everything is saved before the damaged file is touched; an interruption from here on is completed next time.
    try move(draft, to: folder.salvaged)
    release()
    let aside = try putAside(folder, now: now)
    try finishReplacement(folder)
    let damage = HistoryDamage(path: aside, minutes: outcome.minutes, losses: outcome.losses)
    return Opened(queue: try open(folder), damage: damage)
  }

  /// Makes a new database durable, and then gives it its name.
  static func move(_ draft: String, to path: String) throws(HistoryError) {
    let number = FileReplacement.syncing(draft)
    guard number == 0 else { throw .system(number, path: draft) }
    guard unsafe rename(draft, path) == 0 else { throw .system(errno, path: path) }
  }

  /// Completes a replacement that was interrupted between its two renamings.
  static func finishReplacement(_ folder: HistoryFolder) throws(HistoryError) {
    guard unsafe access(folder.salvaged, F_OK) == 0, unsafe access(folder.database, F_OK) != 0 else { return }
    guard unsafe rename(folder.salvaged, folder.database) == 0 else { throw .system(errno, path: folder.database) }
    FileReplacement.syncFolder(of: folder.database)
  }

  /// Renames the database and its related files; the name contains the current time.
  /// - Parameter mark: a part of the name that says why.
  static func putAside(
    _ folder: HistoryFolder, now: Date, marked mark: String = "damaged"
  ) throws(HistoryError) -> String {
    let stamp = CivilDate(now, offset: 0).stamp
    var aside = folder.path + "/history-\(mark)-\(stamp).sqlite"
    var number = 1
    while unsafe access(aside, F_OK) == 0 {
      number += 1
      aside = folder.path + "/history-\(mark)-\(stamp)-\(number).sqlite"
    }
    for ending in ["", "-wal", "-shm"] where unsafe rename(folder.database + ending, aside + ending) != 0 {
      if errno != ENOENT { throw .system(errno, path: aside + ending) }
    }
    return aside
  }
}
