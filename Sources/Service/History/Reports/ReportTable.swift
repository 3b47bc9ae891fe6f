import Foundation
import GRDB

/// The table of reports: the latest ones, in order of arrival.
enum ReportTable {
  private static let columns = "identifier, user, name, type, eventDate, recordedDate, duration, device, os, appVersion"

  /// Inserts a report, unless this user's report with this identifier exists; deletes the oldest beyond the limit.
  /// - Returns: the stored report, and whether it is new.
  static func enter(
    _ report: ReportRecord, keeping most: Int, _ db: Database
  ) throws -> (kept: ReportRecord, isNew: Bool) {
    let identity: StatementArguments = [report.id.uuidString, report.user]
    let known = "SELECT \(columns) FROM report WHERE identifier = ? AND user = ?"
    if let row = try Row.fetchOne(db, sql: known, arguments: identity) { return (try record(row), false) }
    try db.execute(
      sql: "INSERT INTO report (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        report.id.uuidString, report.user, report.name, report.type, milliseconds(report.eventDate),
        milliseconds(report.recordedDate), report.duration, report.device, report.os, report.appVersion,
      ])
    // The newest is never deleted, so numbers only rise.
    try db.execute(sql: "DELETE FROM report WHERE number <= ?", arguments: [db.lastInsertedRowID - Int64(most)])
    return (report, true)
  }

  /// The latest reports, the first received first.
  static func latest(_ limit: Int, _ db: Database) throws -> [ReportRecord] {
    try Row.fetchAll(
      db, sql: "SELECT \(columns) FROM report ORDER BY number DESC LIMIT ?", arguments: [max(0, limit)]
    ).reversed().map(record)
  }

  private static func record(_ row: Row) throws -> ReportRecord {
    let (identifier, event, recorded): (String, Int64, Int64) = (row[0], row[4], row[5])
    guard let id = UUID(uuidString: identifier) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a report's identifier is not a UUID")
    }
    return ReportRecord(
      id: id, user: row[1], name: row[2], type: row[3], eventDate: date(event), recordedDate: date(recorded),
      duration: row[6], device: row[7], os: row[8], appVersion: row[9])
  }

  /// Milliseconds since 1970, rounded to the nearest. Any four-digit year fits.
  private static func milliseconds(_ date: Date) -> Int64 {
    Int64((min(max(date.timeIntervalSince1970, -1e12), 1e12) * 1000).rounded())
  }

  private static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
