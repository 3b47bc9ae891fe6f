import Foundation
import GRDB
import Synchronization

/// The writer of a folder's history.
///
/// When ``record(_:source:)`` returns, the steps are on disk and survive a crash, a power loss or SIGKILL. Steps that
/// were refused or could not be written may be submitted again, since no step counts twice. Each call waits for the
/// disk, so call it outside the cooperative thread pool, every second or two.
///
/// There is one writer at a time: a second one gets an error that names the first. Others may read at the same time,
/// see ``HistoryReader``.
///
///     let writer = try HistoryWriter(folder: .standard, application: "my program")
///     let step = WalkedStep(time: Date(), distance: 0.7, activeTime: .milliseconds(500))
///     try writer.record([step], source: HistorySource(identity: "board 1", name: "a board"))
///     writer.close()
public final class HistoryWriter: Sendable {
  /// The folder of the history.
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

  /// Opens or creates a history.
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

  /// Shuts down cleanly, so that the next writer need not check every row. Later records fail, and another writer may
  /// open the folder once this one is released. Releasing the last reference has the same effect.
  public func close() {
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      // SQLite does this only if the database is not open elsewhere; a copy of the file alone would then lack the
      // latest data.
      _ = try? state.queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      state.isClosed = (try? state.queue.close()) != nil
      return state.isClosed
    }
    if isClosed { lock.noteOrder() }
  }

  /// Opens or creates a history with a given wall clock.
  public convenience init(
    folder: HistoryFolder, application: String, now: @escaping @Sendable () -> Date
  ) throws(HistoryError) {
    try self.init(folder: folder, application: application, clock: HistoryClock(now: now))
  }

  /// The paths of damaged databases that this writer renamed, oldest first, for a log.
  public var setAside: [String] { state.withLock { $0.aside } }

  /// Records steps.
  ///
  /// A step counts if it is later than every earlier step of its source, so nothing counts twice. If the wall clock was
  /// set in between, later refers to elapsed time.
  /// - Returns: the numbers of recorded and refused steps.
  @discardableResult
  public func record(_ steps: [WalkedStep], source: HistorySource) throws(HistoryError) -> HistoryReceipt {
    if steps.isEmpty { return HistoryReceipt() }
    return try write { [clock] db in
      let reading = clock.reading
      let set = try ClockWatch.check(db, reading, boot: clock.bootID)
      return try StepEntry(db, source).enter(steps, now: reading.now, set: set)
    }
  }

  /// Records an event.
  public func record(_ event: HistoryEvent) throws(HistoryError) {
    try write { db in
      let source = try event.source.map { try StepEntry(db, $0).id }
      try db.execute(
        sql: "INSERT INTO event (time, kind, source, message) VALUES (?, ?, ?, ?)",
        arguments: [event.time.microseconds, event.kind.rawValue, source, event.message])
    }
  }

  /// Imports minutes in the form of ``HistoryReader/minutes(from:to:_:)``. Existing minutes of the same source and time
  /// are not changed.
  /// - Returns: the number of new minutes.
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

  /// The maximum number of reports: with all their fields filled at most about 60 MB, usually a tenth of that.
  package static let mostReports = 100_000

  /// Stores a report, unless this user's report with this `id` exists; deletes the oldest beyond the limit.
  /// - Parameter most: the maximum number of reports.
  /// - Returns: the stored report, as it was first received, and whether it is new.
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

  /// Writes in one transaction. If the database turns out to be damaged, it is renamed, and the transaction is repeated
  /// in a new one.
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
