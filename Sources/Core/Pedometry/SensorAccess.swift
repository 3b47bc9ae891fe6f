/// Whether a step sensor can be read by this user.
public enum SensorAccess: Sendable, Hashable {
  /// There is one, and this user may read it.
  case granted
  /// There is one, but this user has no way to read it.
  case declined
  /// There is none.
  case missing
}
