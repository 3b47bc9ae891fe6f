import Foundation
import Pedometry

/// The totals since a moment, and those already reported.
struct DataWatch: Sendable {
  private let start: Date
  private var told = WalkTotals()

  init(from start: Date) { self.start = start }

  /// Reads the history.
  /// - Returns: the totals, if they have grown.
  mutating func look(_ reader: HistoryReader, now: Date) throws(HistoryError) -> HistoricalWalk? {
    let all = try reader.totals(from: start, to: .distantFuture)
    // With two sensors, the one with more steps counts; its distance or time may be smaller.
    let grown = WalkTotals(
      steps: max(told.steps, all.steps), distanceTravelled: max(told.distanceTravelled, all.distanceTravelled),
      activeTime: max(told.activeTime, all.activeTime), floorsAscended: floors(\.floorsAscended, all),
      floorsDescended: floors(\.floorsDescended, all))
    // Floors come half a minute after the steps.
    let hasClimbed =
      grown.floorsAscended ?? 0 > told.floorsAscended ?? 0 || grown.floorsDescended ?? 0 > told.floorsDescended ?? 0
    guard grown.steps > told.steps || hasClimbed else { return nil }
    told = grown
    var totals = told
    if let (cadence, stepLength) = try Self.present(reader, now) {
      totals.currentCadence = cadence
      totals.currentPace = stepLength > 0 ? 1 / (cadence * stepLength) : nil
    }
    return HistoricalWalk(startDate: start, endDate: now, totals: totals)
  }

  /// The floors of one direction, which never fall; `nil` if there was no barometer.
  private func floors(_ direction: KeyPath<WalkTotals, Int?>, _ all: WalkTotals) -> Int? {
    let told = told[keyPath: direction]
    return all[keyPath: direction].map { max(told ?? 0, $0) } ?? told
  }

  /// Cadence and step length over the latest steps, as in `WalkTracker`; `nil` while not walking.
  private static func present(_ reader: HistoryReader, _ now: Date) throws(HistoryError) -> (Double, Double)? {
    let gap = WalkTracker.boutGap / .seconds(1)
    let steps = try reader.latestSteps(before: now, count: WalkTracker.cadenceSteps)
    guard let last = steps.last, now.timeIntervalSince(last.time) <= gap + EventWatch.confirmationDelay else {
      return nil
    }
    var first = steps.count - 1
    while first > 0, steps[first].time.timeIntervalSince(steps[first - 1].time) <= gap { first -= 1 }
    let bout = steps[first...]
    guard bout.count > 1, let start = bout.first else { return nil }
    let seconds = last.time.timeIntervalSince(start.time)
    let cadence = min(Double(bout.count - 1) / max(seconds, 1e-3), WalkedStep.highestCadence)
    return (cadence, bout.dropFirst().map(\.distance).reduce(0, +) / Double(bout.count - 1))
  }
}
