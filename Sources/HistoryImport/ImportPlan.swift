import Foundation
import History
import Pedometry

/// Decides which minutes an import adds.
///
/// The history counts each minute once, with the steps of the source that counted most. That is not sufficient for a
/// period of several minutes: its steps would be spread over minutes in which a sensor here found nothing, and add to the
/// minutes in which it found the walk. So a period adds only the steps that the other sources lack, in the minutes in
/// which they have none.
package struct ImportPlan {
  /// The result for one source.
  package struct Result: Hashable {
    package var source: HistorySource
    /// The minutes to add.
    package var minutes: [HistoryMinute] = []
    /// The steps in the file.
    package var steps = 0
    /// The steps by which the history grows.
    package var new = 0
  }

  /// Minutes since 1970.
  typealias Minute = Int

  private let stepLength: StepLengthModel
  /// Steps by minute and source.
  private var known: [Minute: [HistorySource: Int]] = [:]

  package init(stepLength: StepLengthModel = .walkRatio()) { self.stepLength = stepLength }

  /// Adds a minute of the history.
  package mutating func know(_ minute: HistoryMinute) {
    known[Self.minute(of: minute.start), default: [:]][minute.source] = minute.totals.steps
  }

  /// Plans the minutes of our own export, which are those of a history.
  package mutating func take(_ minutes: [HistoryMinute]) -> [Result] {
    Dictionary(grouping: minutes, by: \.source).sorted { $0.key.identity < $1.key.identity }.map { source, minutes in
      var result = Result(source: source)
      for minute in minutes { take(minute, of: source, into: &result) }
      return result
    }
  }

  /// Plans periods: the source with the most steps first, because a telephone and a watch of one person record the same
  /// walks.
  package mutating func take(_ periods: [ImportedPeriod]) -> [Result] {
    let sources = Dictionary(grouping: periods, by: \.source)
      .map { (source: $0.key, steps: $0.value.reduce(0) { $0 + $1.steps }, periods: $0.value) }
      .sorted { ($1.steps, $0.source.identity) < ($0.steps, $1.source.identity) }
    return sources.map { source, steps, periods in
      var result = Result(source: source)
      for minute in minutes(of: periods, source) { take(minute, of: source, into: &result) }
      result.steps = steps
      return result
    }
  }

  private mutating func take(_ minute: HistoryMinute, of source: HistorySource, into result: inout Result) {
    let number = Self.minute(of: minute.start)
    result.steps += minute.totals.steps
    // The history does not change a minute that it has.
    guard known[number]?[source] == nil else { return }
    result.minutes.append(minute)
    result.new += max(0, minute.totals.steps - (known[number]?.values.max() ?? 0))
    known[number, default: [:]][source] = minute.totals.steps
  }

  /// The minutes of periods, by rising time.
  private func minutes(of periods: [ImportedPeriod], _ source: HistorySource) -> [HistoryMinute] {
    var sums: [Minute: WalkTotals] = [:]
    for period in periods {
      for (minute, steps) in shares(of: period) where steps > 0 {
        let sum = sums[minute] ?? WalkTotals()
        // A cadence above the limit shows that the times are too short; the rest cannot be stored.
        let room = Int(WalkedStep.highestCadence * 60) - sum.steps
        sums[minute] = sum + totals(of: period, steps: min(steps, room))
      }
    }
    return sums.sorted { $0.key < $1.key }.map { number, totals in
      var totals = totals
      totals.activeTime = min(totals.activeTime, .seconds(60))
      return HistoryMinute(start: Date(timeIntervalSince1970: Double(number) * 60), source: source, totals: totals)
    }
  }

  /// Evenly spaced steps, because their times are unknown; after a pause, each has the duration of a usual step.
  private func totals(of period: ImportedPeriod, steps: Int) -> WalkTotals {
    let interval = period.end.timeIntervalSince(period.start) / Double(period.steps)
    let active = (0.2...2).contains(interval) ? interval : 60 / StepLengthModel.usualCadence
    let length = period.distance.map { $0 / Double(period.steps) } ?? stepLength.length(atCadence: 1 / active)
    return WalkTotals(
      steps: steps, distanceTravelled: min(length, WalkedStep.longestDistance) * Double(steps),
      activeTime: .seconds(active * Double(steps)))
  }

  /// The steps that a period adds, by minute: those that its minutes lack, so that a period that was imported before, in
  /// whatever order of the sources, adds nothing.
  private func shares(of period: ImportedPeriod) -> [(Minute, Int)] {
    let first = Self.minute(of: period.start)
    let last = max(first, Self.minute(of: period.end - 0.001))
    if first == last { return [(first, period.steps)] }
    let counted = (first...last).map { known[$0]?.values.max() ?? 0 }
    let free = zip(first...last, counted).filter { $0.1 == 0 }.map(\.0)
    let weights = free.map { Self.overlap(of: period, $0) }
    let sum = weights.reduce(0, +)
    // More than these cannot be stored, and would be found missing again.
    let missing = min(period.steps - counted.reduce(0, +), Int(WalkedStep.highestCadence * sum))
    guard missing > 0 else { return [] }
    // Rounding the running sum keeps the total.
    var (reached, given) = (0.0, 0)
    return zip(free, weights).map { minute, weight in
      reached += weight
      let up = Int((Double(missing) * reached / sum).rounded())
      defer { given = up }
      return (minute, up - given)
    }
  }

  /// Seconds of a period in a minute.
  private static func overlap(of period: ImportedPeriod, _ minute: Minute) -> Double {
    let start = max(period.start.timeIntervalSince1970, Double(minute) * 60)
    return max(0, min(period.end.timeIntervalSince1970, Double(minute + 1) * 60) - start)
  }

  private static func minute(of date: Date) -> Minute { Int((date.timeIntervalSince1970 / 60).rounded(.down)) }
}
