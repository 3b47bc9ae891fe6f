/// The reason why a pedometer does not count; they stand for Core Motion's `CMErrorMotionActivityNotAvailable`,
/// `…NotAuthorized` and `CMErrorUnknown`.
public enum PedometerError: Error, Sendable, Hashable {
  /// There is no usable sensor, for this reason.
  case notAvailable(reason: String)
  /// There is a sensor, but this user may not read it.
  case notAuthorized(remedy: String)
  /// The sensor was unplugged, or no longer sends data.
  case sensorLost(reason: String)
}

extension PedometerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAvailable(let reason): "no usable step sensor: \(reason)"
    case .notAuthorized(let remedy): "no permission to read the step sensor: \(remedy)"
    case .sensorLost(let reason): "lost the step sensor: \(reason)"
    }
  }
}
