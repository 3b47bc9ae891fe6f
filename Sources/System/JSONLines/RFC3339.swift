import Platform

/// Times in JSON and queries: RFC 3339, section 5.6, which is ISO 8601 with an offset.
///
/// Foundation's parser reads 12:99 as 13:39 and accepts no offset beyond 18 hours.
package enum RFC3339 {
  /// Seconds since 1970-01-01T00:00:00Z; `nil` if the text is not such a time.
  package static func secondsSince1970(_ text: String) -> Double? {
    // A plus sign that was not encoded may arrive as a blank.
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, [0x54, 0x74, 0x20].contains(bytes[10]),
      bytes[13] == 0x3A, bytes[16] == 0x3A, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), CivilDays.isDate(year: year, month: month, day: day), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    var rest = bytes[19...]
    guard let fraction = takeFraction(&rest), let offset = offset(rest) else { return nil }
    let time = CivilDays.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    return Double(time) + fraction
  }

  private static func number(_ bytes: some Collection<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte &- 0x30)
    }
    return value
  }

  private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
    guard rest.first == UInt8(ascii: ".") else { return 0 }
    let digits = rest.dropFirst().prefix { $0 &- 0x30 < 10 }
    rest = rest.dropFirst(digits.count + 1)
    return digits.isEmpty ? nil : digits.reversed().reduce(0) { ($0 + Double($1 &- 0x30)) / 10 }
  }

  /// The offset in seconds east of UTC.
  private static func offset(_ rest: ArraySlice<UInt8>) -> Int? {
    let text = String(decoding: rest, as: UTF8.self)
    if text == "Z" || text == "z" { return 0 }
    guard rest.count == 6, rest[rest.startIndex + 3] == UInt8(ascii: ":") else { return nil }
    return UTCOffset.seconds(text.hasPrefix(" ") ? "+" + text.dropFirst() : text)
  }
}
