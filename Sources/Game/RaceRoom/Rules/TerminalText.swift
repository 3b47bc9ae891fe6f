/// Makes untrusted text safe to display.
package enum TerminalText {
  /// The text without control characters and escape sequences of a terminal: colours, cursor movements, titles,
  /// clipboard access, device controls (ECMA-48, and xterm's additions). Line breaks and tabs become blanks. Characters
  /// that change the text direction beyond their own message are removed; right-to-left letters, and emoji with their
  /// joiners, are kept.
  package static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var state = State.text
    for scalar in text.unicodeScalars {
      switch state {
      case .text: state = shown(scalar, &result)
      case .escape: state = escaped(scalar)
      case .sequence: state = isFinal(scalar) ? .text : .sequence
      case .string:
        state = scalar == "\u{7}" || scalar == "\u{9C}" ? .text : scalar == "\u{1B}" ? .stringEscape : .string
      case .stringEscape: state = scalar == "\\" ? .text : escaped(scalar)
      }
    }
    return String(result)
  }

  /// Whether a character is not allowed in a line of text: controls, line and paragraph separators, direction
  /// overrides.
  static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private enum State {
    case text, escape, sequence, string, stringEscape
  }

  private static func shown(_ scalar: Unicode.Scalar, _ result: inout String.UnicodeScalarView) -> State {
    switch scalar.value {
    case 0x1B: return .escape
    case 0x9B: return .sequence
    case 0x90, 0x98, 0x9D, 0x9E, 0x9F: return .string
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: if result.last != " " { result.append(" ") }
    default: if !isUnfit(scalar) { result.append(scalar) }
    }
    return .text
  }

  /// The state after ESC.
  private static func escaped(_ scalar: Unicode.Scalar) -> State {
    switch scalar {
    case "[": .sequence
    case "]", "P", "X", "^", "_": .string
    case "\u{1B}": .escape
    case "\u{20}"..."\u{2F}": .escape
    default: .text
    }
  }

  private static func isFinal(_ scalar: Unicode.Scalar) -> Bool { !(0x20...0x3F).contains(scalar.value) }
}
