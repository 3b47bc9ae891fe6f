import Foundation
import Platform

/// A step in the history.
public struct WalkedStep: Sendable, Hashable {
  /// The time of the foot strike on the wall clock. No two steps of a source have the same time.
  ///
  /// Convert it from the sensor's clock with ``HistoryClock/time(atUptime:)`` shortly before the step is recorded, so
  /// that recent clock changes are taken into account.
  public var time: Date
  /// The distance in metres, clamped to 0…``longestDistance``.
  public var distance: Double
  /// The walking time of this step: usually the time since the previous step. Clamped to 0…``longestActiveTime``.
  public var activeTime: Duration

  /// In metres. The longest strides of sprinters are 2.7 m.
  public static let longestDistance = 3.0
  /// The first step of a bout gets the same time as its second, and two steps of a bout are at most 2 s apart.
  public static let longestActiveTime = Duration.seconds(4)
  /// An upper bound of cadence in steps per second: sprinters reach 5.
  public static let highestCadence = 5.0

  /// Creates a step.
  public init(time: Date, distance: Double, activeTime: Duration) {
    (self.time, self.distance, self.activeTime) = (time, distance, activeTime)
  }

  var micrometres: Int64 {
    // `max` returns its other argument for NaN.
    guard distance > 0 else { return 0 }
    return Int64(bounded: min(distance, Self.longestDistance) * 1e6)
  }

  var activeMicroseconds: Int64 { min(max(activeTime, .zero), Self.longestActiveTime).microseconds }
}

/// Floors in the history: they count in the minute of their source's latest step at that time.
public struct WalkedFloors: Sendable, Hashable {
  /// When they were complete, on the wall clock; at most two minutes after a step of their source.
  public var time: Date
  /// Floors climbed; 0, like ``descended``, states that a barometer was there and found none.
  public var ascended: Int
  /// Floors descended.
  public var descended: Int

  /// The most floors that one reading may add: 60 m between two readings is a fault of the sensor.
  public static let most = 20

  /// Creates floors.
  public init(time: Date, ascended: Int, descended: Int) {
    (self.time, self.ascended, self.descended) = (time, ascended, descended)
  }

  var isPossible: Bool { (0...Self.most).contains(ascended) && (0...Self.most).contains(descended) }
}

/// A sensor whose steps are stored.
public struct HistorySource: Sendable, Hashable {
  /// An identity that stays the same when the sensor is replugged, gets another number, or the machine restarts.
  public var identity: String
  /// Its name for people.
  public var name: String

  /// Creates a source.
  public init(identity: String, name: String) { (self.identity, self.name) = (identity, name) }
}

/// The result of ``HistoryWriter/record(_:floors:source:)``.
public struct HistoryReceipt: Sendable, Hashable {
  /// The number of steps that were recorded.
  public var recorded = 0
  /// The number of steps not later than an earlier one, which were submitted twice.
  public var repeated = 0
  /// The number of steps that are physically impossible (above ``WalkedStep/highestCadence``, minute by minute) or in the future.
  public var impossible = 0
  /// The number of floors without a step of their source in the two minutes before, in the future, or more at once than
  /// ``WalkedFloors/most``.
  public var refusedFloors = 0

  /// Creates an empty receipt.
  public init() {}
}
