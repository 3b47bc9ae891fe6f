#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One term of the gate: a line with a knee, flat beyond its ends so that nothing outside what was seen can outvote
/// the others.
struct PiecewiseLinear: Sendable {
  let low: Float
  let knot: Float
  let high: Float
  /// Slope below the knot and above it, in log-odds per unit.
  let below: Float
  let above: Float

  @inline(__always)
  func callAsFunction(_ value: Float) -> Float {
    let clipped = min(max(value, low), high)
    return below * min(clipped, knot) + above * max(0, clipped - knot)
  }
}

/// What the gate looks at in one block.
package struct BlockFeatures: Sendable {
  /// How well the window repeats from stride to stride.
  package var strideScore: Float
  /// The axes' correlation at half the stride.
  package var halfStride: Float
  /// ln(r.m.s. of the magnitude in g + 0.003).
  package var logAmplitude: Float
  /// ln of the magnitude's r.m.s. over the axes'.
  package var logShare: Float
  /// The magnitude's correlation at two and three cells, the larger.
  package var shaking: Float
  /// r.m.s. of the magnitude, in g.
  package var amplitude: Float

  init(_ correlation: Correlation, _ stride: Stride) {
    amplitude = correlation.magnitudeAmplitude
    strideScore = stride.score
    halfStride = correlation.axes.span.half(of: stride.lag)
    logAmplitude = log(amplitude + Tuning.amplitudeFloor)
    logShare = logAmplitude - log(correlation.axesAmplitude + Tuning.amplitudeFloor)
    shaking = max(correlation.magnitude.span.lag(2), correlation.magnitude.span.lag(3))
  }

  /// The log-odds that the window is walking: logistic regression on piecewise-linear terms.
  var evidence: Float {
    if amplitude < Tuning.quietAmplitude { return Tuning.quietEvidence }
    return Tuning.gateBias + Tuning.strideTerm(strideScore) + Tuning.halfStrideTerm(halfStride)
      + Tuning.amplitudeTerm(logAmplitude) + Tuning.shareTerm(logShare) + Tuning.shakingTerm(shaking)
  }
}
