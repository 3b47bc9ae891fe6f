import Foundation
import History
import Pedometry

/// Steps of a period, as another program recorded them.
struct ImportedPeriod: Hashable {
  var start: Date
  /// Not before the start.
  var end: Date
  var steps: Int
  /// Metres, if it recorded them.
  var distance: Double?
  var source: HistorySource
}

/// The content of a file of another program.
struct ImportedFile {
  /// In any order.
  var periods: [ImportedPeriod] = []
  /// Minutes of our own export, which keep their sources.
  var minutes: [HistoryMinute] = []
  /// Entries with impossible figures, such as steps without time or in the future.
  var refused = 0
  /// What the user should know about the file, one sentence each.
  var notices: [String] = []

  /// Adds a period if it is possible.
  mutating func add(_ period: ImportedPeriod, now: Date) {
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

/// Why a file cannot be imported: its place, and one sentence.
struct ImportFailure: Error, Equatable, CustomStringConvertible {
  var description: String

  /// A reason at a place in a file.
  init(place: String, reason: String) { description = "\(place): \(reason)" }

  /// A sentence that names the file.
  init(sentence: String) { description = sentence }
}
