import Analytics
import Foundation
import GRDB
import Pedometry

/// Reads the history of a folder, even while another process is writing it.
///
/// Periods have no limit: a query may cover all recorded years. Every answer is a consistent snapshot.
///
///     let reader = try HistoryReader(folder: .standard)
///     let today = DayCalendar().day(containing: Date())
///     print(try reader.totals(from: today.start, to: today.end).steps)
///     for hour in try reader.buckets(from: today.start, to: today.end, by: .hour) { print(hour.start, hour.steps) }
public final class HistoryReader: Sendable {
  /// The folder of the history.
  public let folder: HistoryFolder
  let store: ReadingStore

  /// The maximum number of buckets of an answer: more than a year of minutes.
  public static let mostBuckets = 600_000

  /// Opens a history.
  /// - Throws: ``HistoryError/Code/nothingYet`` if there is no history yet, and others.
  public init(folder: HistoryFolder) throws(HistoryError) {
    self.folder = folder
    store = try ReadingStore(folder)
  }

  /// The totals between two moments; the second is exclusive.
  ///
  /// Within the last two days they are exact to the step; before that, partial minutes count in proportion. Floors of a
  /// partial minute count with its end.
  public func totals(from: Date, to: Date) throws(HistoryError) -> WalkTotals {
    try Self.check(from, to)
    return try store.read(checking: from, to, .ofTheEnds) { db in
      WalkTotals(try PeriodSums(db).sum(from.microseconds, to.microseconds))
    }
  }

  /// The totals between two moments by buckets, including those without steps.
  /// - Parameters:
  ///   - from: the beginning.
  ///   - to: the end, exclusive.
  ///   - length: the length of a bucket; the first and the last may be shorter.
  ///   - calendar: the calendar of days and hours.
  public func buckets(
    from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar = DayCalendar()
  ) throws(HistoryError) -> [HistoryBucket] {
    try Self.check(from, to)
    let edges = try calendar.edges(from: from, to: to, by: length, most: Self.mostBuckets)
    // Edges within quarters of an hour need the minutes beside them.
    let isWhole = edges.allSatisfy { $0 == edges.last || $0.microseconds % (.quarter * .minute) == 0 }
    return try store.read(checking: from, to, isWhole && length != .minute ? .ofTheEnds : .all) { db in
      let sums = try PeriodSums(db)
      let minutes = length == .minute ? try sums.wholeMinutes(from.microseconds, to.microseconds) : [:]
      return try zip(edges, edges.dropFirst()).map { start, end in
        let (first, last) = (start.microseconds, end.microseconds)
        let entry =
          length == .minute && last - first == .minute
          ? minutes[first.floored(by: .minute)] ?? MinuteTable.Entry() : try sums.sum(first, last)
        return HistoryBucket(start: start, end: end, totals: WalkTotals(entry))
      }
    }
  }

