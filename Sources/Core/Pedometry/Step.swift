/// One step of one foot.
public struct Step: Sendable, Hashable {
  /// The time of the foot strike on the sensor's clock, not of its confirmation.
  public var timestamp: Duration
  /// The probability that this was walking, 0 to 1, at the time of its confirmation; `nil` unless requested.
  public var confidence: Double?
  /// Metres; 0 until a ``WalkTracker`` has recorded it.
  public var length = 0.0
  /// The walking time that it accounts for; zero until a ``WalkTracker`` has recorded it.
  public var activeTime = Duration.zero

  /// Creates a step.
  public init(timestamp: Duration, confidence: Double? = nil) {
    (self.timestamp, self.confidence) = (timestamp, confidence)
  }
}
