/// The text of a JSON string (RFC 8259, section 7).
enum JSONString {
  private static let backslash = UInt16(UInt8(ascii: "\\"))
  /// What stands for a character behind a backslash.
  private static let escapes: [UInt8: UInt16] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): backslash, UInt8(ascii: "/"): 0x2F,
  ]

  /// Replaces the escape sequences of the bytes between two quotation marks.
  ///
  /// Half of a surrogate pair becomes U+FFFD. Sequences that JSON does not define stay as they are.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    // The units of UTF-16 that escape sequences state.
    var units: [UInt16] = []
    var rest = bytes
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
      units += String(decoding: rest[..<escape], as: UTF8.self).utf16
      rest = rest[(escape + 1)...]
      units.append(takeEscaped(&rest))
    }
    return String(decoding: units + String(decoding: rest, as: UTF8.self).utf16, as: UTF16.self)
  }

  /// Takes what follows a backslash; takes nothing, and returns the backslash, if that is no escape sequence.
  private static func takeEscaped(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
    if let plain = rest.first.flatMap({ escapes[$0] }) {
      rest = rest.dropFirst()
      return plain
    }
    let digits = rest.dropFirst().prefix(4)
    guard rest.first == UInt8(ascii: "u"), digits.count == 4,
      digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return backslash }
    rest = rest[digits.endIndex...]
    return unit
  }
}
