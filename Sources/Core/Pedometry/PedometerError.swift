/// The reason why a pedometer does not count. Compare ``code`` and show ``message``.
public struct PedometerError: Error, Sendable, Hashable {
  /// The cause. Later versions may add others. These stand for Core Motion's `CMErrorMotionActivityNotAvailable`,
  /// `…NotAuthorized` and `CMErrorUnknown`.
  public struct Code: Sendable, Hashable {
    let name: String
    /// There is no usable sensor.
    public static let notAvailable = Code(name: "notAvailable")
    /// There is a sensor, but this user may not read it.
    public static let notAuthorized = Code(name: "notAuthorized")
    /// The sensor was unplugged, or no longer sends data.
    public static let sensorLost = Code(name: "sensorLost")
  }

  /// The cause.
  public let code: Code
  /// The evidence or the remedy; part of the message.
  public let detail: String
  /// One sentence.
  public let message: String

  /// There is no usable sensor, for this reason.
  public static func notAvailable(reason: String) -> Self {
    Self(code: .notAvailable, detail: reason, message: "no usable step sensor: \(reason)")
  }

  /// This user may not read the sensor; `remedy` is part of the message.
  public static func notAuthorized(remedy: String) -> Self {
    Self(code: .notAuthorized, detail: remedy, message: "no permission to read the step sensor: \(remedy)")
  }

  /// The sensor was lost, for this reason.
  public static func sensorLost(reason: String) -> Self {
    Self(code: .sensorLost, detail: reason, message: "lost the step sensor: \(reason)")
  }
}

extension PedometerError: CustomStringConvertible {
  public var description: String { message }
}
