import GRDB

/// Keeps the checksums of minutes and bouts: by quarter of an hour, by day (UTC) and of everything, each level the sum
/// of the level below, in the transaction that changes the rows.
enum Seals {
  /// Quarters in a day.
  static let quarters: Int64 = 96
  /// Microseconds in a day.
  static let day: Int64 = 86_400_000_000

  /// Checks a row before it is changed: a new checksum must not cover up damage.
  /// - Parameter row: selects whether the checksum is right; no row is fine.
  static func require(_ row: String, _ arguments: StatementArguments, _ db: Database) throws {
    guard try Bool.fetchOne(db.cachedStatement(sql: "SELECT chk IS " + row), arguments: arguments) == false else {
      return
    }
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "wrong checksum")
  }

  static func begin(_ db: Database) throws { try require("\(RowDigest.whole) FROM whole", [], db) }

  static func add(minutes: Int64, digest: Int64, quarter: Int64, _ db: Database) throws {
    try db.cachedStatement(
      sql: "UPDATE quarter SET minutes = minutes + ?, digest = digest + ? WHERE quarter = ?"
    ).execute(arguments: [minutes, digest, quarter])
    try db.cachedStatement(sql: "UPDATE quarter SET chk = \(RowDigest.quarter) WHERE quarter = ?")
      .execute(arguments: [quarter])
    try add(minutes: minutes, digest: digest, day: quarter / quarters, db)
  }

  static func add(minutes: Int64 = 0, digest: Int64 = 0, bouts: Int64 = 0, day: Int64, _ db: Database) throws {
    try require("\(RowDigest.day) FROM day WHERE day = ?", [day], db)
    try db.cachedStatement(
      sql: """
        INSERT INTO day (day, minutes, digest, bouts) VALUES (?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET
          minutes = minutes + excluded.minutes, digest = digest + excluded.digest, bouts = bouts + excluded.bouts
        """
    ).execute(arguments: [day, minutes, digest, bouts])
    try db.cachedStatement(sql: "UPDATE day SET chk = \(RowDigest.day) WHERE day = ?").execute(arguments: [day])
    try db.cachedStatement(
      sql: "UPDATE whole SET minutes = minutes + ?, digest = digest + ?, bouts = bouts + ?"
    ).execute(arguments: [minutes, digest, bouts])
  }

  /// The checksum of a minute; `nil` if there is none.
  static func minute(_ minute: Int64, source: Int64, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT \(RowDigest.minute) FROM minute WHERE minute = ? AND source = ?"),
      arguments: [minute, source])
  }

  /// Checks all sources before they are changed.
  static func requireSources(_ db: Database) throws {
    try require("\(RowDigest.source) FROM source WHERE chk IS NOT \(RowDigest.source)", [], db)
  }

  /// Renews the checksums of sources after a change.
  /// - Parameter source: `nil` for all of them.
  static func sources(_ source: Int64?, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE source SET chk = \(RowDigest.source) WHERE ?1 IS NULL OR id = ?1")
      .execute(arguments: [source])
  }

  /// Completes a transaction.
  /// - Returns: the number of transactions so far.
  static func advance(_ db: Database) throws -> Int64 {
    try db.cachedStatement(sql: "UPDATE whole SET generation = generation + 1").execute()
    try db.cachedStatement(sql: "UPDATE whole SET chk = \(RowDigest.whole)").execute()
    return try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM whole")) ?? 0
  }

  /// Computes everything anew from the minutes and bouts: for a new file, and for a salvaged one.
  static func fill(_ db: Database) throws {
    let within = "FROM minute WHERE minute >= quarter * 15 AND minute < quarter * 15 + 15"
    try db.execute(
      sql: """
        UPDATE quarter SET (minutes, digest) = (SELECT count(*), coalesce(sum(\(RowDigest.minute)), 0) \(within));
        UPDATE quarter SET chk = \(RowDigest.quarter);
        DELETE FROM day;
        INSERT INTO day (day, minutes, digest, bouts)
          SELECT quarter / \(quarters), sum(minutes), sum(digest), 0 FROM quarter GROUP BY 1;
        UPDATE bout SET chk = \(RowDigest.bout);
        INSERT INTO day (day, minutes, digest, bouts)
          SELECT start / \(day), 0, 0, sum(chk) FROM bout WHERE true GROUP BY 1
          ON CONFLICT (day) DO UPDATE SET bouts = excluded.bouts;
        UPDATE day SET chk = \(RowDigest.day);
        UPDATE source SET chk = \(RowDigest.source);
        INSERT OR IGNORE INTO whole (id, generation, minutes, digest, bouts, checked) VALUES (1, 0, 0, 0, 0, 0);
        UPDATE whole SET (minutes, digest, bouts) =
          (SELECT coalesce(sum(minutes), 0), coalesce(sum(digest), 0), coalesce(sum(bouts), 0) FROM day);
        UPDATE whole SET chk = \(RowDigest.whole);
        """)
  }

  static func fillQuarters(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO quarter (quarter, steps, distance, active)
          SELECT minute / 15, sum(steps), sum(distance), sum(active) FROM
            (SELECT minute, max(steps) AS steps, distance, active FROM minute GROUP BY minute) GROUP BY 1;
        UPDATE quarter SET (ascended, descended) = (SELECT sum(ascended), sum(descended) FROM
          (SELECT max(steps), ascended, descended FROM minute
            WHERE minute >= quarter * 15 AND minute < quarter * 15 + 15 AND ascended IS NOT NULL GROUP BY minute));
        """)
  }
}
