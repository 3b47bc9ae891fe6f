/// Finds signed values that a program wrote as unsigned numbers, such as -1 as 65,535: a `uint16_t` in a sketch, `%u` for `%d`.
///
/// An axis that passes zero then jumps across the whole range, and hardly ever across half of it. Where none does, the values of 16
/// and of 32 bits still show it: some are near the end of the range, others near its beginning, and hardly any between,
/// where a converter has its zero.
struct UnsignedNumbers {
  private var isPossible = true
  private var last: SIMD3<Float>?
  private var largest: Float = 0
  private var rows = 0
  private var ranges = Array(repeating: Range(), count: Self.bits.count)

  private struct Range {
    /// Steps from one sample to the next across most of it, and across about half of it.
    var (whole, half) = (0, 0)
    /// Rows with a value near its beginning, around its middle, and near its end.
    var (low, middle, high) = (0, 0, 0)
  }

  private static let bits = [8, 10, 12, 14, 16, 24, 32]
  private static let fewestJumps = 3
  private static let fewestRows = 64

  /// Takes the next row's values, in the recording's unit.
  mutating func add(_ values: SIMD3<Float>) {
    guard isPossible else { return }
    guard values.min() >= 0, values == values.rounded(.down) else {
      isPossible = false
      return
    }
    largest = max(largest, values.max())
    rows += 1
    defer { last = values }
    for (index, bits) in Self.bits.enumerated() {
      let range = Self.range(bits)
      let shares = values / range
      if any(shares .< 0.375) { ranges[index].low += 1 }
      if any(shares .>= 0.375 .& shares .< 0.625) { ranges[index].middle += 1 }
      if any(shares .>= 0.625) { ranges[index].high += 1 }
      guard let last else { continue }
      // A single 0 may be a failed read.
      for axis in 0..<3 where values[axis] > 0 && last[axis] > 0 {
        let step = abs(shares[axis] - last[axis] / range)
        if step > 0.75 { ranges[index].whole += 1 } else if step > 0.25 { ranges[index].half += 1 }
      }
    }
  }

  /// Ends a piece of a file: the next row does not follow the last one.
  mutating func endPiece() { last = nil }

  /// The number of values that an integer of the file may have, if its integers are signed ones that were written unsigned.
  var range: Float? {
    guard isPossible else { return nil }
    for (index, bits) in Self.bits.enumerated() {
      let range = Self.range(bits)
      // The smallest range that holds all values: numbers below zero are near its end. The largest of 32 bits is rounded up.
      guard largest < range || bits == 32 && largest == range else { continue }
      let found = ranges[index]
      let jumps = found.whole >= Self.fewestJumps && found.half * 4 <= found.whole
      let isSplit =
        [16, 32].contains(bits) && rows >= Self.fewestRows && found.middle * 100 <= rows
        && min(found.low, found.high) * 2 >= rows
      return largest >= range * 0.75 && (jumps || isSplit) ? range : nil
    }
    return nil
  }

  private static func range(_ bits: Int) -> Float { Float(sign: .plus, exponent: bits, significand: 1) }

  static func remark(range: Float) -> String {
    "no value is below zero, and some are near the end of \(range.exponent) bits: these are signed values that were"
      + " written as unsigned numbers, and they were read as signed"
  }
}
