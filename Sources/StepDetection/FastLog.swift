/// ln(x) of a positive, normal number, within 2 millionths: what the detector takes logarithms of is not known that well,
/// and libm's takes three times as long.
///
/// x is (1 + f) · 2ᵉ with √½ ≤ 1 + f < √2, and ln(1 + f)/f the polynomial of fifth degree whose greatest error in
/// ln(1 + f) is least. Its terms are added two and two, since what comes next waits for the sum.
@inline(__always)
func fastLog(_ x: Float) -> Float {
  let bits = Int32(bitPattern: x.bitPattern)
  let squareRootOfHalf: Int32 = 0x3F35_04F3
  let exponent = (bits &- squareRootOfHalf) >> 23
  let f = Float(bitPattern: UInt32(bitPattern: bits &- exponent << 23)) - 1
  let square = f * f
  let low = 1.000_012_79 - 0.499_850_48 * f
  let middle = 0.332_258_47 - 0.254_725_08 * f
  let high = 0.223_303_68 - 0.143_200_31 * f
  return 0.693_147_18 * Float(exponent) + f * (low + square * (middle + square * high))
}
