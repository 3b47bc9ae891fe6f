import Foundation
import GRDB

/// Reads bouts and merges those of several sources.
enum BoutReading {
  private struct Seen {
    var start: Int64
    var finish: Int64
    /// By source.
    var entries: [Int64: MinuteTable.Entry]
  }

  /// No bout is longer than this without two seconds of rest; it limits how far back a bout that extends into a period
  /// begins.
  private static let longest: Int64 = 86_400_000_000

  static func bouts(_ db: Database, _ from: Int64, _ to: Int64) throws -> [HistoryBout] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT steps, distance, active, start, finish, source FROM bout
        WHERE start >= ? AND start < ? AND finish >= ? ORDER BY start, source
        """, arguments: [from - longest, to, from])
    var all: [Seen] = []
    while let row = try rows.next() {
      let (start, finish, source): (Int64, Int64, Int64) = (row[3], row[4], row[5])
      let entry = MinuteTable.Entry(row)
      if let last = all.indices.last, start <= all[last].finish {
        all[last].finish = max(all[last].finish, finish)
        all[last].entries[source] = (all[last].entries[source] ?? MinuteTable.Entry()) + entry
      } else {
        all.append(Seen(start: start, finish: finish, entries: [source: entry]))
      }
    }
    return all.map { seen in
      let best = seen.entries.sorted { $0.key < $1.key }.max { $0.value.steps < $1.value.steps }?.value
      return HistoryBout(
        start: Date(microseconds: seen.start), end: Date(microseconds: seen.finish),
        totals: WalkTotals(best ?? MinuteTable.Entry()))
    }
  }
}
