/// Why a pedometer does not count. The cases correspond to Core Motion's `CMErrorMotionActivityNotAvailable`,
/// `…NotAuthorized` and `CMErrorUnknown`, with the reason.
public enum PedometerError: Error, Sendable, Hashable {
  /// No usable sensor.
  case notAvailable(reason: String)
  /// There is a sensor, but this user may not read it.
  case notAuthorized(remedy: String)
  /// The sensor was removed, or no longer delivers data.
  case sensorLost(reason: String)
}

extension PedometerError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .notAvailable(let reason): "no usable step sensor: \(reason)"
    case .notAuthorized(let remedy): "no permission to read the step sensor: \(remedy)"
    case .sensorLost(let reason): "lost the step sensor: \(reason)"
    }
  }
}
