import Foundation
import GRDB
import Pedometry

/// Reads bouts and merges those of several sources.
enum BoutReading {
  private struct Seen {
    var start: Int64
    var finish: Int64
    /// By source.
    var bouts: [Int64: [Single]]
  }

  private struct Single {
    var start: Int64
    var finish: Int64
    var entry: MinuteTable.Entry
  }

  /// The maximum length of a bout without two seconds of rest. It limits how far back to look for a bout that extends
  /// into a period.
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
      let bout = Single(start: start, finish: finish, entry: MinuteTable.Entry(row))
      if let last = all.indices.last, start <= all[last].finish {
        all[last].finish = max(all[last].finish, finish)
        all[last].bouts[source, default: []].append(bout)
      } else {
        all.append(Seen(start: start, finish: finish, bouts: [source: [bout]]))
      }
    }
    return all.map { seen in
      HistoryBout(
        start: Date(microseconds: seen.start), end: Date(microseconds: seen.finish),
        totals: WalkTotals(union(of: seen.bouts)))
    }
  }

  /// The totals of overlapping bouts: those of the source with the most steps, and of the others the part of their time
  /// in which it did not walk.
  private static func union(of bouts: [Int64: [Single]]) -> MinuteTable.Entry {
    if bouts.count == 1, let only = bouts.first { return sum(only.value) }
    var covered = CoveredTime()
    var total = MinuteTable.Entry()
    for (_, bouts) in bouts.sorted(by: { (-sum($0.value).steps, $0.key) < (-sum($1.value).steps, $1.key) }) {
      let shares = bouts.map { covered.uncovered($0.start, $0.finish) }
      for (bout, share) in zip(bouts, shares) {
        let length = bout.finish - bout.start
        let isAlone = covered.overlapping(bout.start, bout.finish).isEmpty
        let part = length > 0 ? bout.entry.part(from: 0, to: share, of: length) : MinuteTable.Entry()
        total = total + (isAlone ? bout.entry : part)
      }
      for bout in bouts { covered.add(bout.start, bout.finish) }
    }
    return total
  }

  private static func sum(_ bouts: [Single]) -> MinuteTable.Entry {
    bouts.reduce(MinuteTable.Entry()) { $0 + $1.entry }
  }
}
