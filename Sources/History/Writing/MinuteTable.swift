import GRDB

/// Adds steps to minutes and, in the same transaction, to the sums of quarters of an hour.
enum MinuteTable {
  /// An entry of the table.
  struct Entry {
    var steps = 0
    var distance: Int64 = 0
    var active: Int64 = 0

    static func + (a: Entry, b: Entry) -> Entry {
      Entry(steps: a.steps + b.steps, distance: a.distance + b.distance, active: a.active + b.active)
    }

    static func - (a: Entry, b: Entry) -> Entry {
      Entry(steps: a.steps - b.steps, distance: a.distance - b.distance, active: a.active - b.active)
    }
  }

  /// The source with the most steps determines a minute, so that two sensors on one walker do not double the walk. If
  /// several have as many, SQLite takes the first, in every query.
  static let standing = "SELECT max(steps) AS steps, distance, active FROM minute"

  static func add(_ entry: Entry, minute: Int64, source: Int64, _ db: Database) throws {
    let before = try standing(minute, db)
    try db.cachedStatement(
      sql: """
        INSERT INTO minute (minute, source, steps, distance, active) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (minute, source) DO UPDATE SET steps = steps + excluded.steps,
          distance = distance + excluded.distance, active = active + excluded.active
        """
    ).execute(arguments: [minute, source, entry.steps, entry.distance, entry.active])
    let growth = try standing(minute, db) - before
    let quarter = minute.floored(by: .quarter)
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO quarter (quarter, steps, distance, active) VALUES (?, 0, 0, 0)")
      .execute(arguments: [quarter])
    try db.cachedStatement(
      sql: "UPDATE quarter SET steps = steps + ?, distance = distance + ?, active = active + ? WHERE quarter = ?"
    ).execute(arguments: [growth.steps, growth.distance, growth.active, quarter])
  }

  private static func standing(_ minute: Int64, _ db: Database) throws -> Entry {
    let statement = try db.cachedStatement(sql: standing + " WHERE minute = ?")
    guard let row = try Row.fetchOne(statement, arguments: [minute]), let steps: Int = row[0] else { return Entry() }
    return Entry(steps: steps, distance: row[1], active: row[2])
  }
}
