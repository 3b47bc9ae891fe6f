import Foundation
import Pedometry

/// The totals since a moment, and those already reported.
struct DataWatch: Sendable {
  private let asked: Date
  private var start: Date
  /// The wall clock minus the time since boot.
  private var ahead: Int64
  /// The totals before ``start``.
  private var base = WalkTotals()
  /// The totals after ``start`` at the time when the clock was set.
  private var excess = WalkTotals()
  private var told = WalkTotals()

  init(from start: Date, _ reading: HistoryClock.Reading) {
    (asked, self.start, ahead) = (start, start, reading.offset)
  }

  /// Reads the history.
  /// - Returns: the totals, if they have grown.
  mutating func look(_ reader: HistoryReader, _ reading: HistoryClock.Reading) throws(HistoryError) -> HistoricalWalk? {
    if abs(reading.offset - ahead) > ClockWatch.tolerance {
      // The clock was set: later steps have other times, and some may overlap with earlier ones. The steps since the
      // last reading are missing here, never in the history.
      ahead = reading.offset
      start = Date(microseconds: reading.now)
      base = told
      excess = try reader.totals(from: start, to: .distantFuture)
    }
    let all = base + (try reader.totals(from: start, to: .distantFuture))
    // With two sensors, the one with more steps counts; its distance or time may be smaller.
    let grown = WalkTotals(
      steps: max(told.steps, all.steps - excess.steps),
      distanceTravelled: max(told.distanceTravelled, all.distanceTravelled - excess.distanceTravelled),
      activeTime: max(told.activeTime, all.activeTime - excess.activeTime),
      floorsAscended: floors(\.floorsAscended, all), floorsDescended: floors(\.floorsDescended, all))
    // Floors come half a minute after the steps.
    let hasClimbed =
      grown.floorsAscended ?? 0 > told.floorsAscended ?? 0 || grown.floorsDescended ?? 0 > told.floorsDescended ?? 0
    guard grown.steps > told.steps || hasClimbed else { return nil }
    told = grown
    let now = Date(microseconds: reading.now)
    var totals = told
    if let (cadence, stepLength) = try Self.present(reader, now) {
      totals.currentCadence = cadence
      totals.currentPace = stepLength > 0 ? 1 / (cadence * stepLength) : nil
    }
    return HistoricalWalk(startDate: asked, endDate: now, totals: totals)
  }

  /// The floors of one direction, which never fall; `nil` if there was no barometer.
  private func floors(_ direction: KeyPath<WalkTotals, Int?>, _ all: WalkTotals) -> Int? {
    let told = told[keyPath: direction]
    return all[keyPath: direction].map { max(told ?? 0, $0 - (excess[keyPath: direction] ?? 0)) } ?? told
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
