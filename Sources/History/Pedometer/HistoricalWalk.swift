import Foundation
import Pedometry

/// What was walked between two moments: `CMPedometerData`, member for member.
public struct HistoricalWalk: PedometerData, Hashable {
  /// The beginning that was asked for.
  public var startDate: Date
  /// For a query the end that was asked for, for an update the time of it.
  public var endDate: Date
  /// Steps of both feet (`numberOfSteps`).
  public var steps: Int
  /// Metres (`distance`).
  public var distanceTravelled: Double
  /// Time spent walking.
  public var activeTime: Duration
  /// Floors climbed: `nil`, since the history keeps none.
  public var floorsAscended: Int? { nil }
  /// Floors descended: `nil`, since the history keeps none.
  public var floorsDescended: Int? { nil }
  /// Current pace in seconds per metre; `nil` in queries, and while not walking.
  public var currentPace: Double?
  /// Current cadence in steps per second; `nil` in queries, and while not walking.
  public var currentCadence: Double?
  /// Seconds a metre over the time spent walking; `nil` before the first metre.
  public var averageActivePace: Double?

  init(_ totals: WalkTotals, from start: Date, to end: Date) {
    (startDate, endDate) = (start, end)
    (steps, distanceTravelled, activeTime) = (totals.steps, totals.distanceTravelled, totals.activeTime)
    averageActivePace = totals.averageActivePace
  }
}

/// The walker stopped, or went on: `CMPedometerEvent`.
public struct PedometerEvent: Sendable, Hashable {
  /// `CMPedometerEventType`.
  public enum Kind: Sendable, Hashable {
    /// No step followed the last one.
    case pause
    /// A first step.
    case resume
  }

  /// When: of the last step before a pause, of the first step after it.
  public var date: Date
  /// What.
  public var type: Kind
}
