import GRDB

/// Adds steps to minutes and, in the same transaction, to the sums of quarters of an hour.
package enum MinuteTable {
  package struct Floors: Hashable {
    var ascended = 0
    var descended = 0

    static func + (a: Floors, b: Floors) -> Floors {
      Floors(ascended: a.ascended + b.ascended, descended: a.descended + b.descended)
    }

    static func - (a: Floors, b: Floors) -> Floors {
      Floors(ascended: a.ascended - b.ascended, descended: a.descended - b.descended)
    }
  }

  package struct Entry {
    package var steps = 0
    /// Micrometres.
    package var distance: Int64 = 0
    /// Microseconds.
    package var active: Int64 = 0
    /// `nil` without a barometer.
    var floors: Floors?

    package static func + (a: Entry, b: Entry) -> Entry {
      Entry(
        steps: a.steps + b.steps, distance: a.distance + b.distance, active: a.active + b.active,
        floors: b.floors.map { (a.floors ?? Floors()) + $0 } ?? a.floors)
    }

    static func - (a: Entry, b: Entry) -> Entry {
      Entry(
        steps: a.steps - b.steps, distance: a.distance - b.distance, active: a.active - b.active,
        floors: a.floors.map { $0 - (b.floors ?? Floors()) })
    }
  }

  /// The source with the most steps determines a minute, so that two sensors on one walker do not double the walk;
  /// ``JointMinutes`` adds one for sensors that were used one after the other. For equal counts, SQLite takes the first
  /// one, in every query.
  static let standing = "SELECT max(steps) AS steps, distance, active FROM minute"

  /// The same for floors, among the sources with a barometer: a pad with more steps and without one hides no floors.
  static let standingFloors = "SELECT max(steps) AS steps, ascended, descended FROM minute"

  static func add(_ entry: Entry, minute: Int64, source: Int64, _ db: Database) throws {
    try change(minute, source, db) {
      try db.cachedStatement(
        sql: """
          INSERT INTO minute (minute, source, steps, distance, active, ascended, descended) VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (minute, source) DO UPDATE SET steps = steps + excluded.steps,
            distance = distance + excluded.distance, active = active + excluded.active,
            ascended = coalesce(ascended + excluded.ascended, ascended, excluded.ascended),
            descended = coalesce(descended + excluded.descended, descended, excluded.descended)
          """
      ).execute(arguments: [
        minute, source, entry.steps, entry.distance, entry.active, entry.floors?.ascended, entry.floors?.descended,
      ])
    }
  }

  /// Sets the totals of a minute, without floors.
  static func replace(with entry: Entry, minute: Int64, source: Int64, _ db: Database) throws {
    try change(minute, source, db) {
      try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO minute (minute, source, steps, distance, active) VALUES (?, ?, ?, ?, ?)"
      ).execute(arguments: [minute, source, entry.steps, entry.distance, entry.active])
    }
  }

  /// Changes a row, and the sums and checksums above it.
  private static func change(_ minute: Int64, _ source: Int64, _ db: Database, _ body: () throws -> Void) throws {
    let before = try standing(minute, db)
    let former = try Seals.minute(minute, source: source, db)
    try body()
    let growth = try standing(minute, db) - before
    let quarter = minute.floored(by: .quarter)
    try Seals.require("\(RowDigest.quarter) FROM quarter WHERE quarter = ?", [quarter], db)
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO quarter (quarter, steps, distance, active) VALUES (?, 0, 0, 0)")
      .execute(arguments: [quarter])
    try db.cachedStatement(
      sql: "UPDATE quarter SET steps = steps + ?, distance = distance + ?, active = active + ? WHERE quarter = ?"
    ).execute(arguments: [growth.steps, growth.distance, growth.active, quarter])
    if let floors = growth.floors {
      try db.cachedStatement(
        sql: """
          UPDATE quarter SET ascended = coalesce(ascended, 0) + ?, descended = coalesce(descended, 0) + ?
          WHERE quarter = ?
          """
      ).execute(arguments: [floors.ascended, floors.descended, quarter])
    }
    let new = try Seals.minute(minute, source: source, db) ?? 0
    try Seals.add(minutes: former == nil ? 1 : 0, digest: new - (former ?? 0), quarter: quarter, db)
  }

  private static func standing(_ minute: Int64, _ db: Database) throws -> Entry {
    let statement = try db.cachedStatement(sql: standing + " WHERE minute = ?")
    guard let row = try Row.fetchOne(statement, arguments: [minute]), let steps: Int = row[0] else { return Entry() }
    return Entry(steps: steps, distance: row[1], active: row[2], floors: try floors(minute, db))
  }

  /// The floors of a minute; `nil` if no source had a barometer.
  static func floors(_ minute: Int64, _ db: Database) throws -> Floors? {
    let statement = try db.cachedStatement(sql: standingFloors + " WHERE minute = ? AND ascended IS NOT NULL")
    guard let row = try Row.fetchOne(statement, arguments: [minute]), let ascended: Int = row[1] else { return nil }
    return Floors(ascended: ascended, descended: row[2])
  }
}
