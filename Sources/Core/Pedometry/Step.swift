/// One step of one foot.
public struct Step: Sendable, Hashable {
  /// The time of the foot strike on the sensor's clock, not of its confirmation.
  public var timestamp: Duration
  /// Whether it is confirmed. A provisional step may be retracted.
  public var isConfirmed: Bool
  /// The probability that this was walking, 0 to 1, at the time of its confirmation; `nil` unless requested.
  public var confidence: Double?

  /// Creates a step.
  public init(timestamp: Duration, isConfirmed: Bool = true, confidence: Double? = nil) {
    self.timestamp = timestamp
    self.isConfirmed = isConfirmed
    self.confidence = confidence
  }
}
