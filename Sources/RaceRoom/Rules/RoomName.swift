/// What users and rooms may be called: whatever people are called, in one line.
public enum RoomName {
  /// Where everybody is who asks for no other room.
  public static let main = "main"

  /// What is wrong with a name.
  public enum Problem: Sendable, Hashable, CustomStringConvertible {
    /// Nothing in it, or blanks only.
    case empty
    /// More characters than this, or more than four bytes to each of them.
    case tooLong(limit: Int)
    /// A character that is not allowed: controls, line ends, direction overrides.
    case unfit
    /// The bot is called so.
    case taken(String)

    public var description: String {
      switch self {
      case .empty: "missing name; give one, such as user=Ann"
      case .tooLong(let limit): "the name is too long; give at most \(limit) characters"
      case .unfit: "the name holds control characters; leave them out"
      case .taken(let name): "'\(name)' is taken; choose another name"
      }
    }
  }

  /// What is wrong with a name; `nil` when nothing is.
  public static func problem(with name: String, limit: Int = RoomRules().nameLength) -> Problem? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy({ $0.properties.isWhitespace }) { return .empty }
    // A single character can have any number of marks on it, so bytes have their limit, too.
    if name.utf8.count > limit * 4 || name.count > limit { return .tooLong(limit: limit) }
    return scalars.contains(where: TerminalText.isUnfit) ? .unfit : nil
  }
}
