#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The stride that a window repeats with.
struct Stride: Sendable {
  /// In cells.
  var lag: Int
  /// Steps a second: two a stride. It is counted with.
  var cadence: Float
  /// Steps a second if the lag is one stride, which is what the gate asks. Half of the cadence where it is two.
  var searchedCadence: Float
  /// How well it repeats: about 0 for noise, 1.7 for a perfect walk.
  var score: Float

  /// ln(2 · 12.5 / lag): the cadence of the lags 8 to 23.
  private static let logCadence = SIMD16<Float>((8...23).map { log(2 * Float(Tuning.cellFrequency) / Float($0)) })

  /// Finds the stride, not the step: a wrist swings and a foot flies once a stride, so the step's own period may be weak
  /// there, while every position repeats from stride to stride.
  ///
  /// What repeats after one stride also repeats after two, and half a stride may fit nearly as well: a prior on the
  /// cadence, which grows with the amplitude, settles the octave between running and slow walking.
  init(searching correlation: Correlation) {
    let ratio = correlation.magnitudeAmplitude / Tuning.priorAmplitude
    let centre =
      Tuning.logPriorCadence
      + Tuning.priorExponent * log(min(max(ratio, Tuning.priorRatio.lowerBound), Tuning.priorRatio.upperBound))
    let (axes, magnitude) = (correlation.axes.span, correlation.magnitude.span)
    let distance = Self.logCadence - centre
    let scores = Self.scores(axes, magnitude)
    let priors = Tuning.priorWeight * distance * distance
    var before = Self.score(axes, magnitude, Tuning.strideLags.lowerBound - 1)
    let end = Self.score(axes, magnitude, Tuning.strideLags.upperBound + 1)
    var (lane, bestValue, offset) = (0, -Float.infinity, Float(0))
    for i in 0..<16 {
      let top = scores[i]
      let after = i < 15 ? scores[i + 1] : end
      // A fast stride is a few cells long; half a cell off its top it would look worse than twice the stride, which
      // whole cells match better. So tops are compared as they are between the cells.
      let shift = Self.offset(before, top, after)
      let value = top - 0.25 * (before - after) * shift - priors[i]
      if value > bestValue { (lane, bestValue, offset) = (i, value, shift) }
      before = top
    }
    lag = Tuning.strideLags.lowerBound + lane
    score = scores[lane]
    searchedCadence = 2 * Float(Tuning.cellFrequency) / (Float(lag) + offset)
    cadence = searchedCadence
    if lag >= 2 * Tuning.strideLags.lowerBound, correlation.magnitudeAmplitude > Tuning.octaveAmplitude,
      axes.half(of: lag) > Tuning.octaveAxes, magnitude.quarters(1, of: lag) > Tuning.octaveMagnitude
    {
      cadence = Self.cadence(ofHalf: lag, axes, magnitude)
    }
  }

  /// Steps a second where the lag is two strides: the best lag near its half.
  private static func cadence(ofHalf lag: Int, _ axes: Span<SIMD4<Float>>, _ magnitude: Span<SIMD4<Float>>) -> Float {
    var (best, length) = (-Float.infinity, Float(lag) / 2)
    for candidate in max(Tuning.strideLags.lowerBound, lag / 2 - 1)...((lag + 1) / 2 + 1) {
      let before = score(axes, magnitude, candidate - 1)
      let top = score(axes, magnitude, candidate)
      let after = score(axes, magnitude, candidate + 1)
      let shift = offset(before, top, after)
      let value = top - 0.25 * (before - after) * shift
      if value > best { (best, length) = (value, Float(candidate) + shift) }
    }
    return 2 * Float(Tuning.cellFrequency) / length
  }

  /// The scores of the lags 8 to 23, all at once.
  @inline(__always)
  private static func scores(_ axes: Span<SIMD4<Float>>, _ magnitude: Span<SIMD4<Float>>) -> SIMD16<Float> {
    // In bounds: lags 8 to 23 of 28 places; the halves of those lags are the places 4 to 12.
    let (v, m) = unsafe (axes.sixteen(from: 8), magnitude.sixteen(from: 8))
    let even = unsafe magnitude.eight(from: 4)
    let next = unsafe magnitude.eight(from: 5)
    var half = SIMD16<Float>()
    half.evenHalf = even
    half.oddHalf = (even + next) * SIMD8(repeating: 0.5)
    let stride: SIMD16<Float> = v + m * SIMD16(repeating: Tuning.magnitudeAtStride)
    return stride + half * SIMD16(repeating: Tuning.magnitudeAtStep)
  }

  /// The score of one lag.
  private static func score(_ axes: Span<SIMD4<Float>>, _ magnitude: Span<SIMD4<Float>>, _ lag: Int) -> Float {
    axes.lag(lag) + magnitude.lag(lag) * Tuning.magnitudeAtStride
      + magnitude.half(of: lag) * Tuning.magnitudeAtStep
  }

  /// Where between the cells the parabola through three scores has its top; 0 where it has none.
  private static func offset(_ before: Float, _ top: Float, _ after: Float) -> Float {
    let curvature = before - 2 * top + after
    guard top >= before, top >= after, curvature < -1e-9 else { return 0 }
    return 0.5 * (before - after) / curvature
  }
}

extension Span<SIMD4<Float>> {
  /// Sixteen values in a row. The caller answers for the bounds.
  @unsafe @inline(__always)
  fileprivate func sixteen(from index: Int) -> SIMD16<Float> {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD16<Float>.self)
  }

  /// Eight values in a row. The caller answers for the bounds.
  @unsafe @inline(__always)
  fileprivate func eight(from index: Int) -> SIMD8<Float> {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD8<Float>.self)
  }
}
