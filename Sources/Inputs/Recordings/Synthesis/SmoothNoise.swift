import Platform

/// An aperiodic random function of time: random values at the points of a lattice, a cubic between them.
///
/// It can be evaluated at any time in any order and needs no memory, so the same seed gives the same curve for any
/// sampling. Mean 0, root mean square 1, almost no content above half the lattice's rate.
struct SmoothNoise: Sendable {
  private let seed: UInt64
  private let rate: Double

  /// √12 makes the uniform distribution's variance 1; 70/57 is one over the mean square of the cubic's kernel.
  private static let scale = (12.0 * 70 / 57).squareRoot()

  /// - Parameter rate: lattice points per second.
  init(seed: UInt64, stream: UInt64, rate: Double) {
    self.seed = SplitMix64.mix(seed &+ SplitMix64.mix(stream &* SplitMix64.increment))
    self.rate = rate
  }

  func value(at time: Double) -> Double {
    let position = time * rate
    let floor = position.rounded(.down)
    let x = position - floor
    let n = Int64(floor)
    let (a, b, c, d) = (point(n - 1), point(n), point(n + 1), point(n + 2))
    // Catmull and Rom, 1974
    let cubic = b + 0.5 * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)))
    return cubic * Self.scale
  }

  private func point(_ n: Int64) -> Double {
    let bits = SplitMix64.mix(seed &+ UInt64(bitPattern: n) &* SplitMix64.increment)
    return Double(bits >> 11) * 0x1p-53 - 0.5
  }
}
