import Foundation
import GRDB
import GRDBSQLite
import History
import Platform

/// SQLite databases of telephones and watches, recognised by their tables.
enum StepDatabase {
  static func read(_ input: InputFile, now: Date) throws -> ImportedFile {
    let cost = input.cost
    do {
      var configuration = Configuration()
      configuration.readonly = true
      return try DatabaseQueue(path: input.path, configuration: configuration).read { db in
        try prepare(db, cost)
        if try has(db, "steps_record_table", ["start_time", "end_time", "count"]) {
          return try healthConnect(db, input, now)
        }
        if try has(db, "stepcount", ["stepcount", "timestamp"]) { return try secuso(db, input, now) }
        return try Gadgetbridge.read(db, input, now)
      }
    } catch let error as DatabaseError {
      try cost.check(input.path)
      throw ImportFailure(place: input.path, reason: "the database cannot be read (\(error.message ?? "damaged"))")
    }
  }

  /// A database is a program of whoever wrote it: nothing of it is run that this one does not ask for, values are short, and every query
  /// can be interrupted.
  private static func prepare(_ db: Database, _ cost: ImportCost) throws {
    try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    guard let handle = unsafe db.sqliteConnection else { return }
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(InputLimits.databaseValue))
    // It lives as long as the queue that is read from.
    let context = unsafe Unmanaged.passUnretained(cost).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, 10_000,
      { context in
        guard let context = unsafe context else { return 1 }
        let cost = unsafe Unmanaged<ImportCost>.fromOpaque(context).takeUnretainedValue()
        return (try? cost.check("")) == nil ? 1 : 0
      }, context)
  }

  /// The database in Health Connect's export: `steps_record_table` with times in milliseconds; applications are in
  /// `application_info_table`.
  private static func healthConnect(_ db: Database, _ input: InputFile, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    let applications = try names(db, "application_info_table", "row_id", "package_name", "app_name")
    let devices = try names(db, "device_info_table", "row_id", "manufacturer", "model").mapValues { words in
      words.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }.filter { !$0.value.isEmpty }
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
      try input.cost.takeRow(of: input.path)
      let sender = row.number(3)
      guard let start = row.number(0), let end = row.number(1), let steps = row.number(2) else {
        file.refuse(row.number(2).map { Int(clamping: $0) }, at: "a row of steps_record_table", "a figure is missing")
        continue
      }
      let words = applications[sender ?? 0]
      // The numbers of rows may be different in the next export.
      let device = row.number(4).flatMap { devices[$0] }
      file.add(
        ImportedPeriod(
          start: Date(timeIntervalSince1970: Double(start) / 1000),
          end: Date(timeIntervalSince1970: Double(end) / 1000), steps: Int(clamping: steps),
          source: .imported(
            ("health-connect", "Health Connect"), [words?[0] ?? "\(sender ?? 0)", device],
            [words?.compactMap(\.self).last ?? "application", device])),
        at: "steps_record_table", now: now)
    }
    return file
  }

  /// The texts in two columns of a table, by the number in another; empty without them.
  static func names(_ db: Database, _ table: String, _ number: String, _ first: String, _ second: String) throws
    -> [Int64: [String?]]
  {
    guard try has(db, table, [number, first, second]) else { return [:] }
    var names: [Int64: [String?]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT \(number), \(first), \(second) FROM \(table)")
    while let row = try rows.next(), names.count < InputLimits.names {
      if let id = row.number(0) { names[id] = [row.text(1), row.text(2)] }
    }
    return names
  }

  /// The longest time to which an entry of SecUSo's Pedometer is attributed, in seconds: it stores the steps since the
  /// entry before, at least every hour in which there were any.
  private static let longestEntry = 3600.0

  /// The database of SecUSo's app Pedometer: the steps up to each time, in milliseconds.
  private static func secuso(_ db: Database, _ input: InputFile, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    var former = Date.distantPast
    let rows = try Row.fetchCursor(db, sql: "SELECT timestamp, stepcount FROM stepcount ORDER BY timestamp")
    while let row = try rows.next() {
      try input.cost.takeRow(of: input.path)
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

  /// Whether there is a table with columns of stored values: no view, nothing virtual or calculated.
  static func has(_ db: Database, _ table: String, _ columns: Set<String>) throws -> Bool {
    let sql = """
      SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 AND EXISTS
        (SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?1 COLLATE NOCASE)
      """
    return columns.isSubset(of: try String.fetchSet(db, sql: sql, arguments: [table]))
  }
}

/// SQLite stores any value in any column, and GRDB's subscripts end the process at a value of another type.
extension Row {
  /// A whole number; `nil` for any other value.
  func number(_ column: Int) -> Int64? { Int64.fromDatabaseValue(self[column]) }

  /// A text of the usual length of names; `nil` for any other value.
  func text(_ column: Int) -> String? {
    String.fromDatabaseValue(self[column]).map {
      String(String.UnicodeScalarView($0.unicodeScalars.prefix(InputLimits.name)))
    }
  }
}
