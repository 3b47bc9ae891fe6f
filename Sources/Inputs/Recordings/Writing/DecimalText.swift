/// A buffer of text for decimal numbers, without a string or a C call for each.
struct DecimalText {
  var bytes: [UInt8] = []

  private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

  mutating func append(_ text: StaticString) { text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) } }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// An integer in units of 10⁻ᵈ, as 12345 with three decimals is 12.345; without trailing zeros.
  mutating func append(_ value: Int64, decimals: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(magnitude: value.magnitude, decimals: decimals)
  }

  /// A number rounded to this many significant digits (6 to 9), with at most 12 decimals.
  /// - Returns: whether it was finite; nothing is appended if not.
  mutating func append(_ value: Double, significantDigits: Int) -> Bool {
    guard value.isFinite else { return false }
    let magnitude = value.magnitude
    guard magnitude < 1e9 else {
      bytes.append(contentsOf: "\(value)".utf8)
      return true
    }
    var decimals = significantDigits - 1
    var limit = 1.0
    while magnitude < limit, decimals < 12 {
      limit *= 0.1
      decimals += 1
    }
    limit = 10
    while magnitude >= limit, decimals > 0 {
      limit *= 10
      decimals -= 1
    }
    let scaled = UInt64((magnitude * Self.powersOfTen[decimals]).rounded())
    if value < 0, scaled > 0 { bytes.append(UInt8(ascii: "-")) }
    append(magnitude: scaled, decimals: decimals)
    return true
  }

  /// The shortest number that reads as the same `Float`: 0.04, not 0.0399999991.
  /// - Returns: whether it was finite; nothing is appended if not.
  mutating func append(shortest value: Float) -> Bool {
    let text = value.description
    guard value.isFinite, !text.utf8.contains(UInt8(ascii: "e")) else {
      return append(Double(value), significantDigits: 9)
    }
    bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    return true
  }

  private mutating func append(magnitude: UInt64, decimals: Int) {
    var rest = magnitude
    var places = decimals
    while places > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      if digit != 0 { break }
      rest = quotient
      places -= 1
    }
    var digits = InlineArray<24, UInt8>(repeating: UInt8(ascii: "0"))
    var first = 24
    var written = 0
    while rest > 0 || written <= places {
      if written == places, places > 0 {
        first -= 1
        digits[first] = UInt8(ascii: ".")
      }
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(digit)
      rest = quotient
      written += 1
    }
    for index in first..<24 { bytes.append(digits[index]) }
  }
}
