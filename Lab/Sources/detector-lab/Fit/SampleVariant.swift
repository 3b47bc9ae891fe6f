@testable import Accelerometry
@testable import Platform

/// A variant of a recording, as from another sensor or at another moment.
enum SampleVariant: CaseIterable {
  case asRecorded
  /// With the first sample repeated for 0.46 s before it, so that the blocks begin elsewhere.
  case delayed
  /// Without gravity, similar to the output of a phone's sensor fusion: minus the mean over four seconds.
  case withoutGravity

  /// Half of the window of the mean, in nanoseconds.
  private static let reach: Int64 = 2_000_000_000
  private static let delay: Int64 = 460_000_000

  func applied(to samples: [AccelerationSample]) -> [AccelerationSample] {
    switch self {
    case .asRecorded: samples
    case .delayed: Self.delayed(samples)
    case .withoutGravity: Self.withoutGravity(samples)
    }
  }

  private static func delayed(_ samples: [AccelerationSample]) -> [AccelerationSample] {
    guard let first = samples.first, let last = samples.last, samples.count > 1 else { return samples }
    let step = max(1, (last.nanoseconds - first.nanoseconds) / Int64(samples.count - 1))
    let count = max(1, delay / step)
    var result = (0..<count).map { i in
      AccelerationSample(nanoseconds: first.nanoseconds + i * step, acceleration: first.acceleration)
    }
    result += samples.map { sample in
      AccelerationSample(nanoseconds: sample.nanoseconds + count * step, acceleration: sample.acceleration)
    }
    return result
  }

  /// Without gravity, as one of many sensors or programs removes it: a high-pass of each axis, or the direction of gravity,
  /// followed slowly, subtracted as 1 g.
  /// - Parameter stream: which of many filters.
  static func withoutGravity(_ samples: [AccelerationSample], stream: UInt64) -> [AccelerationSample] {
    guard let first = samples.first, let last = samples.last, samples.count > 1 else { return samples }
    var random = SplitMix64(seed: 0x6772_6176, stream: stream)
    let reach = 0.3 * exp(random.uniform(in: 0...3.2))
    let (isTwice, isDirection) = (random.uniform() < 0.3, random.uniform() < 0.4)
    let interval = Double(last.nanoseconds - first.nanoseconds) * 1e-9 / Double(samples.count - 1)
    let share = Float(1 - exp(-interval / reach))
    // Programs begin with a filter that has settled: the mean of the first second.
    let begin = samples.prefix(max(1, Int(1 / max(interval, 1e-3))))
    var mean = begin.reduce(SIMD3<Float>.zero) { $0 + $1.acceleration } / Float(begin.count)
    var rest = SIMD3<Float>.zero
    return samples.map { sample in
      mean += (sample.acceleration - mean) * share
      let length = (mean * mean).sum().squareRoot()
      var moved = sample.acceleration - (isDirection && length > 0.2 ? mean / length : mean)
      if isTwice {
        rest += (moved - rest) * share
        moved -= rest
      }
      return AccelerationSample(nanoseconds: sample.nanoseconds, acceleration: moved)
    }
  }

  private static func withoutGravity(_ samples: [AccelerationSample]) -> [AccelerationSample] {
    var (from, to) = (0, 0)
    var sum = SIMD3<Double>.zero
    return samples.map { sample in
      while to < samples.count, samples[to].nanoseconds <= sample.nanoseconds + reach {
        sum += SIMD3<Double>(samples[to].acceleration)
        to += 1
      }
      while from < to, samples[from].nanoseconds < sample.nanoseconds - reach {
        sum -= SIMD3<Double>(samples[from].acceleration)
        from += 1
      }
      let mean = SIMD3<Float>(sum / Double(max(1, to - from)))
      return AccelerationSample(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration - mean)
    }
  }
}
