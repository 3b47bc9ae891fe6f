import Foundation
import Pedometry

/// The totals since a moment, and what of them was told.
struct DataWatch: Sendable {
  private let asked: Date
  private var start: Date
  /// How far the wall clock was ahead of the time since boot.
  private var ahead: Int64
  /// What was walked before ``start``.
  private var base = WalkTotals()
  /// What lay behind ``start`` already when the clock was set.
  private var excess = WalkTotals()
  private var told = WalkTotals()

  init(from start: Date, _ reading: HistoryClock.Reading) {
    (asked, self.start, ahead) = (start, start, reading.offset)
  }

  /// Looks at the history.
  /// - Returns: the totals, when they grew.
  mutating func look(_ reader: HistoryReader, _ reading: HistoryClock.Reading) throws(HistoryError) -> HistoricalWalk? {
    if abs(reading.offset - ahead) > ClockWatch.tolerance {
      // The clock was set: what comes now has other times, and perhaps some that were there before. The steps since the
      // last look are missed here, never in the history.
      ahead = reading.offset
      start = Date(microseconds: reading.now)
      base = told
      excess = try reader.totals(from: start, to: .distantFuture)
    }
    let all = try reader.totals(from: start, to: .distantFuture)
    let steps = base.steps + all.steps - excess.steps
    guard steps > told.steps else { return nil }
    // Of two sensors the one with more steps stands, and it may have gone less far or less long.
    told = WalkTotals(
      steps: steps,
      distanceTravelled: max(
        told.distanceTravelled, base.distanceTravelled + all.distanceTravelled - excess.distanceTravelled),
      activeTime: max(told.activeTime, base.activeTime + all.activeTime - excess.activeTime))
    let now = Date(microseconds: reading.now)
    var walk = HistoricalWalk(told, from: asked, to: now)
    if let (cadence, stepLength) = try Self.present(reader, now) {
      walk.currentCadence = cadence
      walk.currentPace = stepLength > 0 ? 1 / (cadence * stepLength) : nil
    }
    return walk
  }

  /// Steps a second and metres a step over the latest steps, as in `WalkTracker`; `nil` while not walking.
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
