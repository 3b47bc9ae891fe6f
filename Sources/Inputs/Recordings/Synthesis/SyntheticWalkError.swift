/// The reason why a synthetic walk cannot be created.
public enum SyntheticWalkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no setting with this name.
  case unknownKey(String)
  /// The value of a setting is invalid; the setting is what is expected.
  case badValue(key: String, value: String, expected: String)
  /// Two settings exclude each other.
  case conflict(String)

  /// One sentence with the remedy.
  public var description: String {
    switch self {
    case .unknownKey(let key):
      "a synthetic walk has no setting '\(key)'; it has \(SyntheticWalk.settingKeys.joined(separator: ", "))"
    case .badValue(let key, let value, let expected):
      "\(key)=\(value) is invalid for a synthetic walk; \(key) is \(expected)"
    case .conflict(let what): what
    }
  }
}
