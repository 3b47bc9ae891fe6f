import Foundation
import Pedometry

extension WalkTotals {
  /// The sum of both intervals; floors that only one of them has are its.
  public static func + (a: WalkTotals, b: WalkTotals) -> WalkTotals {
    WalkTotals(
      steps: a.steps + b.steps, distanceTravelled: a.distanceTravelled + b.distanceTravelled,
      activeTime: a.activeTime + b.activeTime, floorsAscended: sum(a.floorsAscended, b.floorsAscended),
      floorsDescended: sum(a.floorsDescended, b.floorsDescended))
  }

  private static func sum(_ a: Int?, _ b: Int?) -> Int? { b.map { (a ?? 0) + $0 } ?? a }

  /// Cadence in steps per second over the walking time, at most ``WalkedStep/highestCadence``; `nil` without steps.
  public var cadence: Double? {
    let seconds: Double = activeTime / .seconds(1)
    guard steps > 0, seconds > 0 else { return nil }
    return min(Double(steps) / seconds, WalkedStep.highestCadence)
  }
}

/// The lengths of buckets.
public enum HistoryBucketLength: String, Sendable, Hashable, CaseIterable {
  /// A minute of the wall clock.
  case minute
  /// An hour of the wall clock in the time zone, split at the start of the day and at clock changes.
  case hour
  /// A day of the ``DayCalendar``: 23 or 25 hours when clocks change.
  case day
}

/// An interval with its totals.
public struct HistoryBucket: Sendable, Hashable {
  /// Its beginning.
  public var start: Date
  /// Its end, exclusive.
  public var end: Date
  /// The totals.
  public var totals: WalkTotals

  /// Creates a bucket.
  public init(start: Date, end: Date, totals: WalkTotals) { (self.start, self.end, self.totals) = (start, end, totals) }

  /// Steps of both feet.
  public var steps: Int { totals.steps }
  /// Metres.
  public var distanceTravelled: Double { totals.distanceTravelled }
  /// Cadence over the walking time, in steps per second; `nil` without steps.
  public var cadence: Double? { totals.cadence }
  /// The walking time; at most the length of the bucket, even if the clock was set back and it occurred twice.
  public var activeTime: Duration { min(totals.activeTime, .seconds(end.timeIntervalSince(start))) }
}

/// A run of steps no further apart than `WalkTracker.boutGap`.
public struct HistoryBout: Sendable, Hashable {
  /// Its first step.
  public var start: Date
  /// Its last step.
  public var end: Date
  /// The totals, without floors: they are stored by the minute.
  public var totals: WalkTotals
}

/// A minute of one source, for export.
public struct HistoryMinute: Sendable, Hashable {
  /// Its beginning.
  public var start: Date
  /// The source.
  public var source: HistorySource
  /// The totals.
  public var totals: WalkTotals

  /// Creates a minute.
  public init(start: Date, source: HistorySource, totals: WalkTotals) {
    (self.start, self.source, self.totals) = (start, source, totals)
  }
}
