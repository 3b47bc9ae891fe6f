import Analytics
import Foundation
import GRDB
import Platform

/// The table of reports: the latest ones, in order of arrival.
enum ReportTable {
  private static let columns = "identifier, user, name, type, eventDate, recordedDate, duration, device, os, appVersion"

  /// Inserts a report, unless this user's report with this identifier exists; deletes the oldest beyond the limit.
  /// - Returns: the stored report, as it was first received.
  static func enter(_ report: StoredReport, keeping most: Int, _ db: Database) throws -> ReportReceipt {
    let identity: StatementArguments = [report.id.uuidString, report.user]
    let known = "SELECT \(columns) FROM report WHERE identifier = ? AND user = ?"
    if let row = try Row.fetchOne(db, sql: known, arguments: identity) {
      return ReportReceipt(try stored(row), isNew: false)
    }
    try db.execute(
      sql: "INSERT INTO report (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        report.id.uuidString, report.user, report.name, report.type, milliseconds(report.eventDate),
        milliseconds(report.recordedDate), report.duration, report.device, report.os, report.appVersion,
      ])
    // The newest is never deleted, so numbers only rise.
    try db.execute(sql: "DELETE FROM report WHERE number <= ?", arguments: [db.lastInsertedRowID - Int64(most)])
    return ReportReceipt(report, isNew: true)
  }

  /// The latest reports, the first received first.
  static func latest(_ limit: Int, _ db: Database) throws -> [StoredReport] {
    try Row.fetchAll(
      db, sql: "SELECT \(columns) FROM report ORDER BY number DESC LIMIT ?", arguments: [max(0, limit)]
    ).reversed().map(stored)
  }

  private static func stored(_ row: Row) throws -> StoredReport {
    let (identifier, event, recorded): (String, Int64, Int64) = (row[0], row[4], row[5])
    guard let id = UUID(uuidString: identifier) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a report's identifier is not a UUID")
    }
    return StoredReport(
      id: id, name: row[2], user: row[1], eventDate: date(event), recordedDate: date(recorded), type: row[3],
      duration: row[6], device: row[7], os: row[8], appVersion: row[9])
  }

  /// Milliseconds since 1970, rounded to the nearest. Any four-digit year fits.
  private static func milliseconds(_ date: Date) -> Int64 {
    Int64(bounded: min(max(date.timeIntervalSince1970, -1e12), 1e12) * 1000)
  }

  private static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
