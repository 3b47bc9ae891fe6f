import Foundation
import Pedometry

/// The totals between two moments: `CMPedometerData`, member for member. The current cadence and pace are `nil` in queries.
@dynamicMemberLookup
public struct HistoricalWalk: PedometerData, Hashable {
  /// The requested start.
  public var startDate: Date
  /// The requested end of a query, or the time of an update.
  public var endDate: Date
  /// The totals, whose members are the walk's as well.
  public var totals: WalkTotals

  /// Steps of both feet (`numberOfSteps`).
  public var steps: Int { totals.steps }
  /// Metres (`distance`).
  public var distanceTravelled: Double { totals.distanceTravelled }

  /// A member of the totals.
  public subscript<Value>(dynamicMember member: KeyPath<WalkTotals, Value>) -> Value { totals[keyPath: member] }
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
