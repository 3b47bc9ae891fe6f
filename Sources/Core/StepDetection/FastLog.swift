/// ln(x) of a positive, normal number, within 2 millionths. The detector's inputs are less precise than that, and
/// libm's function takes three times as long.
///
/// x is (1 + f) · 2ᵉ with √½ ≤ 1 + f < √2, and ln(1 + f)/f is the polynomial of fifth degree with the smallest maximum
/// error in ln(1 + f). Its terms are added in pairs, to shorten the chain of dependent operations.
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
