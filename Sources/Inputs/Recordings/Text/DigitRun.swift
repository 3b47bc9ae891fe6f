/// Parses eight digits at a time.
///
/// For little-endian machines only, like all that Swift supports.
extension PlainRows {
  static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Parses `-12.345` as mantissa and number of decimals and stops at the first byte after it.
  ///
  /// Up to eight digits take one pass without a loop; longer numbers use ``longNumber(_:_:_:_:)``.
  @inline(__always)
  func number(_ at: inout UnsafePointer<UInt8>, _ mantissa: inout Int64, _ decimals: inout Int) -> Bool {
    let isNegative: Int64 = unsafe at.pointee == UInt8(ascii: "-") ? 1 : 0
    let first = unsafe at + Int(isNegative)
    let word = unsafe UnsafeRawPointer(first).loadUnaligned(as: UInt64.self) ^ Self.zeros
    // The bits before the first non-digit.
    let whole = Self.nonDigits(word).trailingZeroBitCount & 0x78
    var digits = word
    var count = whole
    var end = unsafe first + whole / 8
    decimals = 0
    if unsafe end.pointee == mark, whole < 64 {
      let before = (UInt64(1) << UInt64(whole)) &- 1
      let shifted = unsafe UnsafeRawPointer(first + 1).loadUnaligned(as: UInt64.self) ^ Self.zeros
      count = (Self.nonDigits(shifted) & ~before).trailingZeroBitCount & 0x78
      digits = (word & before) | (shifted & ~before)
      decimals = (count &- whole) / 8
      unsafe end = first + 1 + count / 8
    }
    guard count > 0 else { return false }
    // Eight digits: there may be more.
    if count == 64, unsafe end.pointee &- 0x30 <= 9 || (end.pointee == mark && decimals == 0) {
      return unsafe longNumber(&at, first, &mantissa, &decimals)
    }
    let magnitude = Self.value(ofDigits: digits &<< UInt64(64 &- count))
    mantissa = (Int64(magnitude) ^ -isNegative) &+ isNegative
    unsafe at = end
    return true
  }

  /// The top bit of each non-digit, after `^ '0'`.
  @inline(__always)
  static func nonDigits(_ word: UInt64) -> UInt64 {
    (((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676) | word) & highBits
  }

  /// The value of eight digits, the first in the lowest byte: pairs, then fours, then eight.
  @inline(__always)
  static func value(ofDigits digits: UInt64) -> UInt64 {
    let pairs = (digits &* 10) &+ (digits >> 8)
    let low = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) >> 32
  }

  /// Parses a number of up to 18 digits, and most of 19; longer ones are not plain.
  @inline(never)
  private func longNumber(
    _ at: inout UnsafePointer<UInt8>, _ first: UnsafePointer<UInt8>, _ mantissa: inout Int64, _ decimals: inout Int
  ) -> Bool {
    let isNegative = unsafe first > at
    var place = unsafe first
    var value: Int64 = 0
    var digits = 0
    var markAt = -1
    while true {
      let digit = unsafe place.pointee &- 0x30
      if digit <= 9 {
        // Today's Unix time in nanoseconds has 19 digits; not all numbers of 19 fit.
        if digits == 19 || value >= 922_337_203_685_477_580 { return false }
        value = value &* 10 &+ Int64(digit)
        digits += 1
      } else if unsafe place.pointee == mark, markAt < 0 {
        markAt = digits
      } else {
        break
      }
      unsafe place += 1
    }
    decimals = markAt < 0 ? 0 : digits - markAt
    mantissa = isNegative ? -value : value
    unsafe at = place
    return true
  }
}
