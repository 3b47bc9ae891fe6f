/// ln(x) of a positive, normal number, to 2 parts in ten million of 1: what the detector takes logarithms of is not known
/// that well, and libm's takes three times as long.
///
/// x is m · 2ᵉ with √½ ≤ m < √2, and ln m = 2 artanh((m − 1)/(m + 1)), whose series is cut after the seventh power.
@inline(__always)
func fastLog(_ x: Float) -> Float {
  let bits = Int32(bitPattern: x.bitPattern)
  let squareRootOfHalf: Int32 = 0x3F35_04F3
  let exponent = (bits &- squareRootOfHalf) >> 23
  let m = Float(bitPattern: UInt32(bitPattern: bits &- exponent << 23))
  let s = (m - 1) / (m + 1)
  let t = s * s
  return 0.693_147_18 * Float(exponent) + s * (2 + t * (0.666_666_7 + t * (0.4 + t * 0.285_714_3)))
}
