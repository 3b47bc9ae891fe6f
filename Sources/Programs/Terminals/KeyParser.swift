package enum Key: Hashable {
  /// A printable character.
  case character(Character)
  case enter, backspace, escape
  /// Ctrl-C.
  case interrupt
  /// Ctrl-Z.
  case suspend
  /// Ctrl-L.
  case redraw
}

/// Turns bytes of a terminal into keys. Arrows, function keys and other keys that begin with ESC are ignored.
///
/// If a sequence is interrupted, as over a slow line, its ESC counts as the key, and the rest is still ignored.
package struct KeyParser {
  private enum Phase {
    case plain
    /// After ESC.
    case escape
    /// After ESC [ (a control sequence of ECMA-48), up to its final byte.
    case sequence
    /// After ESC O, before one more byte.
    case single
  }

  private var phase = Phase.plain
  /// The bytes so far of a multi-byte character.
  private var partial: [UInt8] = []

  package init() {}

  package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    // An ESC at the end of a read is the key itself; if more follows later, it has been reported already.
    var escapeIsOpen = false
    for byte in bytes {
      switch phase {
      case .escape where byte == UInt8(ascii: "["): phase = .sequence
      case .escape where byte == UInt8(ascii: "O"): phase = .single
      case .sequence:
        if (0x40...0x7E).contains(byte) { phase = .plain }
      case .single: phase = .plain
      case .plain, .escape:
        if escapeIsOpen { keys.append(.escape) }
        phase = byte == 0x1B ? .escape : .plain
        if let key = byte < 0x80 ? Self.key(byte) : character(byte) { keys.append(key) }
      }
      escapeIsOpen = phase == .escape
    }
    if escapeIsOpen { keys.append(.escape) }
    return keys
  }

  /// Takes a byte of a character beyond ASCII (UTF-8).
  /// - Returns: the character, with its last byte.
  private mutating func character(_ byte: UInt8) -> Key? {
    if byte >= 0xC0 { partial.removeAll() }
    partial.append(byte)
    let length = partial[0] >= 0xF0 ? 4 : partial[0] >= 0xE0 ? 3 : 2
    guard partial.count >= length else { return nil }
    defer { partial.removeAll() }
    guard let text = String(validating: partial, as: UTF8.self), let character = text.first,
      character.unicodeScalars.allSatisfy({ $0.value >= 0xA0 })
    else { return nil }
    return .character(character)
  }

  private static func key(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03: .interrupt
    case 0x08, 0x7F: .backspace
    case 0x0A, 0x0D: .enter
    case 0x0C: .redraw
    case 0x1A: .suspend
    case 0x20...0x7E: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }
}
