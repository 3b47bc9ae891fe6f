import Glibc

@testable import Accelerometry
@testable import Platform

/// Random parts of a synthetic movement, in g at 50 Hz: phases that drift, vigour that changes, limbs that turn, and
/// noise.
struct MovementSketch {
  static let frequency = 50.0
  /// The number of samples.
  let count: Int
  private var random: SplitMix64

  typealias Vector = SIMD3<Double>
  static let up = Vector(0, 0, 1)

  /// - Parameter stream: which of many independent movements of the same seed.
  init(seed: UInt64, stream: UInt64, seconds: Double) {
    random = SplitMix64(seed: seed, stream: stream)
    count = Int(seconds * Self.frequency)
  }

  // MARK: Numbers

  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

  /// Evenly distributed on a logarithmic scale.
  mutating func scale(_ range: ClosedRange<Double>) -> Double {
    exp(number(log(range.lowerBound)...log(range.upperBound)))
  }

  mutating func angle() -> Double { number(0...(2 * .pi)) }

  mutating func chance(_ share: Double) -> Bool { number(0...1) < share }

  mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// Normal: Box G. and Muller M. "A note on the generation of random normal deviates" (1958).
  mutating func normal() -> Double {
    (-2 * log(number(.leastNonzeroMagnitude...1))).squareRoot() * cos(angle())
  }

  mutating func normalVector() -> Vector { Vector(normal(), normal(), normal()) }

  /// A unit vector in any direction.
  mutating func direction() -> Vector { Self.unit(normalVector()) }

  /// A unit vector across gravity.
  mutating func level() -> Vector {
    let turn = angle()
    return Vector(cos(turn), sin(turn), 0)
  }

  static func unit(_ v: Vector) -> Vector { v / max(1e-9, (v * v).sum().squareRoot()) }

  static func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// A vector turned about a unit axis (Rodrigues' rotation formula).
  static func turned(_ v: Vector, about axis: Vector, by angle: Double) -> Vector {
    let (c, s) = (cos(angle), sin(angle))
    return v * c + cross(axis, v) * s + axis * ((axis * v).sum() * (1 - c))
  }

  /// The sine of a number of turns.
  static func sine(_ turns: Double) -> Double { sin(2 * .pi * turns) }

  // MARK: Series

  /// The time of a sample, in seconds.
  static func time(_ i: Int) -> Double { Double(i) / frequency }

  /// The phase in radians of a movement of some frequency that drifts and jitters.
  mutating func phase(_ frequency: Double, drift: ClosedRange<Double>, jitter: ClosedRange<Double>) -> [Double] {
    let (wander, shake) = (number(drift), number(jitter))
    let (slow, begin) = (2 * .pi * number(0.02...0.15), angle())
    let noise = smooth(25)
    var phase = angle()
    return (0..<count).map { i in
      let pace = 1 + wander * sin(slow * Self.time(i) + begin) + shake * noise[i]
      phase += 2 * .pi * frequency * min(max(pace, 0.3), 2) / Self.frequency
      return phase
    }
  }

  /// Noise with a deviation of 1, averaged over some samples.
  mutating func smooth(_ width: Int) -> [Double] {
    let raw = (0..<(count + width)).map { _ in normal() }
    let scale = 1 / Double(width).squareRoot()
    var sum = raw[..<width].reduce(0, +)
    return (0..<count).map { i in
      defer { sum += raw[i + width] - raw[i] }
      return sum * scale
    }
  }

  /// Around 1, slowly changing; in one of four movements with rests.
  mutating func vigour() -> [Double] {
    let (depth, pace, begin) = (number(0...0.4), 2 * .pi * number(0.02...0.3), angle())
    let (rests, period, turn) = (chance(0.25), number(4...12), angle())
    return (0..<count).map { i in
      let vigour = 1 + depth * sin(pace * Self.time(i) + begin)
      return rests ? vigour / (1 + exp(-8 * sin(2 * .pi * Self.time(i) / period + turn))) : vigour
    }
  }

  /// White noise of the sensor and the hand, or averaged over a few samples.
  mutating func noise(_ size: ClosedRange<Double> = 0.003...0.04) -> [Vector] {
    let deviation = scale(size)
    let width = chance(0.5) ? whole(2...7) : 1
    let (x, y, z) = (smooth(width), smooth(width), smooth(width))
    return (0..<count).map { Vector(x[$0], y[$0], z[$0]) * deviation }
  }

  /// The acceleration in g along a path in metres.
  static func acceleration(_ path: [Vector]) -> [Vector] {
    let scale = frequency * frequency / 9.81
    return path.indices.map { i in
      let j = min(max(i, 1), path.count - 2)
      return (path[j - 1] - 2 * path[j] + path[j + 1]) * scale
    }
  }

  /// What a sensor on a limb feels that accelerates, and turns about an axis.
  static func felt(_ acceleration: [Vector], turning angles: [Double], about axis: Vector) -> [Vector] {
    zip(acceleration, angles).map { turned($0 + up, about: axis, by: -$1) }
  }

  /// A short oscillation after each whole turn of a phase, as of something that was hit.
  ///
  /// Blows have one direction, as those of a hammer, a clap or a punch do; the feet of a walker alternate, but often
  /// hardly more than hands.
  mutating func blows(_ phase: [Double], size: Double, along direction: Vector) -> [Vector] {
    let (pitch, decay, begin) = (2 * .pi * number(4...20), number(0.02...0.12), number(-0.8...0.8))
    let (jitter, alternation) = (number(0...0.3), chance(0.3) ? number(0.5...1.5) : 1)
    let length = Int(number(4...20))
    var felt = [Vector](repeating: .zero, count: count)
    var turn = 0
    for i in 1..<max(1, count) where (phase[i] / (2 * .pi)).rounded(.down) > (phase[i - 1] / (2 * .pi)).rounded(.down) {
      turn += 1
      let force = size * (1 + jitter * normal()) * (turn.isMultiple(of: 2) ? alternation : 1)
      let along = direction + 0.2 * normalVector()
      for j in 0..<min(length, count - i) {
        let since = Self.time(j)
        felt[i + j] += along * (force * exp(-since / decay) * cos(pitch * since + begin))
      }
    }
    return felt
  }

  // MARK: Samples

  /// Samples of a sensor with some range, in three of ten cases with every second sample only.
  mutating func samples(_ felt: [Vector]) -> [AccelerationSample] {
    let range = chance(0.3) ? 4.0 : 8.0
    let step = chance(0.3) ? 2 : 1
    return stride(from: 0, to: felt.count, by: step).map { i in
      let clipped = felt[i].clamped(lowerBound: Vector(repeating: -range), upperBound: Vector(repeating: range))
      return AccelerationSample(nanoseconds: Int64(i) * 20_000_000, acceleration: SIMD3<Float>(clipped))
    }
  }
}
