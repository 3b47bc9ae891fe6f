/// A decimal number, ±mantissa × 10^exponent, exact up to 19 digits.
///
/// Timestamps are converted from here to whole nanoseconds without a `Double`, which cannot represent today's Unix time
/// in nanoseconds (61 bits).
struct DecimalNumber: Equatable {
  var isNegative: Bool
  var mantissa: UInt64
  var exponent: Int

  enum Field: Equatable {
    case number(DecimalNumber)
    /// NaN or an infinity, in one of the usual spellings.
    case notFinite
    case empty
    case text
  }

  /// Timestamps are below this, in nanoseconds, and above minus half of it, so that no difference and no shift of two
  /// can overflow: the years 1897 to 2116.
  static let timestampLimit: Int64 = 1 << 62

  static func isTimestamp(_ nanoseconds: Int64) -> Bool {
    nanoseconds < timestampLimit && nanoseconds > -timestampLimit / 2
  }

  /// The number times 10^`power`, rounded to the nearest integer; `nil` outside ``timestampLimit``.
  func scaled(byPowerOfTen power: Int) -> Int64? {
    let shift = exponent + power
    var magnitude = mantissa
    if shift >= 0 {
      if magnitude == 0 { return 0 }
      guard shift < PowersOfTen.whole.count else { return nil }
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: PowersOfTen.whole[shift])
      if overflow { return nil }
      magnitude = product
    } else {
      guard -shift < PowersOfTen.whole.count else { return 0 }
      let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: PowersOfTen.whole[-shift])
      magnitude = quotient + (remainder >= PowersOfTen.whole[-shift] - remainder ? 1 : 0)
    }
    guard magnitude < UInt64(Self.timestampLimit) else { return nil }
    let signed = isNegative ? -Int64(magnitude) : Int64(magnitude)
    return Self.isTimestamp(signed) ? signed : nil
  }

  /// The nearest `Double`, up to its last bit.
  var value: Double { PowersOfTen.scaled(self, by: PowersOfTen.ones) }
}

enum PowersOfTen {
  /// 10^0 … 10^19, all that fit 64 bits.
  static let whole: [UInt64] = (0..<20).map { power in (0..<power).reduce(UInt64(1)) { ten, _ in ten * 10 } }

  /// The index of 10^0 in a table of ``scales(unit:)``.
  static let zero = 64
  /// The largest exponent of a table.
  static let largest = 44

  /// `unit` × 10^-64 … `unit` × 10^44: one product converts a mantissa to acceleration in g.
  static func scales(unit: Double) -> [Double] {
    (-zero...largest).map { exponent in
      switch exponent {
      case 0...22: unit * exactPower(exponent)
      case -22..<0: unit / exactPower(-exponent)
      default: unit * (Double("1e\(exponent)") ?? 0)
      }
    }
  }

  static let ones = scales(unit: 1)

  /// 10^`power` for powers up to 22, which a `Double` represents exactly.
  private static func exactPower(_ power: Int) -> Double { (0..<power).reduce(1) { ten, _ in ten * 10 } }

  /// The number in a table's unit; infinite if it is too large for any acceleration.
  static func scaled(_ number: DecimalNumber, by scales: [Double]) -> Double {
    if number.mantissa == 0 { return number.isNegative ? -0.0 : 0 }
    guard number.exponent <= largest else { return number.isNegative ? -.infinity : .infinity }
    guard number.exponent >= -zero else { return 0 }
    let magnitude = Double(number.mantissa) * scales[number.exponent + zero]
    return number.isNegative ? -magnitude : magnitude
  }
}

