import Accelerometry

/// Detects sampling that is too slow for the movement.
///
/// A sensor that averages over its period attenuates frequencies beyond half its sampling frequency. A sensor that is only read
/// now and then aliases them: the impacts of a foot then fall on samples or between them by chance, and nothing repeats. This
/// shows as distances of samples from the line between their neighbours that are large, both in g and relative to the movement.
struct SlowMotion: Sendable {
  private var previous = SIMD4<Float>.zero
  private var latest = SIMD4<Float>.zero
  private var time: Int64 = 0
  private var hasBegun = false
  /// The mean distance between samples, in nanoseconds.
  private var interval: Float = 0
  private var samples = 0
  /// Sums over the open block: values, squares, squared distances from the line between neighbours.
  private var sum = SIMD4<Float>.zero
  private var squares: Float = 0
  private var bends: Float = 0
  private var blockSamples = 0
  private var blockStart: Int64 = 0
  /// Sums over all blocks with motion: squares about the block's mean, squared distances, samples, nanoseconds.
  private var motion = 0.0
  private var roughness = 0.0
  private var counted = 0
  private var elapsed: Int64 = 0
  private var blocks = 0

  /// Examines samples if they are slow; this is checked once for all of them.
  @inline(__always)
  mutating func take(_ samples: Span<AccelerationSample>) {
    let count = samples.count
    if count == 0 { return }
    let last = samples[count &- 1].nanoseconds
    if hasBegun {
      // Individual intervals do not matter, so that jitter does not affect the check.
      let mean = min(Float(last &- time) / Float(count), Float(Tuning.slowNanoseconds.upperBound))
      interval += (mean - interval) * min(1, Float(count) / 16)
    } else {
      interval = count > 1 ? Float(last &- samples[0].nanoseconds) / Float(count &- 1) : 0
    }
    hasBegun = true
    if interval >= Tuning.watchedInterval {
      for i in 0..<count { take(samples[i]) }
    } else {
      (time, self.samples, blockSamples) = (last, 0, 0)
    }
  }

  private mutating func take(_ sample: AccelerationSample) {
    let step = sample.nanoseconds &- time
    if samples > 0, step <= 0 { return }
    if samples == 0 || step > Tuning.slowNanoseconds.upperBound
      || !(sample.lanes.squaredLength < Tuning.largestAccelerationSquared)
    {
      samples = 0
      blockSamples = 0
    }
    if samples >= 2 {
      if blockSamples == 0 {
        (sum, squares, bends) = (.zero, 0, 0)
        blockStart = time
      }
      let bend = latest - (previous + sample.lanes) * SIMD4(repeating: 0.5)
      sum += latest
      squares += latest.squaredLength
      bends += bend.squaredLength
      blockSamples += 1
      if sample.nanoseconds &- blockStart >= Tuning.watchedBlock { endBlock(at: sample.nanoseconds) }
    }
    (previous, latest, time) = (latest, sample.lanes, sample.nanoseconds)
    samples += 1
  }

  private mutating func endBlock(at end: Int64) {
    let n = Float(blockSamples)
    let about = squares - sum.squaredLength / n
    if about > Tuning.watchedMotion * n {
      motion += Double(about)
      roughness += Double(bends)
      counted += blockSamples
      elapsed += end - blockStart
      blocks += 1
    }
    blockSamples = 0
  }

  /// The sampling frequency in Hz, if it is too low for what was seen.
  var insufficientFrequency: Double? {
    guard blocks >= Tuning.fewestWatchedBlocks else { return nil }
    let frequency = Double(counted) / Double(elapsed) * 1e9
    guard frequency * Double(Tuning.watchedInterval) < 1e9 else { return nil }
    let (share, size) = (roughness / motion, (roughness / Double(counted)).squareRoot())
    let isImpact = share > Tuning.impactShare && size > Tuning.impactSize
    let isFolded = frequency < Tuning.foldedFrequency && share > Tuning.foldedShare && size > Tuning.foldedSize
    return isImpact || isFolded ? frequency : nil
  }
}
