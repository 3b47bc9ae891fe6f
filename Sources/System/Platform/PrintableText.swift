/// Text from outside (names of files, devices and people, messages of other programs) as it is printed for people.
///
/// Everything that prints sentences or tables passes them through here: characters that control a terminal (control
/// characters, line breaks, changes of the text direction) and invisible ones become question marks, as in `ls`. All
/// others are kept, whatever their width.
package enum PrintableText {
  /// The maximum length of a name in characters.
  package static let longestName = 200

  /// A name or sentence as a single line.
  /// - Parameter longest: the maximum length in characters; the middle of longer text is omitted, because names differ
  ///   at their ends.
  package static func line(_ text: String, longest: Int = longestName) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(isActedOn(scalar) ? "?" : scalar) }
    let line = String(shown)
    guard line.count > longest else { return line }
    let head = longest / 2
    return line.prefix(head) + "…" + line.suffix(longest - head - 1)
  }

  /// Several lines, whose line breaks are kept.
  package static func lines(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(scalar != "\n" && isActedOn(scalar) ? "?" : scalar) }
    return String(shown)
  }

  private static func isActedOn(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    default: false
    }
  }
}
