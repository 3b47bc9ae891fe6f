/// Why a synthetic walk cannot be made: compare ``code``, and show ``message``.
public struct SyntheticWalkError: Error, Hashable, Sendable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// No setting has this name.
    public static let unknownKey = Code(name: "unknownKey")
    /// The value of a setting is not what it has to be.
    public static let badValue = Code(name: "badValue")
    /// Two settings cannot be had together.
    public static let conflict = Code(name: "conflict")
  }

  /// The cause.
  public let code: Code
  /// One sentence that says what to write instead.
  public let message: String
  /// The setting, where one is to blame.
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
    Self(.badValue, key: key, "\(key)=\(value) makes no synthetic walk; \(key) is \(expected)")
  }

  package static func conflict(_ what: String) -> Self { Self(.conflict, what) }
}

extension SyntheticWalkError: CustomStringConvertible {
  public var description: String { message }
}
