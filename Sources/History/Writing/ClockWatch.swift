import GRDB

/// Finds out that the wall clock was set, and moves what is compared with new steps along.
enum ClockWatch {
  /// Below this, two readings of the clocks may differ for other reasons: the clock is being steered, or a moment
  /// passed between the readings. Two steps never follow each other so quickly.
  static let tolerance: Int64 = 100_000
  /// From this on it is worth telling.
  static let notable: Int64 = 1_000_000

  /// Compares the clocks with what they were when something was recorded last.
  /// - Returns: how far the wall clock was set forward since, in microseconds; 0 when it was not, and after a boot.
  static func check(_ db: Database, _ reading: HistoryClock.Reading, boot: String) throws -> Int64 {
    let former = try Row.fetchOne(db.cachedStatement(sql: "SELECT boot, ahead FROM clock"))
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO clock (id, boot, ahead) VALUES (1, ?, ?)")
      .execute(arguments: [boot, reading.offset])
    guard let former else { return 0 }
    guard former["boot"] == boot else {
      // Whatever was recorded came before this boot. If the clock says otherwise, it was set back meanwhile.
      try db.execute(
        sql: "UPDATE source SET newest = ?1, minuteSteps = 0, boutStart = NULL WHERE newest > ?1",
        arguments: [reading.offset])
      return 0
    }
    let ahead: Int64 = former["ahead"]
    let set = reading.offset - ahead
    guard abs(set) > tolerance else { return 0 }
    try db.execute(sql: "UPDATE source SET newest = newest + ?, boutStart = NULL", arguments: [set])
    if abs(set) >= notable {
      let seconds = Double(set) / 1e6
      try db.execute(
        sql: "INSERT INTO event (time, kind, message) VALUES (?, ?, ?)",
        arguments: [
          reading.now, HistoryEvent.Kind.clockSet.rawValue,
          "the clock was set \(seconds < 0 ? "back" : "forward") by \(abs(seconds)) s",
        ])
    }
    return set
  }
}
