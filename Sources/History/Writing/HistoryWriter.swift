import Foundation
import GRDB
import Synchronization

/// The one who writes a folder's history.
///
/// What ``record(_:source:)`` was given is on the disk when it returns: a crash, a power loss or SIGKILL takes nothing
/// from it. What was refused or could not be written may be told again: no step counts twice. Each call waits for the
/// disk, so make it off the cooperative thread pool, every second or two.
///
/// One writer at a time: a second one is told who the first is. Others may read meanwhile, see ``HistoryReader``.
///
///     let writer = try HistoryWriter(folder: .standard, application: "my program")
///     let step = WalkedStep(time: Date(), distance: 0.7, activeTime: .milliseconds(500))
///     try writer.record([step], source: HistorySource(identity: "board 1", name: "a board"))
///     writer.close()
public final class HistoryWriter: Sendable {
  /// Where it writes.
  public let folder: HistoryFolder
  private let clock: HistoryClock
  private let lock: WriterLock

  private struct State {
    var queue: DatabaseQueue
    var aside: [String] = []
    var isClosed = false
  }
  private let state: Mutex<State>

  /// How long the exact times of steps are kept.
  static let recentSteps: Int64 = 2 * 86_400_000_000

  /// Opens or begins a history.
  /// - Parameters:
  ///   - folder: where; it is made when it is not there.
  ///   - application: who writes, as another writer will be told.
  ///   - clock: asked with every record.
  /// - Throws: ``HistoryError/Code/held`` and others.
  public init(folder: HistoryFolder, application: String, clock: HistoryClock = .system) throws(HistoryError) {
    self.folder = folder
    self.clock = clock
    try HistoryStore.makeFolder(folder)
    lock = try WriterLock(folder, application: application)
    let now = clock.now()
    let (queue, aside) = try HistoryStore.openOrReplace(folder, now: now, thoroughly: !lock.followsOrder)
    state = Mutex(State(queue: queue))
    if let aside { try noteDamage(aside) }
  }

  deinit { close() }

  /// Ends in order, so that the next writer need not look at every row. What is told to this one afterwards fails; the
  /// folder is another's as soon as nobody refers to this one any more. The last reference's end does the same.
  public func close() {
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      // SQLite does so only when nobody else has the database open; then a copy of the file alone would lack the latest.
      _ = try? state.queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      state.isClosed = (try? state.queue.close()) != nil
      return state.isClosed
    }
    if isClosed { lock.noteOrder() }
  }

  /// Opens or begins a history, with a wall clock of the caller's.
  public convenience init(
    folder: HistoryFolder, application: String, now: @escaping @Sendable () -> Date
  ) throws(HistoryError) {
    try self.init(folder: folder, application: application, clock: HistoryClock(now: now))
  }

  /// Damaged databases that this writer put aside, oldest first: worth a line in a log.
  public var setAside: [String] { state.withLock { $0.aside } }

  /// Enters steps.
  ///
  /// A step counts when it is later than every step of its source before it; so nothing counts twice. When the wall
  /// clock was set meanwhile, later means later for the walker.
  /// - Returns: what counted, and what was refused.
  @discardableResult
  public func record(_ steps: [WalkedStep], source: HistorySource) throws(HistoryError) -> HistoryReceipt {
    if steps.isEmpty { return HistoryReceipt() }
    return try write { [clock] db in
      let reading = clock.reading
      let set = try ClockWatch.check(db, reading, boot: clock.bootID)
      return try StepEntry(db, source).enter(steps, now: reading.now, set: set)
    }
  }

  /// Notes an event.
  public func record(_ event: HistoryEvent) throws(HistoryError) {
    try write { db in
      let source = try event.source.map { try StepEntry(db, $0).id }
      try db.execute(
        sql: "INSERT INTO event (time, kind, source, message) VALUES (?, ?, ?, ?)",
        arguments: [event.time.microseconds, event.kind.rawValue, source, event.message])
    }
  }

  /// Brings minutes in from elsewhere, as ``HistoryReader/minutes(from:to:_:)`` hands them out. Those of a source and
  /// time that are here already stay as they are.
  /// - Returns: how many were new.
  @discardableResult
  public func add(_ minutes: [HistoryMinute]) throws(HistoryError) -> Int {
    try write { db in
      var ids: [HistorySource: Int64] = [:]
      var added = 0
      let known = try db.makeStatement(sql: "SELECT 1 FROM minute WHERE minute = ? AND source = ?")
      for minute in minutes {
        let id = try ids[minute.source] ?? StepEntry(db, minute.source).id
        ids[minute.source] = id
        let number = minute.start.microseconds.floored(by: .minute)
        guard try Int.fetchOne(known, arguments: [number, id]) == nil, let entry = MinuteTable.Entry(minute.totals)
        else { continue }
        try MinuteTable.add(entry, minute: number, source: id, db)
        added += 1
      }
      return added
    }
  }

  /// How many reports are kept: with all their fields filled some 60 MB at most, usually a tenth of that.
  package static let mostReports = 100_000

  /// Keeps a report, unless this user's report of this `id` is kept already; the oldest ones make room.
  /// - Parameter most: how many are kept.
  /// - Returns: what is kept, as it came the first time, and whether that is now.
  package func record(
    _ report: ReportRecord, keeping most: Int = HistoryWriter.mostReports
  ) throws(HistoryError) -> (kept: ReportRecord, isNew: Bool) {
    try write { db in try ReportTable.enter(report, keeping: most, db) }
  }

  private func noteDamage(_ aside: String) throws(HistoryError) {
    state.withLock { $0.aside.append(aside) }
    try record(
      HistoryEvent(time: clock.now(), kind: .historyDamaged, message: "the damaged history was moved to \(aside)"))
  }

  /// Writes in one transaction. When the database turns out to be damaged it is put aside, and a new one takes this.
  private func write<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    let path = folder.database
    do {
      let queue = state.withLock { $0.queue }
      return try speakingOf(path) { try queue.write(body) }
    } catch {
      guard error.isDamage else { throw error }
      let aside = try replace()
      try noteDamage(aside)
      let queue = state.withLock { $0.queue }
      return try speakingOf(path) { try queue.write(body) }
    }
  }

  private func replace() throws(HistoryError) -> String {
    let now = clock.now()
    let aside = try HistoryStore.putAside(folder, now: now)
    let queue = try HistoryStore.open(folder, thoroughly: true)
    state.withLock { $0.queue = queue }
    return aside
  }
}
