import Foundation
import GRDB
import History
import Platform

/// The database that Gadgetbridge exports: a table for each family of watches (`MI_BAND_ACTIVITY_SAMPLE`,
/// `HUAMI_EXTENDED_ACTIVITY_SAMPLE` …), with `TIMESTAMP` in seconds, `DEVICE_ID` and `STEPS`.
///
/// Only some tables have the steps of each minute. Others have totals of a day or of other intervals, and are not read.
enum Gadgetbridge {
  /// Amazfit and Mi Band, Xiaomi, Pebble, and Fossil Hybrid HR: the steps of the minute that begins at the time.
  private static let minuteTables: Set<String> = [
    "MI_BAND_ACTIVITY_SAMPLE", "HUAMI_EXTENDED_ACTIVITY_SAMPLE", "XIAOMI_ACTIVITY_SAMPLE",
    "PEBBLE_HEALTH_ACTIVITY_SAMPLE", "HYBRID_HRACTIVITY_SAMPLE",
  ]

  static func read(_ db: Database, _ input: InputFile, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    let names = try StepDatabase.names(db, "DEVICE", "_id", "IDENTIFIER", "NAME")
    let tables = try Row.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%ACTIVITY\\_SAMPLE' ESCAPE '\\'"
    ).prefix(InputLimits.names).compactMap { $0.text(0) }
    var found = false
    var others: [String] = []
    for table in tables.sorted() where try StepDatabase.has(db, table, ["TIMESTAMP", "DEVICE_ID", "STEPS"]) {
      let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
      guard minuteTables.contains(table) else {
        if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted) WHERE STEPS > 0)") ?? false {
          others.append(table)
        }
        continue
      }
      found = true
      let rows = try Row.fetchCursor(
        db, sql: "SELECT TIMESTAMP, DEVICE_ID, STEPS FROM \(quoted) WHERE STEPS > 0 ORDER BY TIMESTAMP")
      while let row = try rows.next() {
        try input.cost.takeRow(of: input.path)
        guard let time = row.number(0), let steps = row.number(2) else { continue }
        let device = row.number(1)
        // Newer tables count milliseconds.
        let start = Date(timeIntervalSince1970: Double(time) / (time > 100_000_000_000 ? 1000 : 1))
        let words = names[device ?? 0]
        file.add(
          ImportedPeriod(
            start: start, end: start + 60, steps: Int(clamping: steps),
            source: .imported(
              ("gadgetbridge", "Gadgetbridge"), [words?[0] ?? "\(device ?? 0)"], [words?[1] ?? "watch"])),
          at: table, now: now)
      }
    }
    if !others.isEmpty {
      let remedy =
        others.contains("GARMIN_ACTIVITY_SAMPLE")
        ? "give the files of the watch's folder GARMIN/MONITOR" : "give a list of days (date,steps)"
      let reason =
        "\(others.joined(separator: ", ")) was not read: its steps are not known to be those of single minutes; \(remedy)"
      guard found else { throw ImportFailure(place: input.path, reason: reason) }
      file.notices.append(reason)
    }
    guard found else {
      throw ImportFailure(
        place: input.path,
        reason:
          "no table with steps found; give the database that Gadgetbridge, Health Connect or SecUSo's Pedometer exports"
      )
    }
    return file
  }
}
