/// Samples of twelve hexadecimal digits: x, y and z of three digits each in two's complement, then three that say other
/// things.
///
/// Eight digits are looked at at once (SIMD within a register), as ``PlainRows`` does with decimal ones.
struct HexadecimalSamples {
  /// Digits of a sample.
  static let digits = 12

  /// How many digits a line begins with.
  static func digitsBefore(_ line: Span<UInt8>) -> Int {
    var i = 0
    while i + 8 <= line.count, areDigits(line.uint64(i)) { i += 8 }
    while i < line.count, value(line[i]) != nil { i += 1 }
    return i
  }

  /// Whether eight bytes are digits. A byte below 128 and the distance of 128 from a bound have the top bit where the byte
  /// is not below the bound.
  @inline(__always)
  private static func areDigits(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones << 7
    let lower = word | 0x20 &* ones
    let decimal = (word &+ 0x50 &* ones) & ~(word &+ 0x46 &* ones)
    let letter = (lower &+ 0x1F &* ones) & ~(lower &+ 0x19 &* ones)
    return word & tops == 0 && (decimal | letter) & tops == tops
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  private let offset: SIMD4<Float>
  private let scale: SIMD4<Float>

  /// A hundred times each number without the offset, divided by the gain, is in g.
  init(gain: SIMD3<Double>, offset: SIMD3<Double>) {
    self.offset = SIMD4(SIMD3<Float>(offset / 100), 0)
    scale = SIMD4(SIMD3<Float>(100 / gain), 0)
  }

  /// A sample of a line that holds nothing but digits up to there, in g, and a zero.
  @inline(__always)
  func lanes(_ line: Span<UInt8>, _ index: Int) -> SIMD4<Float> {
    // Pairs of digits are a byte each: the first in the lowest, every other byte empty.
    let nibbles = Self.nibbles(line.uint64(Self.digits &* index))
    let pairs = (nibbles << 4 | nibbles >> 8) & 0x00FF_00FF_00FF_00FF
    let last = UInt64(line[Self.digits &* index &+ 8])
    let third = (last & 15) &+ (last >> 6) &* 9
    // At the top of their lanes, so that the sign is where it belongs.
    let bits = SIMD4<UInt32>(
      UInt32(truncatingIfNeeded: pairs << 24 | (pairs & 0xF0_0000)),
      UInt32(truncatingIfNeeded: (pairs >> 16) << 28)
        | UInt32(truncatingIfNeeded: (pairs >> 32) & 0xFF) << 20,
      UInt32(truncatingIfNeeded: pairs >> 48) << 24 | UInt32(truncatingIfNeeded: third) << 20, 0)
    return (SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bits) &>> 20) - offset) * scale
  }

  /// The values of eight digits, a byte each.
  @inline(__always)
  private static func nibbles(_ word: UInt64) -> UInt64 {
    (word & 0x0F0F_0F0F_0F0F_0F0F) &+ ((word >> 6) & 0x0101_0101_0101_0101) &* 9
  }
}
