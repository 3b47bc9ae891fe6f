import Analytics
import Foundation
import GRDB
import Pedometry
import Platform
import Synchronization

/// The writer of a folder's history.
///
/// When ``record(_:floors:source:)`` returns, the steps are on disk and survive a crash, a power loss or SIGKILL. Steps that
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
    /// Of the open database.
    var file: FileNumber?
    var damages: [HistoryDamage] = []
    var isClosed = false
  }
  private let state: Mutex<State>

  /// How long the exact times of steps are kept.
  static let recentSteps: Int64 = 2 * 86_400_000_000

  /// Opens or creates a history.
  /// - Parameters:
  ///   - folder: its location; created if missing.
  ///   - application: the name of this writer, for the error of another writer.
  ///   - clock: read for each record.
  /// - Throws: ``HistoryError/Code/held`` and others.
  public init(folder: HistoryFolder, application: String, clock: HistoryClock = .system) throws(HistoryError) {
    (self.folder, self.clock) = (folder, clock)
    try HistoryStore.makeFolder(folder)
    lock = try WriterLock(folder, application: application)
    let now = clock.now()
    let opened = try HistoryStore.openOrSalvage(folder, now: now, thoroughly: !lock.followsOrder, former: lock.former)
    state = Mutex(State(queue: opened.queue, file: FileNumber(of: folder.database)))
    if let damage = opened.damage { note(damage) }
    try noteGeneration()
  }

  deinit { close() }

  /// Shuts down cleanly, so that the next writer need not check every row. Later records fail, and another writer may
  /// open the folder. Releasing the last reference has the same effect.
  public func close() {
    let isClosedNow = state.withLock { state in
      // The lock file may be that of another writer by now.
      if state.isClosed { return false }
      // SQLite does this only if the database is not open elsewhere; a copy of the file alone would then lack the
      // latest data.
      _ = try? state.queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      state.isClosed = (try? state.queue.close()) != nil
      return state.isClosed
    }
    if isClosedNow { lock.noteOrder() }
  }

  /// The damaged databases that this writer replaced, oldest first, for a log.
  public var damages: [HistoryDamage] { state.withLock { $0.damages } }

  /// Records steps.
  ///
  /// A step counts if it is later than every earlier step of its source, so nothing counts twice. If the wall clock was set in
  /// between, later refers to elapsed time. Floors have no such check: record them once. If this throws, it has recorded none.
  /// - Parameters:
  ///   - steps: in any order.
  ///   - floors: climbed on these or earlier steps.
  ///   - source: the sensor that counted them.
  /// - Returns: the numbers of recorded and refused steps.
  @discardableResult
  public func record(
    _ steps: [WalkedStep], floors: [WalkedFloors] = [], source: HistorySource
  ) throws(HistoryError) -> HistoryReceipt {
    if steps.isEmpty && floors.isEmpty { return HistoryReceipt() }
    return try enter(steps, floors, source, isPeriod: false)
  }

  /// Records the steps of a period, which may be earlier than other steps of its source, but does not count in a time in which
  /// that has steps already.
  package func record(period steps: [WalkedStep], source: HistorySource) throws(HistoryError) -> HistoryReceipt {
    try enter(steps, [], source, isPeriod: true)
  }

  private func enter(
    _ steps: [WalkedStep], _ floors: [WalkedFloors], _ source: HistorySource, isPeriod: Bool
  ) throws(HistoryError) -> HistoryReceipt {
    try write { [clock] db in
      let reading = clock.reading
      let set = try ClockWatch.check(db, reading, boot: clock.bootID)
      return try StepEntry(db, source).enter(steps, floors: floors, now: reading.now, set: set, isPeriod: isPeriod)
    }
  }

  /// Adds minutes in the form of ``HistoryReader/minutes(from:to:_:)``, and raises those that have fewer steps of the same source.
  /// - Returns: the number of minutes that are new or have more steps.
  @discardableResult
  public func add(_ minutes: [HistoryMinute]) throws(HistoryError) -> Int {
    try write { db in
      var ids: [HistorySource: Int64] = [:]
      var changed = 0
      let known = try db.makeStatement(
        sql: "SELECT steps, distance, active, ascended, descended FROM minute WHERE minute = ? AND source = ?")
      for minute in minutes {
        let id = try ids[minute.source] ?? StepEntry(db, minute.source).id
        ids[minute.source] = id
        let number = minute.start.microseconds.floored(by: .minute)
        guard number >= 0, var entry = MinuteTable.Entry(minute.totals) else { continue }
        if let former = try Row.fetchOne(known, arguments: [number, id]).map({ MinuteTable.Entry(withFloors: $0) }) {
          guard entry.steps > former.steps else { continue }
          let growth = entry - former
          entry = MinuteTable.Entry(
            steps: growth.steps, distance: max(0, growth.distance), active: max(0, growth.active),
            floors: growth.floors.map {
              MinuteTable.Floors(ascended: max(0, $0.ascended), descended: max(0, $0.descended))
            })
        }
        try MinuteTable.add(entry, minute: number, source: id, db)
        changed += 1
      }
      return changed
    }
  }

  /// Adds the steps by which a counter has risen since its reading before, which is stored in the same transaction: a reading
  /// that is sent again, late or out of order adds nothing.
  ///
  /// Cost: that of ``record(_:floors:source:)``, and reading the minutes between the two readings, at most 1500.
  /// - Parameters:
  ///   - reading: not in the future.
  ///   - source: the counter.
  ///   - stepLength: for the distance.
  /// - Returns: what was added, and why other steps were not.
  package func record(
    _ reading: CounterReading, source: HistorySource, stepLength: StepLengthModel
  ) throws(HistoryError) -> CounterReceipt {
    try write { db in try CounterTable.enter(reading, of: source, stepLength: stepLength, db) }
  }

  /// The maximum number of reports: with all their fields filled at most about 60 MB, usually a tenth of that.
  package static let mostReports = 100_000

  /// Stores a report, unless this user's report with this `id` exists; deletes the oldest beyond the limit.
  /// - Parameter most: the maximum number of reports.
  /// - Returns: the stored report, as it was first received.
  package func record(
    _ report: StoredReport, keeping most: Int = HistoryWriter.mostReports
  ) throws(HistoryError) -> ReportReceipt { try write { db in try ReportTable.enter(report, keeping: most, db) } }

  private func note(_ damage: HistoryDamage) { state.withLock { $0.damages.append(damage) } }

  /// A database whose migration or check wrote to it has more transactions than the lock file says.
  private func noteGeneration() throws(HistoryError) {
    let (queue, path) = (state.withLock { $0.queue }, folder.database)
    let generation = try speakingOf(path) {
      try queue.read { db in try Int64.fetchOne(db, sql: "SELECT generation FROM whole") ?? 0 }
    }
    lock.note(WriterLock.Mark(generation: generation, time: clock.now().microseconds))
  }

  /// Checks everything, and replaces the database if it is damaged: as at the start after a crash.
  ///
  /// Call it once a week while the program runs, and when a reader found damage. Records wait meanwhile: 1 s for a
  /// million minutes.
  /// - Returns: the damage that was found; `nil` if there is none.
  @discardableResult
  public func check() throws(HistoryError) -> HistoryDamage? {
    let (queue, path) = (state.withLock { $0.queue }, folder.database)
    do {
      try speakingOf(path) {
        try queue.read { db in try IntegrityCheck(db, path: path).all() }
        try HistoryStore.noteCheck(queue, clock.now())
      }
      return nil
    } catch {
      guard error.isDamage else { throw error }
      return try replace()
    }
  }

  /// Writes in one transaction. If the database turns out to be damaged, it is replaced, and the transaction is
  /// repeated in the new one.
  private func write<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    do { return try transact(body) } catch {
      guard error.isDamage else { throw error }
      try replace()
      return try transact(body)
    }
  }

  private func transact<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    let path = folder.database
    let (queue, file) = state.withLock { ($0.queue, $0.file) }
    // SQLite would go on writing into a file without a name, which ends with this process.
    guard FileNumber(of: path) == file else { throw .removed(path: path) }
    let (result, generation) = try speakingOf(path) {
      try queue.write { db in
        try Seals.begin(db)
        let result = try body(db)
        return (result, try Seals.advance(db))
      }
    }
    lock.note(WriterLock.Mark(generation: generation, time: clock.now().microseconds))
    return result
  }

  @discardableResult
  private func replace() throws(HistoryError) -> HistoryDamage? {
    let former = state.withLock { $0.queue }
    let opened = try HistoryStore.salvage(folder, now: clock.now(), former: WriterLock.mark(of: folder)) {
      try? former.close()
    }
    let file = FileNumber(of: folder.database)
    state.withLock { ($0.queue, $0.file) = (opened.queue, file) }
    if let damage = opened.damage { note(damage) }
    try noteGeneration()
    return opened.damage
  }
}
