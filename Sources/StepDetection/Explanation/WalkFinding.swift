import Pedometry

/// A run of steps no further apart than `WalkTracker.boutGap`, two seconds.
public struct WalkBout: Sendable, Hashable {
  /// When the first foot struck and the last, on the sensor's clock.
  public var start: Duration
  public var end: Duration
  public var steps: Int
  /// The chance that it is walking, 0 to 1: of the bouts given 0.9, nine in ten are real, among recordings like those the
  /// table was made from.
  public var confidence: Double

  /// Steps a second, from the first step to the last; `nil` for a single one.
  public var cadence: Double? {
    steps > 1 && end > start ? Double(steps - 1) / ((end - start) / .seconds(1)) : nil
  }

  package init(start: Duration, end: Duration, steps: Int, confidence: Double) {
    self.start = start
    self.end = end
    self.steps = steps
    self.confidence = confidence
  }
}

/// A stretch of movement that was not counted.
public struct UncountedStretch: Sendable, Hashable {
  /// On the sensor's clock.
  public var start: Duration
  public var end: Duration
  /// What spoke against walking in most of it.
  public var objection: Objection

  package init(start: Duration, end: Duration, objection: Objection) {
    self.start = start
    self.end = end
    self.objection = objection
  }
}

/// One thing that a ``WalkCounter`` has to say about a recording. Findings follow one another in time; what lies between
/// them is rest, movement below 0.03 g, or too short to tell of (``WalkCounter/unlistedMovement``).
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
