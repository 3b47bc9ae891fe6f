import Foundation
import History
import Platform

/// Minutes over which an import has spread the steps of longer periods, because it did not know their times.
///
/// The history does not state this, but their steps differ by one at most, without a pause, and no walk stays that even for long.
package struct SpreadMinutes {
  /// Minutes without a pause.
  package struct Run: Hashable {
    /// Minutes since 1970.
    package var minutes: ClosedRange<Int>
    package var sources: Set<HistorySource>
  }

  /// The longest pause of steps so few that most minutes have none, in minutes.
  private static let longestPause = 60

  /// Disjoint, by rising time.
  package private(set) var runs: [Run] = []

  /// None.
  package init() {}

  /// Finds them among the minutes of a history.
  /// - Parameters:
  ///   - minutes: in any order, of all sources.
  ///   - calendar: of the days; no run is longer than one.
  ///   - fewest: the fewest even minutes that are taken to be spread.
  package init(
    _ minutes: [(minute: Int, source: HistorySource, steps: Int)], _ calendar: DayCalendar, fewest: Int = 3
  ) {
    let imported = minutes.filter { $0.source.identity.hasPrefix("import:") }
    guard !imported.isEmpty else { return }
    let counted = Set(minutes.lazy.map(\.minute))
    var found: [Run] = []
    for (source, minutes) in Dictionary(grouping: imported, by: \.source) {
      found += Self.runs(
        minutes.map { ($0.minute, $0.steps) }.sorted { $0.0 < $1.0 }, source, counted, calendar, fewest)
    }
    for run in found.sorted(by: { $0.minutes.lowerBound < $1.minutes.lowerBound }) {
      if let last = runs.last, last.minutes.upperBound >= run.minutes.lowerBound {
        runs[runs.count - 1].minutes =
          last.minutes.lowerBound...max(last.minutes.upperBound, run.minutes.upperBound)
        runs[runs.count - 1].sources.formUnion(run.sources)
      } else {
        runs.append(run)
      }
    }
  }

  package func run(_ minute: Int) -> Run? {
    let place = runs.firstPlace { $0.minutes.upperBound >= minute }
    return place < runs.count && runs[place].minutes.contains(minute) ? runs[place] : nil
  }

  private static func runs(
    _ minutes: [(minute: Int, steps: Int)], _ source: HistorySource, _ counted: Set<Int>, _ calendar: DayCalendar,
    _ fewest: Int
  ) -> [Run] {
    var runs: [Run] = []
    var (start, morning, midnight) = (0, Int.min, Int.min)
    while start < minutes.count {
      var (low, high, next) = (minutes[start].steps, minutes[start].steps, start + 1)
      if minutes[start].minute >= midnight {
        let day = calendar.day(containing: Date(timeIntervalSince1970: Double(minutes[start].minute) * 60))
        (morning, midnight) = (Int(day.start.timeIntervalSince1970 / 60), Int(day.end.timeIntervalSince1970 / 60))
      }
      while next < minutes.count, minutes[next].minute < midnight,
        max(high, minutes[next].steps) - min(low, minutes[next].steps) <= 1
      {
        let pause = minutes[next - 1].minute + 1..<minutes[next].minute
        // Other sources had these minutes, or there are fewer steps than minutes.
        guard pause.allSatisfy({ counted.contains($0) }) || high == 1 && pause.count <= longestPause else { break }
        (low, high) = (min(low, minutes[next].steps), max(high, minutes[next].steps))
        next += 1
      }
      if next - start >= fewest {
        var (first, last) = (minutes[start].minute, minutes[next - 1].minute)
        // The period began or ended within these, but not on another day.
        if start > 0, first > morning, minutes[start - 1].minute == first - 1, minutes[start - 1].steps < low {
          first -= 1
        }
        if next < minutes.count, last + 1 < midnight, minutes[next].minute == last + 1, minutes[next].steps < low {
          last += 1
        }
        runs.append(Run(minutes: first...last, sources: [source]))
        start = next
      } else {
        start += 1
      }
    }
    return runs
  }
}
