/// Why a pedometer does not count: compare ``code``, and show ``message``.
public struct PedometerError: Error, Sendable, Hashable {
  /// The cause. Later versions may add others. These stand for Core Motion's `CMErrorMotionActivityNotAvailable`,
  /// `…NotAuthorized` and `CMErrorUnknown`.
  public struct Code: Sendable, Hashable {
    let name: String
    /// No usable sensor.
    public static let notAvailable = Code(name: "notAvailable")
    /// There is a sensor, but this user may not read it.
    public static let notAuthorized = Code(name: "notAuthorized")
    /// The sensor was there and is gone, or sends no data any more.
    public static let sensorLost = Code(name: "sensorLost")
  }

  /// The cause.
  public let code: Code
  /// The evidence, or what to do; part of the message.
  public let detail: String
  /// One sentence.
  public let message: String

  /// No usable sensor, for this reason.
  public static func notAvailable(reason: String) -> Self {
    Self(code: .notAvailable, detail: reason, message: "no usable step sensor: \(reason)")
  }

  /// This user may not read the sensor; the remedy says what to do about it.
  public static func notAuthorized(remedy: String) -> Self {
    Self(code: .notAuthorized, detail: remedy, message: "no permission to read the step sensor: \(remedy)")
  }

  /// The sensor is gone, for this reason.
  public static func sensorLost(reason: String) -> Self {
    Self(code: .sensorLost, detail: reason, message: "lost the step sensor: \(reason)")
  }
}

extension PedometerError: CustomStringConvertible {
  public var description: String { message }
}
