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
  /// The axes' correlation at one cell: near 1 where nothing is sharp.
  package var smoothness: Float
  /// The axes' correlation at three cells.
  package var axesAtThree: Float
  /// The magnitude's correlation at half the stride, which is the step.
  package var step: Float
  /// The magnitude's correlation at a quarter of the stride.
  package var quarterStride: Float
  /// Steps a second.
  package var cadence: Float

  init(_ correlation: Correlation, _ stride: Stride) {
    amplitude = correlation.magnitudeAmplitude
    cadence = stride.searchedCadence
    let (axes, magnitude) = (correlation.axes.span, correlation.magnitude.span)
    smoothness = axes.lag(1)
    axesAtThree = axes.lag(3)
    step = magnitude.half(of: stride.lag)
    quarterStride = magnitude.quarter(of: stride.lag)
    strideScore = stride.score
    halfStride = correlation.axes.span.half(of: stride.lag)
    logAmplitude = log(amplitude + Tuning.amplitudeFloor)
    logShare = logAmplitude - log(correlation.axesAmplitude + Tuning.amplitudeFloor)
    shaking = max(correlation.magnitude.span.lag(2), correlation.magnitude.span.lag(3))
  }

  /// The log-odds that the window is walking: what the gate says, unless one of three objections weighs more.
  var evidence: Float { objected(gateEvidence) }

  /// The smallest of the gate's evidence and what tells walks from cranks, from a machine's hum and from repetitions.
  ///
  /// Each is a logistic regression of walks against one kind of movement that repeats as walks do, so each can be read,
  /// fitted and left out alone; a walk has to pass all of them.
  func objected(_ evidence: Float) -> Float {
    if evidence <= Tuning.smallestObjectedEvidence { return evidence }
    return min(evidence, crankEvidence, humEvidence, repetitionEvidence)
  }

  /// Walks against pedalling at the knee: wide, smooth in its axes, smooth in its magnitude.
  package var crankEvidence: Float {
    Tuning.crankBias + Tuning.crankAmplitudeTerm(logAmplitude) + Tuning.crankSmoothnessTerm(smoothness)
      + Tuning.crankShakingTerm(shaking)
  }

  /// Walks against a trunk or a wrist above an exercise bike: little of it, and back after a quarter of the stride.
  package var humEvidence: Float {
    Tuning.humBias + Tuning.humAmplitudeTerm(logAmplitude) + Tuning.humQuarterTerm(quarterStride)
  }

  /// Walks against exercises, lifted and put down: slow, without a step between, without a change within three cells.
  package var repetitionEvidence: Float {
    Tuning.repetitionBias + Tuning.repetitionCadenceTerm(log(cadence)) + Tuning.repetitionStepTerm(step)
      + Tuning.repetitionAxesTerm(axesAtThree)
  }

  /// The log-odds of the gate alone: logistic regression on piecewise-linear terms.
  package var gateEvidence: Float {
    if amplitude < Tuning.quietAmplitude { return Tuning.quietEvidence }
    return Tuning.gateBias + Tuning.strideTerm(strideScore) + Tuning.halfStrideTerm(halfStride)
      + Tuning.amplitudeTerm(logAmplitude) + Tuning.shareTerm(logShare) + Tuning.shakingTerm(shaking)
  }
}
