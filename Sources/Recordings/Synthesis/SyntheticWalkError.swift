/// Why a synthetic walk cannot be made.
public enum SyntheticWalkError: Error, Hashable, Sendable {
  /// No setting has this name.
  case unknownKey(String)
  /// The value of a setting is not what it has to be.
  case badValue(key: String, value: String, expected: String)
  /// Two settings cannot be had together.
  case conflict(String)
}

extension SyntheticWalkError: CustomStringConvertible {
  /// One sentence that says what to write instead.
  public var description: String {
    switch self {
    case .unknownKey(let key):
      "unknown setting '\(key)' of a synthetic walk; the settings are \(SyntheticWalk.settingKeys.joined(separator: ", "))"
    case .badValue(let key, let value, let expected): "invalid setting \(key)=\(value); \(key) is \(expected)"
    case .conflict(let what): what
    }
  }
}
