import CTerminal
import JSONLines
import Platform

/// Text that fits into columns.
package enum ScreenText {
  /// An untrusted name or sentence as a line of text; see ``PrintableText``.
  package static func printable(_ text: String, longest: Int = PrintableText.longestName) -> String {
    PrintableText.line(text, longest: longest)
  }

  /// The same for several lines, whose line breaks are kept.
  package static func printableLines(_ text: String) -> String { PrintableText.lines(text) }

  /// Untrusted text, as far as a terminal can show it in columns: each character by its first scalar, so that marks and
  /// joiners do not shift them; characters without a column become question marks, and without Unicode all that are not
  /// ASCII.
  /// - Parameter columns: longer text is truncated.
  package static func visible(_ text: String, isUnicode: Bool, columns: Int = .max) -> String {
    var shown = ""
    var used = 0
    for character in text {
      let scalar = character.unicodeScalars.first ?? "?"
      let isShown = scalar.isASCII ? scalar.value >= 0x20 && scalar.value < 0x7F : isUnicode && width(of: scalar) > 0
      let kept = isShown ? Character(scalar) : "?"
      used += self.columns(of: kept)
      if used > columns { break }
      shown.append(kept)
    }
    return shown
  }

  package static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// The number of columns of a character: one, or two for those of East Asia and most emoji.
  package static func columns(of character: Character) -> Int {
    if character.isASCII { return 1 }
    return max(1, character.unicodeScalars.first.map(width) ?? 1)
  }

  /// From the C library's table; less than one for characters without a column.
  private static func width(of scalar: Unicode.Scalar) -> Int { Int(terminal_columns(scalar.value)) }

  /// Words in lines of at most `width` columns, each indented as the text is; a longer word is split.
  package static func wrapped(_ text: String, width: Int) -> [String] {
    let indent = String(text.prefix { $0 == " " })
    let width = width - indent.count
    guard width > 0 else { return [] }
    var lines: [String] = []
    for word in text.split(separator: " ") {
      var rest = word[...]
      if let last = lines.last, last.count + 1 + rest.count <= width {
        lines[lines.count - 1] += " " + rest
        continue
      }
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
      lines.append(String(rest))
    }
    return lines.map { indent + $0 }
  }

  /// A number with this many decimals, at most six; a dash if it cannot be shown.
  package static func number(_ value: Double, digits: Int) -> String {
    value.magnitude < 1e9 ? Decimals.fixed(value, digits) ?? "-" : "-"
  }

  /// Minutes and seconds, and hours if there are any; whole seconds, rounded down.
  package static func time(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):\(minutes.padded())" : "\(minutes)") + ":" + (seconds % 60).padded()
  }
}
