import Foundation
import Pedometry

/// What was walked in a stretch of time.
public struct WalkTotals: PedometerData, Hashable {
  /// Steps of both feet.
  public var steps: Int
  /// Metres.
  public var distanceTravelled: Double
  /// Time spent walking.
  public var activeTime: Duration

  /// Makes totals.
  public init(steps: Int = 0, distanceTravelled: Double = 0, activeTime: Duration = .zero) {
    self.steps = steps
    self.distanceTravelled = distanceTravelled
    self.activeTime = activeTime
  }

  /// Both walks.
  public static func + (a: WalkTotals, b: WalkTotals) -> WalkTotals {
    WalkTotals(
      steps: a.steps + b.steps, distanceTravelled: a.distanceTravelled + b.distanceTravelled,
      activeTime: a.activeTime + b.activeTime)
  }

  /// Steps a second over the time spent walking, at most ``WalkedStep/highestCadence``; `nil` without steps.
  public var cadence: Double? {
    guard steps > 0, activeTime > .zero else { return nil }
    return min(Double(steps) / (activeTime / .seconds(1)), WalkedStep.highestCadence)
  }

  /// Seconds a metre over the time spent walking; `nil` before the first metre.
  public var averageActivePace: Double? {
    guard distanceTravelled > 0, activeTime > .zero else { return nil }
    return activeTime / .seconds(1) / distanceTravelled
  }
}

/// How long the stretches of an answer are.
public enum HistoryBucketLength: String, Sendable, Hashable, CaseIterable {
  /// A minute of the wall clock.
  case minute
  /// An hour of the wall clock, where the time zone is: cut where the day begins, and where the clocks change.
  case hour
  /// A day of the ``DayCalendar``: 23 or 25 hours where clocks change.
  case day
}

/// A stretch of time and what was walked in it.
public struct HistoryBucket: Sendable, Hashable {
  /// Its beginning.
  public var start: Date
  /// Its end, which does not belong to it.
  public var end: Date
  /// What was walked.
  public var totals: WalkTotals

  /// Makes a stretch.
  public init(start: Date, end: Date, totals: WalkTotals) {
    self.start = start
    self.end = end
    self.totals = totals
  }

  /// Steps of both feet.
  public var steps: Int { totals.steps }
  /// Metres.
  public var distanceTravelled: Double { totals.distanceTravelled }
  /// Cadence over the time spent walking, in steps per second; `nil` without steps.
  public var cadence: Double? { totals.cadence }
  /// Time spent walking; never longer than the stretch, even if a clock that was set back lived through it twice.
  public var activeTime: Duration { min(totals.activeTime, .seconds(end.timeIntervalSince(start))) }
}

/// A run of steps no further apart than `WalkTracker.boutGap`.
public struct HistoryBout: Sendable, Hashable {
  /// Its first step.
  public var start: Date
  /// Its last step.
  public var end: Date
  /// What was walked.
  public var totals: WalkTotals
}

/// A minute of one source, as it is exported.
public struct HistoryMinute: Sendable, Hashable {
  /// Its beginning.
  public var start: Date
  /// Who counted.
  public var source: HistorySource
  /// What was counted.
  public var totals: WalkTotals
}
