/// A small random number generator whose sequence depends only on its seed, on every machine and in every release.
///
/// Guy L. Steele, Doug Lea, Christine H. Flood: Fast splittable pseudorandom number generators. OOPSLA 2014. The state
/// is a counter, so `mix(_:)` also serves as a hash: the n-th number can be computed without the previous ones.
package struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
  private var state: UInt64

  /// The odd integer nearest to 2⁶⁴ divided by the golden ratio.
  package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init(seed: UInt64) { state = seed }

  /// Starts one of many independent sequences of the same seed.
  package init(seed: UInt64, stream: UInt64) { self.init(seed: Self.mix(seed &+ Self.mix(stream &* Self.increment))) }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mix(state)
  }

  /// The finaliser: every bit of the result depends on every bit of `value`.
  package static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number of 53 random bits in 0..<1.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  package mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// Two independent numbers of the normal distribution with mean 0 and variance 1 (Box and Muller, 1958).
  package mutating func gaussianPair() -> (Double, Double) {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    return (radius * cos(angle), radius * sin(angle))
  }

  /// One number of the normal distribution, cut off at three standard deviations.
  package mutating func gaussian() -> Double { min(3, max(-3, gaussianPair().0)) }
}
