import GRDB

/// Detects changes of the wall clock, and shifts the times that new steps are compared with.
enum ClockWatch {
  /// Smaller differences have other causes: the clock is adjusted gradually, or time passed between the readings. Two
  /// steps are always further apart.
  static let tolerance: Int64 = 100_000

  /// Compares the clocks with their last recorded readings.
  /// - Returns: how far the wall clock was set forward since, in microseconds; 0 if it was not set, and after a boot.
  static func check(_ db: Database, _ reading: HistoryClock.Reading, boot: String) throws -> Int64 {
    let former = try Row.fetchOne(db.cachedStatement(sql: "SELECT boot, ahead FROM clock"))
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO clock (id, boot, ahead) VALUES (1, ?, ?)")
      .execute(arguments: [boot, reading.offset])
    guard let former else { return 0 }
    guard former["boot"] == boot else {
      try Seals.requireSources(db)
      // All recorded steps are older than this boot. If the clock says otherwise, it was set back in between.
      try db.execute(
        sql: "UPDATE source SET newest = ?1, minuteSteps = 0, boutStart = NULL WHERE newest > ?1",
        arguments: [reading.offset])
      try Seals.sources(nil, db)
      return 0
    }
    let ahead: Int64 = former["ahead"]
    let set = reading.offset - ahead
    guard abs(set) > tolerance else { return 0 }
    try Seals.requireSources(db)
    try db.execute(sql: "UPDATE source SET newest = newest + ?, boutStart = NULL", arguments: [set])
    try Seals.sources(nil, db)
    return set
  }
}
