#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The stride that a window repeats with.
struct Stride: Sendable {
  /// In cells.
  var lag: Int
  /// Steps a second: two a stride.
  var cadence: Float
  /// How well it repeats: about 0 for noise, 1.7 for a perfect walk.
  var score: Float

  /// ln(2 · 12.5 / lag): the cadence of each lag.
  private static let logCadence: InlineArray<26, Float> = {
    var table = InlineArray<26, Float>(repeating: 0)
    for lag in 1...25 { table[lag] = log(2 * Float(Tuning.cellFrequency) / Float(lag)) }
    return table
  }()

  /// Finds the stride, not the step: a wrist swings and a foot flies once a stride, so the step's own period may be weak
  /// there, while every position repeats from stride to stride.
  ///
  /// What repeats after one stride also repeats after two, and half a stride may fit nearly as well: a prior on the
  /// cadence, which grows with the amplitude, settles the octave between running and slow walking.
  init(searching correlation: Correlation) {
    let ratio = correlation.magnitudeAmplitude / Tuning.priorAmplitude
    let centre =
      log(Tuning.priorCadence)
      + Tuning.priorExponent * log(min(max(ratio, Tuning.priorRatio.lowerBound), Tuning.priorRatio.upperBound))
    let first = Tuning.strideLags.lowerBound
    let last = Tuning.strideLags.upperBound
    var scores = InlineArray<26, Float>(repeating: 0)
    for lag in (first - 1)...(last + 1) { scores[lag] = Self.score(correlation, lag) }

    var best = first
    var bestValue = -Float.infinity
    for lag in first...last {
      let distance = Self.logCadence[lag] - centre
      let value = scores[lag] - Tuning.priorWeight * distance * distance
      if value > bestValue {
        bestValue = value
        best = lag
      }
    }
    lag = best
    score = scores[best]
    cadence = 2 * Float(Tuning.cellFrequency) / (Float(best) + Self.offset(scores[best - 1], score, scores[best + 1]))
  }

  private static func score(_ correlation: Correlation, _ lag: Int) -> Float {
    correlation.axes[lag] + Tuning.magnitudeAtStride * correlation.magnitude[lag]
      + Tuning.magnitudeAtStep * Correlation.half(correlation.magnitude, of: lag)
  }

  /// Where between the cells the parabola through three scores has its top; 0 where it has none.
  private static func offset(_ before: Float, _ top: Float, _ after: Float) -> Float {
    let curvature = before - 2 * top + after
    guard top >= before, top >= after, curvature < -1e-9 else { return 0 }
    return 0.5 * (before - after) / curvature
  }
}
