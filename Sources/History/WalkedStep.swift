import Foundation

/// One step as the history keeps it.
public struct WalkedStep: Sendable, Hashable {
  /// When the foot struck, by the wall clock. No two steps of a source have the same time.
  ///
  /// Make it of the sensor's clock with ``HistoryClock/time(atUptime:)`` shortly before the step is recorded, so that a
  /// clock that was set meanwhile is heeded.
  public var time: Date
  /// Metres; what is below 0 or above ``longestDistance`` is brought back to it.
  public var distance: Double
  /// The walking time that this step owns: usually the time since the step before. Brought back to
  /// 0…``longestActiveTime``.
  public var activeTime: Duration

  /// Metres. The longest strides of sprinters are 2.7 m.
  public static let longestDistance = 3.0
  /// The first step of a bout owns as much as its second, and two steps of a bout are at most 2 s apart.
  public static let longestActiveTime = Duration.seconds(4)
  /// An upper bound of cadence in steps per second: sprinters reach 5.
  public static let highestCadence = 5.0

  /// Makes a step.
  public init(time: Date, distance: Double, activeTime: Duration) {
    self.time = time
    self.distance = distance
    self.activeTime = activeTime
  }

  var micrometres: Int64 {
    // `max` gives its other argument for what is not a number.
    guard distance > 0 else { return 0 }
    return Int64((min(distance, Self.longestDistance) * 1e6).rounded())
  }

  var activeMicroseconds: Int64 {
    min(max(activeTime, .zero), Self.longestActiveTime).microseconds
  }
}

/// A sensor whose steps are kept.
public struct HistorySource: Sendable, Hashable {
  /// What stays the same when it is unplugged, comes back under another number, or the machine starts anew.
  public var identity: String
  /// What people call it.
  public var name: String

  /// Makes a source.
  public init(identity: String, name: String) {
    self.identity = identity
    self.name = name
  }
}

/// What became of the steps that were handed to ``HistoryWriter/record(_:source:)``.
public struct HistoryReceipt: Sendable, Hashable {
  /// Steps that count now.
  public var recorded = 0
  /// Steps not later than one that counted before: they were told twice.
  public var repeated = 0
  /// Steps that no human takes (above ``WalkedStep/highestCadence``, minute by minute) or that lie in the future.
  public var impossible = 0

  /// An empty receipt.
  public init() {}
}
