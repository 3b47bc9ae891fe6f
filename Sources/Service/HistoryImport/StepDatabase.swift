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
        return try content(db, input, now)
      }
    } catch let error as DatabaseError {
      try cost.check(input.path)
      throw ImportFailure(at: input.path, "the database cannot be read (\(error.message ?? "damaged"))")
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

  /// A table of steps in the database of an app. Times are in seconds or milliseconds.
  private struct Table {
    var name: String
    var program: (id: String, name: String)
    /// Without one, an entry has the steps since the one before.
    var start: String?
    /// Without one, an entry has the steps of a minute.
    var end: String?
    var steps: String
    var condition = "1"
    /// For sources without the name of a device or a program.
    var fallback: String
    var owners: [Owners] = []
  }

  /// Where a number in a column stands for a program or a device. Joined, both texts are a name that the next export has as well.
  private typealias Owners = (
    column: String, table: String, number: String, first: String, second: String, areJoined: Bool
  )

  private static let tables: [Table] =
    [
      Table(
        name: "steps_record_table", program: ("health-connect", "Health Connect"), start: "start_time", end: "end_time",
        steps: "count", fallback: "application",
        owners: [
          ("app_info_id", "application_info_table", "row_id", "package_name", "app_name", false),
          ("device_info_id", "device_info_table", "row_id", "manufacturer", "model", true),
        ]),
      Table(
        name: "stepcount", program: ("secuso-pedometer", "SecUSo"), end: "timestamp", steps: "stepcount",
        fallback: "Pedometer"),
    ]
    + minuteTables.map {
      Table(
        name: $0, program: ("gadgetbridge", "Gadgetbridge"), start: "TIMESTAMP", steps: "STEPS", condition: "STEPS > 0",
        fallback: "watch",
        owners: [("DEVICE_ID", "DEVICE", "_id", "IDENTIFIER", "NAME", false)])
    }

  /// Gadgetbridge has a table for each family of watches, and only some have the steps of each minute: those of Amazfit and
  /// Mi Band, Xiaomi, Pebble, and Fossil Hybrid HR. Others have totals of a day or of other intervals, and are not read.
  private static let minuteTables = [
    "HUAMI_EXTENDED_ACTIVITY_SAMPLE", "HYBRID_HRACTIVITY_SAMPLE", "MI_BAND_ACTIVITY_SAMPLE",
    "PEBBLE_HEALTH_ACTIVITY_SAMPLE", "XIAOMI_ACTIVITY_SAMPLE",
  ]

  /// The longest time to which an entry without a start is attributed, in seconds: SecUSo's Pedometer stores the steps at least
  /// every hour in which there were any.
  private static let longestEntry = 3600.0

  private static func content(_ db: Database, _ input: InputFile, _ now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    let found = try tables.filter {
      try has(db, $0.name, Set([$0.start, $0.end, $0.steps].compactMap(\.self)))
    }
    for table in found { try read(table, db, input, now, &file) }
    let others = try otherTables(db)
    let remedy =
      others.contains("GARMIN_ACTIVITY_SAMPLE")
      ? "give the files of the watch's folder GARMIN/MONITOR" : "give a list of days (date,steps)"
    let reason =
      others.isEmpty
      ? "no table with steps found; give the database that Gadgetbridge, Health Connect or SecUSo's Pedometer exports"
      : "\(others.joined(separator: ", ")) was not read: its steps are not known to be those of single minutes; \(remedy)"
    guard !found.isEmpty else { throw ImportFailure(at: input.path, reason) }
    if !others.isEmpty { file.notices.append(reason) }
    return file
  }

  private static func read(
    _ table: Table, _ db: Database, _ input: InputFile, _ now: Date, _ file: inout ImportedFile
  ) throws {
    let owners = try table.owners.filter { try has(db, table.name, [$0.column]) }.map { ($0, try names(db, $0)) }
    let columns = [table.start, table.end].map { $0 ?? "0" } + [table.steps] + owners.map(\.0.column)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(columns.joined(separator: ", ")) FROM \(table.name) WHERE \(table.condition)
        ORDER BY \(table.start ?? table.end ?? table.steps)
        """)
    func date(_ time: Int64) -> Date { Date(timeIntervalSince1970: Double(time) / (time > 100_000_000_000 ? 1000 : 1)) }
    var former = Date.distantPast
    while let row = try rows.next() {
      try input.cost.takeRow(of: input.path)
      guard let start = row.number(0), let end = row.number(1), let steps = row.number(2) else {
        file.refuse(row.number(2).map { Int(clamping: $0) }, at: "a row of \(table.name)", "a figure is missing")
        continue
      }
      let stop = table.end == nil ? date(start) + 60 : date(end)
      var (identity, name): ([String], [String]) = ([], [])
      for (index, (owner, names)) in owners.enumerated() {
        let number = row.number(3 + index)
        let texts = (number.flatMap { names[$0] } ?? []).compactMap(\.self)
        if owner.areJoined {
          let text = texts.filter { !$0.isEmpty }.joined(separator: " ")
          if !text.isEmpty { (identity, name) = (identity + [text], name + [text]) }
        } else {
          identity.append(texts.first ?? "\(number ?? 0)")
          name.append(texts.last ?? table.fallback)
        }
      }
      file.add(
        ImportedPeriod(
          start: table.start == nil ? max(former, stop - longestEntry) : date(start), end: stop,
          steps: Int(clamping: steps),
          source: .imported(table.program, identity, name.isEmpty ? [table.fallback] : name)),
        at: table.name, now: now)
      former = stop
    }
  }

  /// Tables of Gadgetbridge that are not read, and have steps.
  private static func otherTables(_ db: Database) throws -> [String] {
    let all = try Row.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%ACTIVITY\\_SAMPLE' ESCAPE '\\'"
    ).prefix(InputLimits.names).compactMap { $0.text(0) }
    return try all.sorted().filter { table in
      guard !minuteTables.contains(table), try has(db, table, ["TIMESTAMP", "DEVICE_ID", "STEPS"]) else { return false }
      let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
      return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted) WHERE STEPS > 0)") ?? false
    }
  }

  /// The texts of programs or devices, by their numbers; empty without their table.
  private static func names(_ db: Database, _ owners: Owners) throws -> [Int64: [String?]] {
    guard try has(db, owners.table, [owners.number, owners.first, owners.second]) else { return [:] }
    var names: [Int64: [String?]] = [:]
    let rows = try Row.fetchCursor(
      db, sql: "SELECT \(owners.number), \(owners.first), \(owners.second) FROM \(owners.table)")
    while let row = try rows.next(), names.count < InputLimits.names {
      if let id = row.number(0) { names[id] = [row.text(1), row.text(2)] }
    }
    return names
  }

  /// Whether there is a table with columns of stored values: no view, nothing virtual or calculated.
  private static func has(_ db: Database, _ table: String, _ columns: Set<String>) throws -> Bool {
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
