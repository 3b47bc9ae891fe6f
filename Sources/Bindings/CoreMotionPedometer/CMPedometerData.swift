import Foundation
import History
import Pedometry

/// The totals between two moments, with the members of Core Motion's `CMPedometerData`.
public final class CMPedometerData: Sendable {
  /// The requested start.
  public let startDate: Date
  /// The requested end of a query, or the time of an update.
  public let endDate: Date
  private let steps: Int
  private let metres: Double
  private let pace: Double?
  private let cadence: Double?
  private let activePace: Double?

  /// Steps of both feet.
  public var numberOfSteps: NSNumber { NSNumber(value: steps) }
  /// Metres.
  public var distance: NSNumber? { NSNumber(value: metres) }
  private let floors: (up: Int, down: Int)?

  /// Floors climbed; `nil` without a barometer. Where the history or the live pedometer has steps without floors,
  /// both are `nil`, because a sum would be too low.
  public var floorsAscended: NSNumber? { floors.map { NSNumber(value: $0.up) } }
  /// Floors descended; `nil` in the same cases as ``floorsAscended``.
  public var floorsDescended: NSNumber? { floors.map { NSNumber(value: $0.down) } }
  /// The current pace in seconds per metre; `nil` in queries, and while the walker stands still.
  public var currentPace: NSNumber? { pace.map { NSNumber(value: $0) } }
  /// The current cadence in steps per second; `nil` in queries, and while the walker stands still.
  public var currentCadence: NSNumber? { cadence.map { NSNumber(value: $0) } }
  /// Seconds per metre over the walking time; `nil` before the first metre.
  public var averageActivePace: NSNumber? { activePace.map { NSNumber(value: $0) } }

  init(_ walk: HistoricalWalk) {
    (startDate, endDate) = (walk.startDate, walk.endDate)
    (steps, metres) = (walk.steps, walk.distanceTravelled)
    (pace, cadence, activePace) = (walk.currentPace, walk.currentCadence, walk.averageActivePace)
    floors = Self.floors(walk.totals)
  }

  /// - Parameters:
  ///   - base: the totals before the live session began; `nil` without a history.
  ///   - live: the session's totals.
  init(from start: Date, to end: Date, base: HistoricalWalk?, live: any PedometerData) {
    (startDate, endDate) = (start, end)
    steps = (base?.steps ?? 0) + live.steps
    metres = (base?.distanceTravelled ?? 0) + live.distanceTravelled
    let totals = live as? WalkTotals
    (pace, cadence) = (totals?.currentPace, totals?.currentCadence)
    let (former, present) = (base.flatMap { Self.floors($0.totals) }, totals.flatMap { Self.floors($0) })
    let isUnknown = (former == nil && base?.steps ?? 0 > 0) || (present == nil && live.steps > 0)
    if isUnknown || (former == nil && present == nil) {
      floors = nil
    } else {
      floors = ((former?.up ?? 0) + (present?.up ?? 0), (former?.down ?? 0) + (present?.down ?? 0))
    }
    if let totals, metres > 0 {
      let active = (base?.activeTime ?? .zero) + totals.activeTime
      activePace = active > .zero ? active / .seconds(1) / metres : nil
    } else {
      activePace = nil
    }
  }

  private static func floors(_ walk: WalkTotals) -> (up: Int, down: Int)? {
    guard let up = walk.floorsAscended, let down = walk.floorsDescended else { return nil }
    return (up, down)
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
