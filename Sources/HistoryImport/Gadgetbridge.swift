import Foundation
import GRDB
import History

/// The database that Gadgetbridge exports: a table for each family of watches (`MI_BAND_ACTIVITY_SAMPLE`,
/// `HUAMI_EXTENDED_ACTIVITY_SAMPLE` …), with `TIMESTAMP` in seconds, `DEVICE_ID` and the `STEPS` of that minute.
enum Gadgetbridge {
  static func read(_ db: Database, _ path: String, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    var names: [Int64: (identity: String, name: String)] = [:]
    if try StepDatabase.has(db, "DEVICE", ["_id", "NAME", "IDENTIFIER"]) {
      for row in try Row.fetchAll(db, sql: "SELECT _id, NAME, IDENTIFIER FROM DEVICE") {
        guard let id = row.number(0) else { continue }
        names[id] = (row.text(2) ?? "\(id)", row.text(1) ?? "watch")
      }
    }
    let tables = try Row.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%ACTIVITY\\_SAMPLE' ESCAPE '\\'"
    ).compactMap { $0.text(0) }
    var found = false
    for table in tables.sorted() where try StepDatabase.has(db, table, ["TIMESTAMP", "DEVICE_ID", "STEPS"]) {
      found = true
      let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
      let rows = try Row.fetchCursor(
        db, sql: "SELECT TIMESTAMP, DEVICE_ID, STEPS FROM \(quoted) WHERE STEPS > 0 ORDER BY TIMESTAMP")
      while let row = try rows.next() {
        guard let time = row.number(0), let steps = row.number(2) else { continue }
        let device = row.number(1)
        // Newer tables count milliseconds.
        let start = Date(timeIntervalSince1970: Double(time) / (time > 100_000_000_000 ? 1000 : 1))
        let sender = names[device ?? 0] ?? ("\(device ?? 0)", "watch")
        file.add(
          ImportedPeriod(
            start: start, end: start + 60, steps: Int(clamping: steps),
            source: HistorySource(
              identity: "import:gadgetbridge:\(sender.identity)", name: "\(sender.name) (Gadgetbridge)")),
          now: now)
      }
    }
    guard found else {
      throw ImportFailure(
        place: path,
        reason:
          "no table with steps found; give the database that Gadgetbridge, Health Connect or SecUSo's Pedometer exports"
      )
    }
    return file
  }
}
