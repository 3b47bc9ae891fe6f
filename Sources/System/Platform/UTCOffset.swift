/// The offset of a time zone from UTC, as people type it.
package enum UTCOffset {
  /// Seconds ahead of UTC of `+02:00`, `-0530`, `+2`, `GMT+2`, `UTC` or `Z`; `nil` for any other text.
  package static func seconds(_ text: String) -> Int? {
    if ["Z", "z", "UTC", "GMT"].contains(text) { return 0 }
    let named = text.hasPrefix("UTC") || text.hasPrefix("GMT")
    let rest = named ? text.dropFirst(3) : text[...]
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst()
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    var (hours, minutes): (Substring, Substring) = (digits, "00")
    if parts.count == 2 { (hours, minutes) = (parts[0], parts[1]) }
    if digits.count == 4, parts.count == 1 { (hours, minutes) = (digits.prefix(2), digits.suffix(2)) }
    guard (1...2).contains(hours.count), minutes.count == 2, let hour = number(hours), hour < 24,
      let minute = number(minutes), minute < 60
    else { return nil }
    return (hour * 3600 + minute * 60) * (sign == "-" ? -1 : 1)
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(digits) : nil
  }
}
