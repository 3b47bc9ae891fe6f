import Foundation
import GRDB
import History

/// SQLite databases of telephones and watches, recognised by their tables.
enum StepDatabase {
  static func read(_ path: String, now: Date) throws -> ImportedFile {
    do {
      var configuration = Configuration()
      configuration.readonly = true
      return try DatabaseQueue(path: path, configuration: configuration).read { db in
        if try has(db, "steps_record_table", ["start_time", "end_time", "count"]) { return try healthConnect(db, now) }
        if try has(db, "stepcount", ["stepcount", "timestamp"]) { return try secuso(db, now) }
        return try Gadgetbridge.read(db, path, now)
      }
    } catch let error as DatabaseError {
      throw ImportFailure(place: path, reason: "the database cannot be read (\(error.message ?? "damaged"))")
    }
  }

  /// The database in Health Connect's export: `steps_record_table` with times in milliseconds; applications are in
  /// `application_info_table`.
  private static func healthConnect(_ db: Database, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    var names: [Int64: (identity: String, name: String)] = [:]
    if try has(db, "application_info_table", ["row_id", "package_name", "app_name"]) {
      for row in try Row.fetchAll(db, sql: "SELECT row_id, package_name, app_name FROM application_info_table") {
        guard let id = row.number(0) else { continue }
        let (package, name) = (row.text(1), row.text(2))
        names[id] = (package ?? "\(id)", name ?? package ?? "application")
      }
    }
    let devices = try devices(db)
    let hasSender = try has(db, "steps_record_table", ["app_info_id"])
    let hasDevice = try has(db, "steps_record_table", ["device_info_id"])
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT start_time, end_time, count, \(hasSender ? "app_info_id" : "NULL"),
          \(hasDevice ? "device_info_id" : "NULL") FROM steps_record_table
        ORDER BY start_time
        """)
    while let row = try rows.next() {
      let sender = row.number(3)
      guard let start = row.number(0), let end = row.number(1), let steps = row.number(2) else {
        file.refuse(row.number(2).map { Int(clamping: $0) }, at: "a row of steps_record_table", "a figure is missing")
        continue
      }
      let application = names[sender ?? 0] ?? ("\(sender ?? 0)", "application")
      let device = row.number(4).flatMap { devices[$0] }
      let identity = [application.identity, device].compactMap { $0 }.joined(separator: ":")
      let name = [application.name, device].compactMap { $0 }.joined(separator: ", ")
      file.add(
        ImportedPeriod(
          start: Date(timeIntervalSince1970: Double(start) / 1000),
          end: Date(timeIntervalSince1970: Double(end) / 1000),
          steps: Int(clamping: steps),
          source: HistorySource(
            identity: "import:health-connect:\(identity)", name: "\(name) (Health Connect)")),
        at: "steps_record_table", now: now)
    }
    return file
  }

  /// The manufacturers and models of devices: the numbers of rows may be different in the next export.
  private static func devices(_ db: Database) throws -> [Int64: String] {
    guard try has(db, "device_info_table", ["row_id", "manufacturer", "model"]) else { return [:] }
    var devices: [Int64: String] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT row_id, manufacturer, model FROM device_info_table") {
      let text = [row.text(1), row.text(2)].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
      if let id = row.number(0), !text.isEmpty { devices[id] = text }
    }
    return devices
  }

  /// The longest time to which an entry of SecUSo's Pedometer is attributed, in seconds: it stores the steps since the
  /// entry before, at least every hour in which there were any.
  private static let longestEntry = 3600.0

  /// The database of SecUSo's app Pedometer: the steps up to each time, in milliseconds.
  private static func secuso(_ db: Database, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    var former = Date.distantPast
    let rows = try Row.fetchCursor(db, sql: "SELECT timestamp, stepcount FROM stepcount ORDER BY timestamp")
    while let row = try rows.next() {
      guard let time = row.number(0), let steps = row.number(1) else {
        file.refuse(row.number(1).map { Int(clamping: $0) }, at: "a row of stepcount", "a figure is missing")
        continue
      }
      let end = Date(timeIntervalSince1970: Double(time) / 1000)
      file.add(
        ImportedPeriod(
          start: max(former, end - longestEntry), end: end, steps: Int(clamping: steps),
          source: HistorySource(identity: "import:secuso-pedometer", name: "Pedometer (SecUSo)")),
        at: "stepcount", now: now)
      former = end
    }
    return file
  }

  static func has(_ db: Database, _ table: String, _ columns: Set<String>) throws -> Bool {
    try db.tableExists(table) && columns.isSubset(of: Set(try db.columns(in: table).map(\.name)))
  }
}

/// SQLite stores any value in any column, and GRDB's subscripts end the process at a value of another type.
extension Row {
  /// A whole number; `nil` for any other value.
  func number(_ column: Int) -> Int64? { Int64.fromDatabaseValue(self[column]) }

  /// A text; `nil` for any other value.
  func text(_ column: Int) -> String? { String.fromDatabaseValue(self[column]) }
}
