/// A key as a game hears it.
enum Key: Hashable {
  /// A printable ASCII character.
  case character(Character)
  case enter, backspace, escape
  /// Ctrl-C.
  case interrupt
  /// Ctrl-Z.
  case suspend
  /// Ctrl-L.
  case redraw
}

/// Bytes from a terminal in, keys out. Arrows, function keys and whatever else begins with ESC are passed over.
///
/// Where a sequence is torn apart on its way, as over a slow line, its ESC counts as the key, and the rest is still
/// passed over.
struct KeyParser {
  private enum Phase {
    case plain
    /// ESC was seen.
    case escape
    /// ESC [ (a control sequence of ECMA-48), up to its final byte.
    case sequence
    /// ESC O, and one byte more.
    case single
  }

  private var phase = Phase.plain

  /// The keys in these bytes.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    // An ESC at the end of what came at once is the key itself; it has been told already when more follows.
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
        if let key = Self.key(byte) { keys.append(key) }
      }
      escapeIsOpen = phase == .escape
    }
    if escapeIsOpen { keys.append(.escape) }
    return keys
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
