import Foundation
import Pedometry

/// The totals between two moments: `CMPedometerData`, member for member.
public struct HistoricalWalk: PedometerData, Hashable {
  /// The requested start.
  public var startDate: Date
  /// The requested end of a query, or the time of an update.
  public var endDate: Date
  /// Steps of both feet (`numberOfSteps`).
  public var steps: Int
  /// Metres (`distance`).
  public var distanceTravelled: Double
  /// The walking time.
  public var activeTime: Duration
  /// Floors climbed; `nil` if no source had a barometer.
  public var floorsAscended: Int?
  /// Floors descended; `nil` if no source had a barometer.
  public var floorsDescended: Int?
  /// Current pace in seconds per metre; `nil` in queries, and while not walking.
  public var currentPace: Double?
  /// Current cadence in steps per second; `nil` in queries, and while not walking.
  public var currentCadence: Double?
  /// Seconds per metre over the walking time; `nil` before the first metre.
  public var averageActivePace: Double?

  init(_ totals: WalkTotals, from start: Date, to end: Date) {
    (startDate, endDate) = (start, end)
    (steps, distanceTravelled, activeTime) = (totals.steps, totals.distanceTravelled, totals.activeTime)
    (floorsAscended, floorsDescended) = (totals.floorsAscended, totals.floorsDescended)
    averageActivePace = totals.averageActivePace
  }
}

/// A pause or resumption of a walk: `CMPedometerEvent`.
public struct PedometerEvent: Sendable, Hashable {
  /// `CMPedometerEventType`.
  public enum Kind: Sendable, Hashable {
    /// No step followed the last one.
    case pause
    /// A first step.
    case resume
  }

  /// The time of the last step before a pause, or of the first step after it.
  public var date: Date
  /// The type of the event.
  public var type: Kind
}
