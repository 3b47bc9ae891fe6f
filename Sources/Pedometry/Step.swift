/// One step of one foot.
public struct Step: Sendable, Hashable {
  /// When the foot struck, on the sensor's clock; not when the detector was sure.
  public var timestamp: Duration
  /// Whether it is certain. A step that is announced at once may still be taken back.
  public var isConfirmed: Bool
  /// The probability that this was walking, 0 to 1, as known when the step was confirmed; `nil` where it was not
  /// estimated, which is everywhere unless asked for.
  public var confidence: Double?

  /// Makes a step.
  public init(timestamp: Duration, isConfirmed: Bool = true, confidence: Double? = nil) {
    self.timestamp = timestamp
    self.isConfirmed = isConfirmed
    self.confidence = confidence
  }
}
