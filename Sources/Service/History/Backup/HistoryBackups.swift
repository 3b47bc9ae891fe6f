import Foundation
import GRDB
import Platform

/// A backup of a history.
public struct HistoryBackup: Sendable, Hashable {
  /// The name of its file, such as `history-20260506.sqlite`.
  public var name: String
  /// The day (UTC) on which it was made, at its start.
  public var day: Date
  /// Its size in bytes.
  public var size: Int
}

/// The backups of a folder's history: whole, checked databases, of the last seven days and of four weeks before.
public struct HistoryBackups: Sendable {
  /// The folder of the history.
  public let folder: HistoryFolder

  /// How many of the latest days are kept.
  public static let days = 7
  /// How many weeks before them are kept.
  public static let weeks = 4
  /// The size of all backups in bytes, above which the oldest are deleted; the newest is always kept.
  public static let mostBytes = 1 << 30

  /// The backups of a folder.
  public init(folder: HistoryFolder) { self.folder = folder }

  /// The path of a backup.
  public func path(_ backup: HistoryBackup) -> String { folder.backups + "/" + backup.name }

  /// All backups, the newest first; those of other names are not listed.
  /// - Throws: the system error if their folder is there, but cannot be read.
  public func list() throws(HistoryError) -> [HistoryBackup] {
    guard let names = Platform.names(inFolder: folder.backups) else {
      if errno == ENOENT { return [] }
      throw .system(errno, path: folder.backups)
    }
    return names.compactMap { name in
      guard let number = Self.number(name) else { return nil }
      var information = stat()
      guard unsafe stat(folder.backups + "/" + name, &information) == 0 else { return nil }
      return HistoryBackup(
        name: name, day: Date(timeIntervalSince1970: Double(number) * 86_400), size: Int(information.st_size))
    }.sorted { $0.day > $1.day }
  }

  /// The day since 1970 in a name.
  private static func number(_ name: String) -> Int? {
    guard name.hasPrefix("history-"), name.hasSuffix(".sqlite") else { return nil }
    let digits = name.dropFirst(8).dropLast(7)
    guard digits.utf8.count == 8, let date = Int(digits), date > 0 else { return nil }
    let (year, month, ofMonth) = (date / 10_000, date / 100 % 100, date % 100)
    guard CivilDays.isDate(year: year, month: month, day: ofMonth) else { return nil }
    return CivilDays.days(year: year, month: month, day: ofMonth)
  }

  private static func name(_ now: Date) -> String { "history-\(CivilDate(now, offset: 0).stamp.prefix(8)).sqlite" }

  /// Makes the backup of the day, if there is none yet, and deletes those that are too old. It may run beside a writer.
  ///
  /// The copy is checked completely before it counts. That reads every page of the history, so it also finds damage
  /// that no query has met. Cost: about 2 s and the size of the history for a million minutes.
  /// - Returns: the new backup; `nil` if there is one of this day.
  /// - Throws: ``HistoryError/Code/damaged`` for a damaged history, whose earlier backups are kept; and others.
  @discardableResult
  public func make(now: Date) throws(HistoryError) -> HistoryBackup? {
    let name = Self.name(now)
    if try list().contains(where: { $0.name == name }) { return nil }
    try HistoryStore.makeFolder(HistoryFolder(path: folder.backups))
    try checkSpace()
    let (path, draft) = (folder.backups + "/" + name, folder.backups + "/" + name + ".part")
    _ = unsafe unlink(draft)
    do throws(HistoryError) {
      try copy(to: draft)
      try Self.check(draft)
    } catch {
      for ending in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(draft + ending) }
      throw error
    }
    try HistoryStore.move(draft, to: path)
    FileReplacement.syncFolder(of: path)
    try deleteOld()
    return try list().first { $0.name == name }
  }

  /// A backup must not fill the disk on which the steps are written.
  private func checkSpace() throws(HistoryError) {
    var (file, system) = (stat(), statvfs())
    guard unsafe stat(folder.database, &file) == 0, unsafe statvfs(folder.backups, &system) == 0 else { return }
    let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
    if free < 3 * UInt64(file.st_size) + 1 << 20 { throw .full(path: folder.backups) }
  }

  private func copy(to draft: String) throws(HistoryError) {
    let path = folder.database
    try speakingOf(path) {
      let queue = try DatabaseQueue(path: path, configuration: .history(isReadOnly: true))
      defer { try? queue.close() }
      let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw HistoryError.system(errno, path: draft) }
      close(descriptor)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
    }
  }

  /// Checks a whole database that is not being written.
  private static func check(_ path: String) throws(HistoryError) {
    try speakingOf(path) {
      let queue = try DatabaseQueue(path: path, configuration: .history(isReadOnly: true))
      defer { try? queue.close() }
      try queue.read { db in try IntegrityCheck(db, path: path).all() }
    }
  }

  /// Deletes what is neither of the last days nor the newest of one of the weeks before, and what is too large.
  private func deleteOld() throws(HistoryError) {
    let all = try list()
    var kept = Array(all.prefix(Self.days))
    var weeks: Set<Int> = []
    for backup in all.dropFirst(Self.days) {
      let week = Int((backup.day.timeIntervalSince1970 / 86_400 + 3) / 7)
      if weeks.count < Self.weeks, weeks.insert(week).inserted { kept.append(backup) }
    }
    var size = 0
    kept = kept.enumerated().filter { index, backup in
      size += backup.size
      return index == 0 || size <= Self.mostBytes
    }.map(\.element)
    for backup in all where !kept.contains(backup) { _ = unsafe unlink(path(backup)) }
  }

  /// Replaces the history by a backup, after checking it. The present history is kept under another name.
  /// - Parameters:
  ///   - backup: one of those of this folder.
  ///   - application: the name of this program, for the error of another writer.
  ///   - now: the time that is in the name of the former history.
  /// - Returns: the path of the former history; `nil` if there was none.
  /// - Throws: ``HistoryError/Code/held`` while another program writes; ``HistoryError/Code/damaged`` for a damaged
  ///   backup; and others. The history is then unchanged.
  @discardableResult
  public func restore(_ backup: HistoryBackup, application: String, now: Date) throws(HistoryError) -> String? {
    let lock = try WriterLock(folder, application: application)
    let source = path(backup)
    try Self.check(source)
    let draft = folder.salvaged + ".part"
    _ = unsafe unlink(draft)
    do { try FileManager.default.copyItem(atPath: source, toPath: draft) } catch {
      throw .failed(path: draft, reason: error.localizedDescription)
    }
    _ = unsafe chmod(draft, 0o600)
    let generation = try speakingOf(draft) {
      let queue = try DatabaseQueue(path: draft)
      defer { try? queue.close() }
      return try queue.read { db in try Int64.fetchOne(db, sql: "SELECT generation FROM whole") ?? 0 }
    }
    try HistoryStore.move(draft, to: folder.salvaged)
    let exists = unsafe access(folder.database, F_OK) == 0
    let aside = exists ? try HistoryStore.putAside(folder, now: now, marked: "replaced") : nil
    lock.note(WriterLock.Mark(generation: generation, time: now.microseconds))
    try HistoryStore.finishReplacement(folder)
    lock.noteOrder()
    return aside
  }
}
