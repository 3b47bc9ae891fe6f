/// Whether a step sensor can be read by this user.
public enum SensorAccess: Sendable, Hashable {
  /// There is one, and it may be read.
  case granted
  /// There is one, and every way to read it is closed to this user.
  case declined
  /// There is none.
  case missing
}
