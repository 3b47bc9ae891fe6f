/// The reason why a synthetic walk cannot be created. Compare ``code`` and show ``message``.
public struct SyntheticWalkError: Error, Hashable, Sendable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// There is no setting with this name.
    public static let unknownKey = Code(name: "unknownKey")
    /// The value of a setting is invalid.
    public static let badValue = Code(name: "badValue")
    /// Two settings exclude each other.
    public static let conflict = Code(name: "conflict")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String
  /// The invalid setting, if it is a single one.
  public let key: String?

  private init(_ code: Code, key: String? = nil, _ message: String) {
    (self.code, self.key, self.message) = (code, key, message)
  }

  package static func unknownKey(_ key: String) -> Self {
    Self(
      .unknownKey, key: key,
      "a synthetic walk has no setting '\(key)'; it has \(SyntheticWalk.settingKeys.joined(separator: ", "))")
  }

  package static func badValue(key: String, value: String, expected: String) -> Self {
    Self(.badValue, key: key, "\(key)=\(value) is invalid for a synthetic walk; \(key) is \(expected)")
  }

  package static func conflict(_ what: String) -> Self { Self(.conflict, what) }
}

extension SyntheticWalkError: CustomStringConvertible {
  public var description: String { message }
}
