/// One step of one foot.
public struct Step: Sendable, Hashable {
  /// When the foot struck, on the sensor's clock; not when the detector was sure.
  public var timestamp: Duration
  /// Whether it is certain. A step that is announced at once may still be taken back.
  public var isConfirmed: Bool

  /// Makes a step.
  public init(timestamp: Duration, isConfirmed: Bool = true) {
    self.timestamp = timestamp
    self.isConfirmed = isConfirmed
  }
}
