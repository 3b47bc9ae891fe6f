/// The text of a JSON string (RFC 8259, section 7).
enum JSONString {
  /// Replaces the escape sequences of the bytes between two quotation marks.
  ///
  /// Half of a surrogate pair becomes U+FFFD. Sequences that JSON does not define stay as they are.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = bytes
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
      text += String(decoding: rest[..<escape], as: UTF8.self)
      rest = rest[(escape + 1)...]
      text += takeEscaped(&rest)
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  /// Reads an escape sequence behind its backslash.
  private static func takeEscaped(_ rest: inout ArraySlice<UInt8>) -> String {
    guard let byte = rest.first, "\"\\/bfnrtu".utf8.contains(byte) else { return "\\" }
    rest = rest.dropFirst()
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = takeUnit(&rest) else { return "\\u" }
      guard UTF16.isLeadSurrogate(unit), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
        return String(decoding: [unit], as: UTF16.self)
      }
      var following = rest.dropFirst(2)
      guard let second = takeUnit(&following), UTF16.isTrailSurrogate(second) else { return "\u{FFFD}" }
      rest = following
      return String(decoding: [unit, second], as: UTF16.self)
    default: return String(UnicodeScalar(byte))
    }
  }

  /// Reads the four hexadecimal digits of a UTF-16 code unit.
  private static func takeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    rest = rest.dropFirst(4)
    return unit
  }
}