extension DecimalNumber {
  /// Parses a field of any kind, without surrounding blanks.
  static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>, decimalComma: Bool) -> Field {
    var i = range.lowerBound
    let end = range.upperBound
    if i == end { return .empty }
    let negative = bytes[i] == UInt8(ascii: "-")
    if negative || bytes[i] == UInt8(ascii: "+") { i += 1 }
    var number = DecimalNumber(isNegative: negative, mantissa: 0, exponent: 0)
    var isFull = false
    var digits = number.takeDigits(bytes, &i, end, ofFraction: false, &isFull)
    if i < end, bytes[i] == UInt8(ascii: ".") || (decimalComma && bytes[i] == UInt8(ascii: ",")) {
      i += 1
      digits += number.takeDigits(bytes, &i, end, ofFraction: true, &isFull)
    }
    if digits == 0 { return isNotFinite(bytes, i..<end) ? .notFinite : .text }
    if i < end, bytes[i] | 0x20 == UInt8(ascii: "e") {
      i += 1
      guard let exponent = takeExponent(bytes, &i, end) else { return .text }
      number.exponent += exponent
    }
    if i == end || isUnitOfTime(bytes, i..<end) { return .number(number) }
    return grouped(bytes, range, decimalComma: decimalComma).map { .number($0) } ?? .text
  }

  /// A number whose thousands are separated: `1,234.5`, or `1.234,5` with a decimal comma.
  ///
  /// It needs a decimal mark or two separators: `1,234` alone may also be a number with three decimals.
  private static func grouped(_ bytes: Span<UInt8>, _ range: Range<Int>, decimalComma: Bool) -> DecimalNumber? {
    let (separator, mark) =
      decimalComma ? (UInt8(ascii: "."), UInt8(ascii: ",")) : (UInt8(ascii: ","), UInt8(ascii: "."))
    var digits: [UInt8] = []
    var (separators, run) = (0, 0)
    var i = range.lowerBound
    if bytes[i] == UInt8(ascii: "-") || bytes[i] == UInt8(ascii: "+") {
      digits.append(bytes[i])
      i += 1
    }
    while i < range.upperBound, bytes[i] != mark {
      if bytes[i] == separator {
        guard separators == 0 ? (1...3).contains(run) : run == 3 else { return nil }
        separators += 1
        run = 0
      } else {
        guard bytes[i] &- 0x30 <= 9 else { return nil }
        digits.append(bytes[i])
        run += 1
      }
      i += 1
    }
    guard run == 3, separators > 1 || (separators == 1 && i + 1 < range.upperBound) else { return nil }
    if i < range.upperBound {
      digits.append(UInt8(ascii: "."))
      digits += (i + 1..<range.upperBound).map { bytes[$0] }
    }
    // Without separators, so this does not recur.
    guard !digits.contains(separator) || separator == UInt8(ascii: "."),
      case .number(let number) = parse(digits.span, digits.indices, decimalComma: false)
    else { return nil }
    return number
  }

  /// Whether a blank and a unit of time stand behind a number: `0.02 sec`, as MATLAB writes durations.
  private static func isUnitOfTime(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard (2...4).contains(range.count), bytes[range.lowerBound] == 0x20 else { return false }
    let unit = String(decoding: range.dropFirst().map { bytes[$0] }, as: UTF8.self)
    return ["s", "sec", "ms"].contains(unit)
  }

  /// Takes digits up to the first other byte; the twentieth rounds, later ones only change the exponent.
  private mutating func takeDigits(
    _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int, ofFraction: Bool, _ isFull: inout Bool
  ) -> Int {
    let start = i
    while i < end {
      let digit = bytes[i] &- 0x30
      if digit > 9 { break }
      if mantissa < 1_000_000_000_000_000_000, !isFull {
        mantissa = mantissa * 10 + UInt64(digit)
        if ofFraction { exponent -= 1 }
      } else {
        if !isFull, digit >= 5 { mantissa += 1 }
        isFull = true
        if !ofFraction { exponent += 1 }
      }
      i += 1
    }
    return i - start
  }

  private static func takeExponent(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int? {
    guard i < end else { return nil }
    let negative = bytes[i] == UInt8(ascii: "-")
    if negative || bytes[i] == UInt8(ascii: "+") { i += 1 }
    let start = i
    var exponent = 0
    while i < end, bytes[i] &- 0x30 <= 9 {
      exponent = min(exponent * 10 + Int(bytes[i] &- 0x30), 99_999)
      i += 1
    }
    if i == start { return nil }
    return negative ? -exponent : exponent
  }

  private static func isNotFinite(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count <= 9 else { return false }
    let word = String(decoding: range.map { bytes[$0] | 0x20 }, as: UTF8.self)
    return ["nan", "inf", "infinity", "na", "null", "n/a", "1.#ind", "1.#inf"].contains(word)
  }
}
