/// The stride that a window repeats with.
struct Stride: Sendable {
  /// In cells.
  var lag: Int
  /// Steps a second, two per stride. Used for counting.
  var cadence: Float
  /// Steps a second if the lag is one stride, used by the gate. Half of the cadence if the lag is two strides.
  var searchedCadence: Float
  /// How well the window repeats: about 0 for noise, 1.7 for a perfect walk.
  var score: Float

  /// The stride of a quiet block, which is not analysed: the expected cadence of the least movement.
  static var quiet: Stride { Stride(lag: 18, cadence: 25 / 18, searchedCadence: 25 / 18, score: 0) }

  private init(lag: Int, cadence: Float, searchedCadence: Float, score: Float) {
    self.lag = lag
    self.cadence = cadence
    self.searchedCadence = searchedCadence
    self.score = score
  }

  /// Finds the stride, not the step: a wrist and a foot swing once a stride, so the period of the step may be weak
  /// there, while every position repeats from stride to stride.
  ///
  /// Movement that repeats after one stride also repeats after two, and half a stride may fit nearly as well. A prior
  /// on the cadence, which grows with the amplitude, resolves the octave between running and slow walking.
  init(searching correlation: borrowing Correlation) {
    if correlation.isQuiet {
      self = .quiet
      return
    }
    let ratio = correlation.magnitudeAmplitude / Tuning.priorAmplitude
    let centre =
      Tuning.logPriorCadence
      + Tuning.priorExponent * fastLog(min(max(ratio, Tuning.priorRatio.lowerBound), Tuning.priorRatio.upperBound))
    self.init(searching: correlation, expecting: centre, pace: 1)
  }

  /// Finds the stride in a window twice as long: between 94 and 33 steps a minute.
  init(searchingSlowly correlation: borrowing Correlation) {
    self.init(searching: correlation, expecting: Tuning.logSlowCadence + Self.logTwo, pace: 0.5)
  }

  private static let logTwo: Float = 0.693_147_18

  /// - Parameters:
  ///   - logCadence: the logarithm of the expected cadence, if a cell had its ordinary length.
  ///   - pace: the frequency of the cells relative to ``Tuning/cellFrequency``.
  private init(searching correlation: borrowing Correlation, expecting logCadence: Float, pace: Float) {
    let (axes, magnitude) = (correlation.axes.span, correlation.magnitude.span)
    let best = Self.best(axes, magnitude, expecting: logCadence)
    (lag, score) = (best.lag, best.score)
    searchedCadence = 2 * pace * Float(Tuning.cellFrequency) / (Float(lag) + best.shift)
    cadence = searchedCadence
    if lag >= 2 * Tuning.strideLags.lowerBound, correlation.magnitudeAmplitude > Tuning.octaveAmplitude,
      axes.half(of: lag) > max(Tuning.octaveAxes, Tuning.octaveShare * axes.lag(lag)),
      magnitude.quarters(1, of: lag) > Self.octaveMagnitude(at: correlation.magnitudeAmplitude, lag)
    {
      cadence = pace * Self.cadence(ofHalf: lag, axes, magnitude)
    }
  }

  /// The minimum correlation of the magnitude at a quarter of the lag for the lag to be two strides.
  private static func octaveMagnitude(at amplitude: Float, _ lag: Int) -> Float {
    if amplitude < Tuning.weakAmplitude { return Tuning.weakOctaveMagnitude }
    let running = lag >= Tuning.slowRunLag ? Tuning.slowRunAmplitude : Tuning.runningAmplitude
    return amplitude > running ? Tuning.runningOctaveMagnitude : Tuning.octaveMagnitude
  }

  /// Steps a second if the lag is two strides, from the best lag near its half.
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

  /// Four consecutive candidate lags with their scores.
  private struct Four {
    var lags: SIMD4<Float>
    var scores: SIMD4<Float>
    /// From the lag to the vertex of the parabola through its score and its neighbours.
    var shifts: SIMD4<Float>
    /// The scores at those vertices, less the prior.
    var values: SIMD4<Float>

    @inline(__always)
    init(_ first: Int, _ before: SIMD4<Float>, _ scores: SIMD4<Float>, _ after: SIMD4<Float>, distance: SIMD4<Float>) {
      let (rise, curvature) = (before - after, before - (scores + scores) + after)
      let isTop = (scores .>= before) .& (scores .>= after) .& (curvature .< -1e-9)
      lags = SIMD4(0, 1, 2, 3) + SIMD4(repeating: Float(first))
      self.scores = scores
      // A fast stride is a few cells long; half a cell off its maximum it would look worse than two strides, which fit
      // whole cells better. So the interpolated maxima are compared.
      let half = SIMD4<Float>(repeating: 0.5) * rise
      shifts = (half / curvature).replacing(with: 0, where: .!isTop)
      let prior = SIMD4(repeating: Tuning.priorWeight) * distance * distance
      values = scores - SIMD4(repeating: 0.5) * half * shifts - prior
    }

