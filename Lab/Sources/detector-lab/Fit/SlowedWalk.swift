import Glibc

@testable import Accelerometry

/// A walk slowed down as the same person might have walked it: the recordings contain few steps below 60 a minute.
///
/// Feet strike as briefly, but less hard; the body moves more slowly between the strikes. So time is stretched around
/// the middle of each step, and unchanged around the strikes.
struct SlowedWalk {
  /// The cadences of slowed recordings, in steps a minute.
  static let cadences = [44.0, 52, 60, 66]
  /// The maximum duration that is slowed down, in seconds.
  private static let longest = 60.0
  /// The share of a step on either side of its strikes that is not slowed down.
  private static let kept = 0.22
  /// The movement decreases with this power of the pace: between the pace and its square.
  private static let shrinking = 1.4

  private(set) var samples: [AccelerationSample] = []
  /// The times of the foot strikes, in seconds since the first sample.
  private(set) var strikes: [Double] = []

  /// - Parameters:
  ///   - samples: of a walk.
  ///   - strikes: its steps, in seconds since the first sample.
  ///   - cadence: steps a minute.
  /// - Returns: `nil` if there are fewer than twenty consecutive steps, or if they are as slow already.
  init?(_ samples: [AccelerationSample], strikes: [Double], cadence: Double) {
    guard let begin = samples.first?.nanoseconds, samples.count > 2, let bout = Self.longestBout(strikes) else {
      return nil
    }
    let times = strikes[bout].prefix { $0 < strikes[bout.lowerBound] + Self.longest }
    guard times.count >= 20, let first = times.first, let last = times.last else { return nil }
    let factor = 60 / cadence * Double(times.count - 1) / (last - first)
    guard factor > 1.2 else { return nil }
    let step = (samples[samples.count - 1].nanoseconds - begin) / Int64(samples.count - 1)
    guard step > 0 else { return nil }
    var (index, made) = (0, 0)
    let mean = samples.reduce(SIMD3<Float>.zero) { $0 + $1.acceleration } / Float(samples.count)
    let scale = Float(pow(factor, -Self.shrinking))
    self.strikes = [0]
    var origin = 0.0
    for i in times.indices.dropLast() {
      let period = times[i + 1] - times[i]
      let length = factor * period
      while Double(made) * Double(step) * 1e-9 < origin + length {
        let phase = (Double(made) * Double(step) * 1e-9 - origin) / length
        let time = Int64((times[i] + period * Self.source(of: phase, factor: factor)) * 1e9) + begin
        while index + 2 < samples.count, samples[index + 1].nanoseconds < time { index += 1 }
        let (a, b) = (samples[index], samples[index + 1])
        let share = Float(time - a.nanoseconds) / Float(max(1, b.nanoseconds - a.nanoseconds))
        let felt = a.acceleration + (b.acceleration - a.acceleration) * min(max(share, 0), 1)
        self.samples.append(
          AccelerationSample(nanoseconds: Int64(made) * step, acceleration: mean + (felt - mean) * scale))
        made += 1
      }
      origin += length
      self.strikes.append(origin)
    }
  }

  /// The phase in the original step for a phase of the slowed step.
  private static func source(of phase: Double, factor: Double) -> Double {
    let edge = kept / factor
    if phase < edge { return phase * factor }
    if phase > 1 - edge { return 1 - (1 - phase) * factor }
    return kept + (phase - edge) / (1 - 2 * edge) * (1 - 2 * kept)
  }

  /// The longest run of steps of at most a second and a half each.
  private static func longestBout(_ strikes: [Double]) -> Range<Int>? {
    var (best, first) = (0..<0, 0)
    for i in strikes.indices where i + 1 == strikes.count || strikes[i + 1] - strikes[i] > 1.5 {
      if i + 1 - first > best.count { best = first..<(i + 1) }
      first = i + 1
    }
    return best.isEmpty ? nil : best
  }
}
