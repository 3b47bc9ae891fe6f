extension BinaryInteger {
  package func padded(_ width: Int = 2, radix: Int = 10) -> String {
    let digits = String(magnitude, radix: radix)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Sequence<UInt8> {
  /// The 64-bit hash FNV-1a (Fowler, Noll and Vo).
  package var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
