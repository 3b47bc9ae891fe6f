import GRDB
import Pedometry

struct BoutTable {
  /// The bout that the next step may continue.
  private(set) var start: Int64?
  private var latest: Int64?
  private var entry = MinuteTable.Entry()
  private let source: Int64

  private static let gap = WalkTracker.boutGap.microseconds

  init(start: Int64?, latest: Int64?, source: Int64) {
    (self.start, self.latest, self.source) = (start, latest, source)
  }

  mutating func add(_ time: Int64, _ step: MinuteTable.Entry, _ db: Database) throws {
    if let latest, start != nil, time - latest <= Self.gap {
      entry = entry + step
    } else {
      try write(db)
      start = time
      entry = step
    }
    latest = time
  }

  mutating func write(_ db: Database) throws {
    guard let start, let latest, entry.steps > 0 else { return }
    let checksum = try db.cachedStatement(sql: "SELECT chk FROM bout WHERE start = ? AND source = ?")
    try Seals.require("\(RowDigest.bout) FROM bout WHERE start = ? AND source = ?", [start, source], db)
    let former = try Int64.fetchOne(checksum, arguments: [start, source]) ?? 0
    try db.cachedStatement(
      sql: """
        INSERT INTO bout (start, source, finish, steps, distance, active) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (start, source) DO UPDATE SET finish = max(finish, excluded.finish), steps = steps + excluded.steps,
          distance = distance + excluded.distance, active = active + excluded.active
        """
    ).execute(arguments: [start, source, latest, entry.steps, entry.distance, entry.active])
    try db.cachedStatement(sql: "UPDATE bout SET chk = \(RowDigest.bout) WHERE start = ? AND source = ?")
      .execute(arguments: [start, source])
    let new = try Int64.fetchOne(checksum, arguments: [start, source]) ?? 0
    try Seals.add(bouts: new - former, day: start / Seals.day, db)
    entry = MinuteTable.Entry()
  }
}
