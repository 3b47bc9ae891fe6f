import Platform

/// Validates the names of users and rooms, which may contain any script, in one line.
public enum RoomName {
  /// The default room.
  public static let main = "main"

  /// The reason why a name is invalid.
  public enum Problem: Sendable, Hashable, CustomStringConvertible {
    /// It is empty or contains only blanks.
    case empty
    /// It has more characters than this, or more than four bytes per character.
    case tooLong(limit: Int)
    /// It contains a character that is not allowed: controls, line breaks, direction overrides, invisible characters.
    case unfit
    /// It is the name of the bot.
    case taken(String)

    public var description: String {
      switch self {
      case .empty: "missing name; give one, such as user=Ann"
      case .tooLong(let limit): "the name is too long; give at most \(limit) characters"
      case .unfit: "the name contains control characters or invisible ones; remove them"
      case .taken(let name): "'\(name)' is taken; choose another name"
      }
    }
  }

  /// Why a name is invalid; `nil` if it is valid.
  public static func problem(with name: String, limit: Int = RoomRules().nameLength) -> Problem? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy({ $0.properties.isWhitespace }) { return .empty }
    // A single character can have any number of combining marks, so bytes are limited too.
    if name.utf8.count > limit * 4 || name.count > limit { return .tooLong(limit: limit) }
    return PrintableText.line(name, longest: .max) != name || hasHidden(scalars) ? .unfit : nil
  }

  /// Whether there are characters that cannot be seen, with which one name could pass for another. Joiners and variation
  /// selectors are part of emoji and of several scripts, but never follow an ASCII character other than those of
  /// keycaps.
  private static func hasHidden(_ scalars: String.UnicodeScalarView) -> Bool {
    var former: Unicode.Scalar?
    for scalar in scalars {
      defer { former = scalar }
      switch scalar.value {
      case 0x200C, 0x200D: if former?.isASCII ?? true { return true }
      case 0xFE00...0xFE0F:
        if former.map({ $0.isASCII && !"#*0123456789".unicodeScalars.contains($0) }) ?? true { return true }
      case 0x2800: return true
      default: if scalar.properties.isDefaultIgnorableCodePoint { return true }
      }
    }
    return former?.value == 0x200C || former?.value == 0x200D
  }
}
