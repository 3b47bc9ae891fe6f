import Pedometry

/// A run of steps no further apart than `WalkTracker.boutGap`, two seconds.
public struct WalkBout: Sendable, Hashable {
  /// The times of the first and the last foot strike, on the sensor's clock.
  public var start: Duration
  public var end: Duration
  public var steps: Int
  /// The probability that it is walking, 0 to 1: nine in ten bouts with 0.9 are real, among recordings like those of the table.
  public var confidence: Double

  /// The cadence in steps a second, from the first step to the last; `nil` for a single one.
  public var cadence: Double? {
    steps > 1 && end > start ? Double(steps - 1) / ((end - start) / .seconds(1)) : nil
  }
}

/// A stretch of movement that was not counted.
public struct UncountedStretch: Sendable, Hashable {
  /// On the sensor's clock.
  public var start: Duration
  public var end: Duration
  /// The objection to most of it.
  public var objection: Objection
  /// The mean rate at which it repeats, in steps a second, if it were walking.
  public var cadence = 0.0
}

/// A finding of a ``WalkCounter`` about a recording. Findings are in order of time; between them are rest, movement
/// below 0.03 g, or stretches too short to report (``WalkCounter/unlistedMovement``).
public enum WalkFinding: Sendable, Hashable {
  case bout(WalkBout)
  case stretch(UncountedStretch)

  /// On the sensor's clock.
  public var start: Duration {
    switch self {
    case .bout(let bout): bout.start
    case .stretch(let stretch): stretch.start
    }
  }

  /// On the sensor's clock.
  public var end: Duration {
    switch self {
    case .bout(let bout): bout.end
    case .stretch(let stretch): stretch.end
    }
  }
}
