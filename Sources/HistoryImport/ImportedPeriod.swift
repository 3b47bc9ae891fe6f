import Foundation
import History
import Pedometry

/// Steps of a period, as another program recorded them.
package struct ImportedPeriod: Hashable {
  package var start: Date
  /// Not before the start.
  package var end: Date
  package var steps: Int
  /// Metres, if it recorded them.
  package var distance: Double?
  package var source: HistorySource

  package init(start: Date, end: Date, steps: Int, distance: Double? = nil, source: HistorySource) {
    (self.start, self.end, self.steps, self.distance, self.source) = (start, end, steps, distance, source)
  }
}

/// The content of a file of another program.
package struct ImportedFile {
  /// In any order.
  package var periods: [ImportedPeriod] = []
  /// Minutes of our own export, which keep their sources.
  package var minutes: [HistoryMinute] = []
  /// Entries with impossible figures, such as steps without time or in the future.
  package var refused = 0
  /// What the user should know about the file, one sentence each.
  package var notices: [String] = []

  package init() {}

  /// Adds a period if it is possible.
  package mutating func add(_ period: ImportedPeriod, now: Date) {
    let seconds = period.end.timeIntervalSince(period.start)
    if period.steps == 0 { return }
    let isPossible =
      period.steps > 0 && seconds >= 0 && seconds <= Self.longest && period.start.timeIntervalSince1970 >= 0
      && period.end <= now + 60 && Double(period.steps) <= max(60, seconds) * WalkedStep.highestCadence
    if isPossible { periods.append(period) } else { refused += 1 }
  }

  /// A longer period does not tell on which day its steps were walked, in seconds.
  private static let longest = 86_400.0
}
