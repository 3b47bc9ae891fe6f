import Foundation
import GRDB

/// Compares rows with their checksums before they are shown.
///
/// Every quarter of an hour and every day has a checksum over its own row and the sum of those below, so a changed row,
/// a missing row and a missing page are noticed at whatever level they occur. A query costs about as much again as
/// without; a check of everything, 0.5 µs for each minute.
struct IntegrityCheck {
  /// Which minutes to check, besides the sums of quarters and days.
  enum Minutes {
    case all, ofTheEnds
  }

  private let db: Database
  private let path: String

  init(_ db: Database, path: String) { (self.db, self.path) = (db, path) }

  /// Checks the pages and all rows of the file.
  func all() throws {
    try pages("1")
    try check(from: nil, to: nil, .all)
    try bouts(from: nil, to: nil)
    let isNamed = try Bool.fetchOne(
      db, sql: "SELECT NOT EXISTS (SELECT 1 FROM minute WHERE source NOT IN (SELECT id FROM source))")
    if isNamed != true { throw HistoryError.damaged(path: path, reason: "a source is missing") }
  }

  /// Checks the structure of pages.
  /// - Parameter what: a table, or the maximum number of errors to report for the whole file.
  func pages(_ what: String) throws {
    let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(\(what))") ?? "no answer"
    guard verdict == "ok" else { throw HistoryError.damaged(path: path, reason: verdict) }
  }

  /// Checks what a query of a period reads.
  /// - Throws: ``HistoryError/Code/damaged`` with the first periods that are.
  func check(from: Date?, to: Date?, _ minutes: Minutes) throws {
    let first = from?.microseconds.floored(by: .minute).floored(by: .quarter) ?? -1 << 40
    let last = to?.microseconds.ceiled(by: .minute).ceiled(by: .quarter) ?? 1 << 40
    var bad = try quarters(first, last)
    switch minutes {
    case .all: bad += try self.minutes(first, last)
    case .ofTheEnds:
      bad += try self.minutes(first, min(first + 1, last))
      if last - first > 1 { bad += try self.minutes(last - 1, last) }
    }
    bad += try days(first.floored(by: Seals.quarters), last.ceiled(by: Seals.quarters))
    try refuse(
      bad.map { range in
        HistoryLoss(start: Date(minute: range.lowerBound), end: Date(minute: range.upperBound), noticed: .distantPast)
      }.merged)
    try sources()
  }

  private func refuse(_ losses: [HistoryLoss]) throws {
    if losses.isEmpty { return }
    throw HistoryError.damaged(path: path, reason: "wrong checksums: \(losses.summary)", losses: losses)
  }

  /// The keys of the first rows between two that are not as their checksums say.
  private func find(_ query: String, _ first: Int64, _ last: Int64) throws -> [Int64] {
    try Int64.fetchAll(db.cachedStatement(sql: query + " LIMIT 1000"), arguments: [first, last])
  }

  /// Quarters whose own row was changed.
  private func quarters(_ first: Int64, _ last: Int64) throws -> [Range<Int64>] {
    try find(
      "SELECT quarter FROM quarter WHERE quarter >= ? AND quarter < ? AND chk IS NOT \(RowDigest.quarter)", first, last
    ).map(Self.quarter)
  }

  private static func quarter(_ number: Int64) -> Range<Int64> { number * .quarter..<(number + 1) * .quarter }

  /// Quarters whose minutes were changed or are missing.
  private func minutes(_ first: Int64, _ last: Int64) throws -> [Range<Int64>] {
    let bad = try find(
      """
      SELECT quarter FROM quarter WHERE quarter >= ? AND quarter < ? AND digest IS NOT
        (SELECT coalesce(sum(\(RowDigest.minute)), 0) FROM minute WHERE minute >= quarter * 15 AND minute < quarter * 15 + 15)
      """, first, last)
    if !bad.isEmpty { return bad.map(Self.quarter) }
    // Minutes without a quarter.
    let counts = try db.cachedStatement(
      sql: """
        SELECT (SELECT count(*) FROM minute WHERE minute >= ?1 * 15 AND minute < ?2 * 15) IS
          (SELECT coalesce(sum(minutes), 0) FROM quarter WHERE quarter >= ?1 AND quarter < ?2)
        """)
    if try Bool.fetchOne(counts, arguments: [first, last]) == true { return [] }
    let stray = try find(
      """
      SELECT DISTINCT minute / 15 FROM minute WHERE minute >= ? * 15 AND minute < ? * 15
        AND minute / 15 NOT IN (SELECT quarter FROM quarter)
      """, first, last)
    return stray.isEmpty ? [first * .quarter..<last * .quarter] : stray.map(Self.quarter)
  }

  /// Days whose own row was changed, and days whose quarters are missing.
  private func days(_ first: Int64, _ last: Int64) throws -> [Range<Int64>] {
    let bad = try find(
      """
      SELECT day FROM day WHERE day >= ?1 AND day < ?2 AND (chk IS NOT \(RowDigest.day) OR digest IS NOT
        (SELECT coalesce(sum(digest), 0) FROM quarter WHERE quarter >= day * 96 AND quarter < day * 96 + 96))
      UNION SELECT DISTINCT quarter / 96 FROM quarter WHERE quarter >= ?1 * 96 AND quarter < ?2 * 96
        AND quarter / 96 NOT IN (SELECT day FROM day)
      """, first, last)
    if !bad.isEmpty { return bad.map { $0 * Seals.quarters * .quarter..<($0 + 1) * Seals.quarters * .quarter } }
    let isWhole = try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*) = 1 AND sum(chk IS \(RowDigest.whole)) = 1 AND (SELECT coalesce(sum(digest), 0) FROM day)
            IS min(digest) AND (SELECT coalesce(sum(bouts), 0) FROM day) IS min(bouts) FROM whole
          """))
    if isWhole == true { return [] }
    let range = try Row.fetchOne(db, sql: "SELECT min(minute), max(minute) + 1 FROM minute")
    let (start, end): (Int64?, Int64?) = (range?[0], range?[1])
    return [(start ?? 0)..<max(end ?? 1, (start ?? 0) + 1)]
  }

  private func sources() throws {
    var tables = [("source", RowDigest.source)]
    // Version 0.1 had no counters.
    if try db.tableExists("counter") { tables.append(("counter", RowDigest.counter)) }
    for (table, digest) in tables {
      let bad = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM \(table) WHERE chk IS NOT \(digest)"))
      if bad != 0 { throw HistoryError.damaged(path: path, reason: "a \(table) does not match its checksum") }
    }
  }

  func bouts(from: Date?, to: Date?) throws {
    let first = (from?.microseconds ?? 0).floored(by: Seals.day)
    let last = (to?.microseconds ?? 1 << 60).ceiled(by: Seals.day)
    let bad = try find(
      """
      SELECT day FROM day WHERE day >= ? AND day < ? AND bouts IS NOT (SELECT coalesce(sum(\(RowDigest.bout)), 0)
        FROM bout WHERE start >= day * \(Seals.day) AND start < (day + 1) * \(Seals.day))
      """, first, last)
    try refuse(
      bad.map { day in
        let start = Date(microseconds: day * Seals.day)
        return HistoryLoss(start: start, end: start + 86_400, kind: .bouts, noticed: .distantPast)
      })
  }
}