    /// Replaces lags by those of another candidate with higher scores.
    @inline(__always)
    mutating func replace(with other: Four) {
      let isBetter = other.values .> values
      lags.replace(with: other.lags, where: isBetter)
      scores.replace(with: other.scores, where: isBetter)
      shifts.replace(with: other.shifts, where: isBetter)
      values.replace(with: other.values, where: isBetter)
    }
  }

  /// ln(2 · 12.5 / lag): the cadence of the lags 4 to 23, which a test checks. The first two are not strides, and get a
  /// cadence that loses with any prior.
  @inline(__always)
  static var logCadence: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (
      SIMD4(100, 100, 1.427_116_36, 1.272_965_68),
      SIMD4(1.139_434_28, 1.021_651_25, 0.916_290_73, 0.820_980_55),
      SIMD4(0.733_969_18, 0.653_926_47, 0.579_818_50, 0.510_825_62),
      SIMD4(0.446_287_10, 0.385_662_48, 0.328_504_07, 0.274_436_85),
      SIMD4(0.223_143_55, 0.174_353_39, 0.127_833_37, 0.083_381_61)
    )
  }

  /// The best of the lags 6 to 23.
  private static func best(
    _ axes: Span<SIMD4<Float>>, _ magnitude: Span<SIMD4<Float>>, expecting logCadence: Float
  ) -> (lag: Int, score: Float, shift: Float) {
    // The following code is written out for these lags, and reads without bounds checks.
    precondition(
      Tuning.strideLags.lowerBound == 6 && Tuning.strideLags.upperBound == 23,
      "the search is written out for strides of 6 to 23 cells")
    precondition(Tuning.longestLag > Tuning.strideLags.upperBound, "a stride's neighbour is compared too")
    precondition(4 * axes.count == Correlation.places && 4 * magnitude.count == Correlation.places)
    let (z, a) = unsafe (scores(axes, magnitude, from: 4), scores(axes, magnitude, from: 8))
    let (b, c) = unsafe (scores(axes, magnitude, from: 12), scores(axes, magnitude, from: 16))
    let d = unsafe scores(axes, magnitude, from: 20)
    let last = score(axes, magnitude, 24)
    let (centre, cadence) = (SIMD4(repeating: logCadence), Self.logCadence)
    // Values before lag 4 are not used.
    var best = Four(4, SIMD4(0, z.x, z.y, z.z), z, SIMD4(z.y, z.z, z.w, a.x), distance: cadence.0 - centre)
    best.replace(
      with: Four(8, SIMD4(z.w, a.x, a.y, a.z), a, SIMD4(a.y, a.z, a.w, b.x), distance: cadence.1 - centre))
    best.replace(
      with: Four(12, SIMD4(a.w, b.x, b.y, b.z), b, SIMD4(b.y, b.z, b.w, c.x), distance: cadence.2 - centre))
    best.replace(
      with: Four(16, SIMD4(b.w, c.x, c.y, c.z), c, SIMD4(c.y, c.z, c.w, d.x), distance: cadence.3 - centre))
    best.replace(
      with: Four(20, SIMD4(c.w, d.x, d.y, d.z), d, SIMD4(d.y, d.z, d.w, last), distance: cadence.4 - centre))
    var lane = best.values.y > best.values.x ? 1 : 0
    let other = best.values.w > best.values.z ? 3 : 2
    if best.values[other] > best.values[lane] { lane = other }
    return (Int(best.lags[lane]), best.scores[lane], best.shifts[lane])
  }

  /// The scores of four consecutive lags, the first of which is a multiple of four. The caller guarantees the bounds:
  /// all four are lags of ``Tuning/strideLags``.
  @unsafe @inline(__always)
  private static func scores(
    _ axes: Span<SIMD4<Float>>, _ magnitude: Span<SIMD4<Float>>, from lag: Int
  ) -> SIMD4<Float> {
    let (v, m) = unsafe (axes[unchecked: lag / 4], magnitude[unchecked: lag / 4])
    // Half of an odd lag is between two values.
    let half = unsafe magnitude.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: lag &* 2, as: SIMD4<Float>.self)
    let step = SIMD4(half.x, half.x, half.y, half.y) + SIMD4(half.x, half.y, half.y, half.z)
    return v + m * SIMD4(repeating: Tuning.magnitudeAtStride) + step * SIMD4(repeating: 0.5 * Tuning.magnitudeAtStep)
  }

  private static func score(_ axes: Span<SIMD4<Float>>, _ magnitude: Span<SIMD4<Float>>, _ lag: Int) -> Float {
    axes.lag(lag) + magnitude.lag(lag) * Tuning.magnitudeAtStride
      + magnitude.half(of: lag) * Tuning.magnitudeAtStep
  }

  /// The offset of the vertex of the parabola through three scores; 0 if there is none.
  private static func offset(_ before: Float, _ top: Float, _ after: Float) -> Float {
    let curvature = before - 2 * top + after
    guard top >= before, top >= after, curvature < -1e-9 else { return 0 }
    return 0.5 * (before - after) / curvature
  }
}