  /// The minutes between two moments in which a source counted, by rising time, separately for each source. A minute in
  /// which the walker changed from one source to another has an additional source, with the steps of both.
  /// - Parameters:
  ///   - from: the beginning.
  ///   - to: the end, exclusive.
  ///   - body: gets one minute after the other; an error that it throws ends the reading.
  public func minutes(from: Date, to: Date, _ body: (HistoryMinute) throws -> Void) throws {
    try Self.check(from, to)
    let path = folder.database
    try store.readAnything { db in
      try IntegrityCheck(db, path: path).check(from: from, to: to, .all)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT minute, identity, name, steps, distance, active, ascended, descended FROM minute
          LEFT JOIN source ON source.id = source
          WHERE minute >= ? AND minute < ? ORDER BY minute, source
          """,
        arguments: [from.microseconds.ceiled(by: .minute), to.microseconds.ceiled(by: .minute)])
      while let row = try rows.next() {
        guard let identity: String = row[1], let name: String = row[2] else {
          throw HistoryError.damaged(path: path, reason: "a source is missing")
        }
        try body(
          HistoryMinute(
            start: Date(minute: row[0]), source: HistorySource(identity: identity, name: name),
            totals: WalkTotals(MinuteTable.Entry(withFloors: row, from: 3))))
      }
    }
  }

  /// The bouts that overlap with a period, by rising time; overlapping bouts of several sources are merged.
  public func bouts(from: Date, to: Date) throws(HistoryError) -> [HistoryBout] {
    try Self.check(from, to)
    return try store.read(checking: from - 86_400, to, .ofTheEnds, bouts: true) { db in
      try BoutReading.bouts(db, from.microseconds, to.microseconds)
    }
  }

  /// The walk with the longest walking time: minutes with steps that are at most two minutes apart, with the steps of the source that
  /// counted most in each; `nil` before any. Takes a second for ten years of minutes.
  /// - Parameter periods: whose minutes are no walk.
  public func longestWalk(without periods: [DateInterval] = []) throws(HistoryError) -> HistoryBout? {
    let none = periods.map { period in
      ", (\(period.start.microseconds.floored(by: .minute)), \(period.end.microseconds.ceiled(by: .minute)))"
    }
    return try store.read { db in
      guard
        let row = try Row.fetchOne(
          db,
          sql: """
            WITH none(first, last) AS (VALUES (0, 0)\(none.joined())), best AS (
              -- With max() alone, the other columns are those of that row.
              SELECT minute, max(steps) AS steps, distance, active FROM minute WHERE steps > 0 AND NOT EXISTS
                (SELECT 1 FROM none WHERE minute >= first AND minute < last) GROUP BY minute
            ), marked AS (
              SELECT *, minute - lag(minute, 1, -9) OVER (ORDER BY minute) > 3 AS begins FROM best
            ), numbered AS (SELECT *, sum(begins) OVER (ORDER BY minute) AS walk FROM marked)
            SELECT min(minute), max(minute), sum(steps), sum(distance), sum(active) FROM numbered
            GROUP BY walk HAVING sum(steps) >= 30 ORDER BY sum(active) DESC, min(minute) LIMIT 1
            """)
      else { return nil }
      return HistoryBout(
        start: Date(minute: row[0]), end: Date(minute: row[1] + 1),
        totals: WalkTotals(MinuteTable.Entry(row, from: 2)))
    }
  }

  /// From the first minute with a step to the end of the last one; `nil` before the first step.
  public func period() throws(HistoryError) -> DateInterval? {
    try store.read { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT min(minute), max(minute) FROM minute"),
        let first: Int64 = row[0], let last: Int64 = row[1]
      else { return nil }
      return DateInterval(start: Date(minute: first), end: Date(minute: last + 1))
    }
  }

  /// Whether floors were ever counted: whether a source had a barometer.
  public func hasFloors() throws(HistoryError) -> Bool {
    try store.read { db in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM quarter WHERE ascended IS NOT NULL)") ?? false
    }
  }

  /// Compares what is stored for a period with its checksums.
  /// - Throws: ``HistoryError/Code/damaged`` with the dates, and others.
  public func check(from: Date, to: Date) throws(HistoryError) {
    try store.read(checking: from, to, .all, bouts: true) { _ in }
  }

  /// The periods in which data were lost because a file was damaged, by rising time.
  public func losses() throws(HistoryError) -> [HistoryLoss] { try store.read { db in try LossTable.all(db) } }

  /// The latest reports, the first received first.
  package func reports(limit: Int) throws(HistoryError) -> [StoredReport] {
    try store.read { db in try ReportTable.latest(limit, db) }
  }

  /// The latest steps before a moment, the newest last, and of the source of the newest.
  func latestSteps(before: Date, count: Int) throws(HistoryError) -> [(time: Date, distance: Double)] {
    try store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT time, distance FROM step WHERE time <= ?1 AND source =
            (SELECT source FROM step JOIN source ON source.id = source WHERE time <= ?1 AND identity <> ?3
              ORDER BY time DESC LIMIT 1)
            ORDER BY time DESC LIMIT ?2
          """, arguments: [before.microseconds, count, JointMinutes.source.identity])
      return rows.reversed().map { row in
        let distance: Int64 = row[1]
        return (Date(microseconds: row[0]), Double(distance) / 1e6)
      }
    }
  }

  private static func check(_ from: Date, _ to: Date) throws(HistoryError) {
    guard from <= to else { throw .badPeriod(from: from, to: to) }
  }
}

extension WalkTotals {
  package init(_ entry: MinuteTable.Entry) {
    self.init(
      steps: entry.steps, distanceTravelled: Double(entry.distance) / 1e6, activeTime: .microseconds(entry.active),
      floorsAscended: entry.floors?.ascended, floorsDescended: entry.floors?.descended)
  }
}
