import Accelerometry
import Platform

/// Converts an ideal measurement to that of a real sensor: its axes, noise, range, resolution, and an inexact clock.
struct SensorModel: Sendable {
  private typealias Rows = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  private let rotation: Rows
  private let walk: SyntheticWalk
  private let resolution: Double
  private var noiseRandom: SplitMix64
  private var jitterRandom: SplitMix64
  private var lossRandom: SplitMix64

  init(_ walk: SyntheticWalk) {
    rotation = Self.rotation(of: walk.orientation, seed: walk.seed)
    self.walk = walk
    resolution = 2 * walk.range / exp2(Double(walk.bits))
    noiseRandom = SplitMix64(seed: walk.seed, stream: 41)
    jitterRandom = SplitMix64(seed: walk.seed, stream: 42)
    lossRandom = SplitMix64(seed: walk.seed, stream: 43)
  }

  /// The reading in g.
  mutating func reading(of motion: Motion) -> SIMD3<Float> {
    let force = walk.gravityRemoved ? motion.linear : motion.linear + motion.up
    var value = SIMD3((rotation.0 * force).sum(), (rotation.1 * force).sum(), (rotation.2 * force).sum())
    if walk.noise > 0 {
      let (a, b) = noiseRandom.gaussianPair()
      value += walk.noise * SIMD3(a, b, noiseRandom.gaussianPair().0)
    }
    // The highest code is one below full scale, as in two's complement.
    let codes = (value / resolution).rounded(.toNearestOrAwayFromZero) * resolution
    let highest = walk.range - resolution
    return SIMD3<Float>(codes.clamped(lowerBound: SIMD3(repeating: -walk.range), upperBound: SIMD3(repeating: highest)))
  }

  /// The error of the next timestamp, in sampling periods.
  mutating func timestampError() -> Double {
    walk.jitter > 0 ? jitterRandom.uniform(in: -walk.jitter...walk.jitter) : 0
  }

  mutating func isLost() -> Bool { walk.lost > 0 && lossRandom.uniform() < walk.lost }

  /// The rows of the matrix from the limb's axes to the sensor's.
  private static func rotation(of orientation: SyntheticWalk.Orientation, seed: UInt64) -> Rows {
    switch orientation {
    case .natural: return ([1, 0, 0], [0, 1, 0], [0, 0, 1])
    case .random:
      // Shoemake, Uniform random rotations, Graphics Gems III, 1992
      var random = SplitMix64(seed: seed, stream: 40)
      let (u, a, b) = (random.uniform(), 2 * Double.pi * random.uniform(), 2 * Double.pi * random.uniform())
      let (s, c) = ((1 - u).squareRoot(), u.squareRoot())
      return rows(x: s * sin(a), y: s * cos(a), z: c * sin(b), w: c * cos(b))
    case .rotated(let roll, let pitch, let yaw):
      let half = Double.pi / 360
      let (sx, cx, sy, cy) = (sin(roll * half), cos(roll * half), sin(pitch * half), cos(pitch * half))
      let (sz, cz) = (sin(yaw * half), cos(yaw * half))
      return rows(
        x: sx * cy * cz - cx * sy * sz, y: cx * sy * cz + sx * cy * sz, z: cx * cy * sz - sx * sy * cz,
        w: cx * cy * cz + sx * sy * sz)
    }
  }

  /// The rotation of a unit quaternion.
  private static func rows(x: Double, y: Double, z: Double, w: Double) -> Rows {
    (
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    )
  }
}
