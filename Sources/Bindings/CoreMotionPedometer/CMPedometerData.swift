import Foundation
import History
import Pedometry

/// The totals between two moments, with the members of Core Motion's `CMPedometerData`.
public final class CMPedometerData: Sendable {
  /// The requested start.
  public let startDate: Date
  /// The requested end of a query, or the time of an update.
  public let endDate: Date
  private let totals: WalkTotals

  /// Steps of both feet.
  public var numberOfSteps: NSNumber { NSNumber(value: totals.steps) }
  /// Metres.
  public var distance: NSNumber? { NSNumber(value: totals.distanceTravelled) }
  /// Floors climbed; `nil` without a barometer. Where the history or the live pedometer has steps without floors,
  /// both are `nil`, because a sum would be too low.
  public var floorsAscended: NSNumber? { totals.floorsAscended.map { NSNumber(value: $0) } }
  /// Floors descended; `nil` in the same cases as ``floorsAscended``.
  public var floorsDescended: NSNumber? { totals.floorsDescended.map { NSNumber(value: $0) } }
  /// The current pace in seconds per metre; `nil` in queries, and while the walker stands still.
  public var currentPace: NSNumber? { totals.currentPace.map { NSNumber(value: $0) } }
  /// The current cadence in steps per second; `nil` in queries, and while the walker stands still.
  public var currentCadence: NSNumber? { totals.currentCadence.map { NSNumber(value: $0) } }
  /// Seconds per metre over the walking time; `nil` before the first metre.
  public var averageActivePace: NSNumber? { totals.averageActivePace.map { NSNumber(value: $0) } }

  init(_ walk: HistoricalWalk) { (startDate, endDate, totals) = (walk.startDate, walk.endDate, walk.totals) }

  /// - Parameters:
  ///   - base: the totals before the live session began; `nil` without a history.
  ///   - live: the session's totals.
  init(from start: Date, to end: Date, base: HistoricalWalk?, live: any PedometerData) {
    (startDate, endDate) = (start, end)
    let former = base?.totals ?? WalkTotals()
    let known = live as? WalkTotals
    let present = known ?? WalkTotals(steps: live.steps, distanceTravelled: live.distanceTravelled)
    var sum = former + present
    (sum.currentPace, sum.currentCadence) = (present.currentPace, present.currentCadence)
    // The walking time of another pedometer is unknown.
    if known == nil { sum.averageActivePace = nil }
    if [former, present].contains(where: { $0.steps > 0 && ($0.floorsAscended ?? $0.floorsDescended) == nil }) {
      (sum.floorsAscended, sum.floorsDescended) = (nil, nil)
    }
    totals = sum
  }
}

/// A pause or resumption of a walk, with the members of Core Motion's `CMPedometerEvent`.
public final class CMPedometerEvent: Sendable {
  /// The time of the last step before a pause, or of the first step after it.
  public let date: Date
  /// The type of the event.
  public let type: CMPedometerEventType

  init(_ event: PedometerEvent) {
    date = event.date
    type = event.type == .pause ? .pause : .resume
  }
}

/// The types of events.
public enum CMPedometerEventType: Int, Sendable {
  /// No step followed the last one.
  case pause = 0
  /// A first step.
  case resume = 1
}

/// Whether this program may read the history, with the values of Core Motion's `CMAuthorizationStatus`.
public enum CMAuthorizationStatus: Int, Sendable {
  /// Nothing has been recorded yet, so the permission is unknown.
  case notDetermined = 0
  /// Not used here.
  case restricted = 1
  /// There is a history that this user may not read.
  case denied = 2
  /// There is a history, and this user may read it.
  case authorized = 3
}

/// Receives totals or an error.
public typealias CMPedometerHandler = @Sendable (CMPedometerData?, (any Error)?) -> Void

/// Receives an event or an error.
public typealias CMPedometerEventHandler = @Sendable (CMPedometerEvent?, (any Error)?) -> Void
