#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the gate looks at in one block.
///
/// All of it is read from the window's autocorrelation, which is there anyway: R is the correlation of the three axes as
/// one vector, M that of the magnitude, L the stride's lag in cells.
package struct BlockFeatures: Sendable {
  /// How well the window repeats from stride to stride.
  package var strideScore: Float
  /// R(L), R(L/2), R(L/4), R(3L/4).
  package var stride: SIMD4<Float>
  /// M(L), M(L/2), M(L/4), M(3L/4).
  package var magnitudeAtStride: SIMD4<Float>
  /// R at one to four cells. The first is near 1 where nothing is sharp.
  package var short: SIMD4<Float>
  /// M at one to four cells.
  package var magnitudeAtShort: SIMD4<Float>
  /// ln(r.m.s. of the magnitude in g + 0.003).
  package var logAmplitude: Float
  /// ln of the magnitude's r.m.s. over the axes'.
  package var logShare: Float
  /// ln(steps a second).
  package var logCadence: Float
  /// r.m.s. of the magnitude, in g.
  package var amplitude: Float

  init(_ correlation: Correlation, _ found: Stride) {
    let (axes, magnitude) = (correlation.axes.span, correlation.magnitude.span)
    let lag = found.lag
    strideScore = found.score
    stride = SIMD4(axes.lag(lag), axes.half(of: lag), axes.quarters(1, of: lag), axes.quarters(3, of: lag))
    magnitudeAtStride = SIMD4(
      magnitude.lag(lag), magnitude.half(of: lag), magnitude.quarters(1, of: lag), magnitude.quarters(3, of: lag))
    short = SIMD4(axes.lag(1), axes.lag(2), axes.lag(3), axes.lag(4))
    magnitudeAtShort = SIMD4(magnitude.lag(1), magnitude.lag(2), magnitude.lag(3), magnitude.lag(4))
    amplitude = correlation.magnitudeAmplitude
    logAmplitude = log(amplitude + Tuning.amplitudeFloor)
    logShare = logAmplitude - log(correlation.axesAmplitude + Tuning.amplitudeFloor)
    logCadence = log(found.searchedCadence)
  }

  /// R(L/2): an arm that only shakes repeats at half the stride as well.
  package var halfStride: Float { stride.y }
  /// M(L/2): how well the magnitude repeats from step to step.
  package var step: Float { magnitudeAtStride.y }
  /// M(L/4): high where two strides were taken for one, or where a machine hums.
  package var quarterStride: Float { magnitudeAtStride.z }
  /// R(1): near 1 where nothing is sharp.
  package var smoothness: Float { short.x }
  /// R(3): repetitions of an arm change slowly.
  package var axesAtThree: Float { short.z }
  /// The larger of M(2) and M(3): high where something shakes at 4 to 6 Hz.
  package var shaking: Float { max(magnitudeAtShort.y, magnitudeAtShort.z) }
  /// Steps a second.
  package var cadence: Float { exp(logCadence) }

  /// How many values the gate is asked with.
  package static let count = 20
  /// Their names, in the order of ``values``.
  package static let names = [
    "strideScore", "R(L)", "R(L/2)", "R(L/4)", "R(3L/4)", "M(L)", "M(L/2)", "M(L/4)", "M(3L/4)",
    "R(1)", "R(2)", "R(3)", "R(4)", "M(1)", "M(2)", "M(3)", "M(4)", "logAmplitude", "logShare", "logCadence",
  ]

  /// What the gate is asked with: dimensionless correlations, and three logarithms.
  @inline(__always)
  package var values: InlineArray<20, Float> {
    [
      strideScore, stride.x, stride.y, stride.z, stride.w,
      magnitudeAtStride.x, magnitudeAtStride.y, magnitudeAtStride.z, magnitudeAtStride.w,
      short.x, short.y, short.z, short.w,
      magnitudeAtShort.x, magnitudeAtShort.y, magnitudeAtShort.z, magnitudeAtShort.w,
      logAmplitude, logShare, logCadence,
    ]
  }
}

/// The gate: whether a window is walking, as log-odds.
///
/// Eight additive models, each of which gives every feature a line with three knees; the evidence is their soft minimum,
/// −ln Σ exp(−z). A walk has to convince all of them, so each may specialise in a kind of movement that repeats as
/// walks do: pedalling, lifting, shaking, trembling. All are fitted at once by `detector-lab fit` (gradient descent on the
/// logarithmic loss). Additive models of this kind are Hastie and Tibshirani's (Generalized Additive Models, 1990); a
/// soft minimum of several is the noisy-and of probabilistic networks.
///
/// Asking costs about 330 multiplications and eight exponentials, once a block.
package struct WalkingModel: Sendable {
  /// Additive models.
  package static let parts = 8
  /// Values that a feature becomes: itself, and what it exceeds each of three knots by.
  package static let hinges = 4
  /// Ends and knots of a feature's lines: the value is held between the first and the last.
  package static let knotsPerFeature = hinges + 1

  /// By feature: the lower end, three knots, the upper end, rising.
  package let knots: [InlineArray<5, Float>]
  /// By feature and hinge: the slopes in the eight models, in log-odds per unit.
  package let slopes: [SIMD8<Float>]
  /// The log-odds of each model where all hinges are zero.
  package let bias: SIMD8<Float>

  /// Makes a model.
  /// - Parameters:
  ///   - knots: five for each feature, rising, one feature after the other.
  ///   - slopes: by feature, hinge and model, one after the other.
  ///   - bias: by model.
  package init(knots: [Float], slopes: [Float], bias: [Float]) {
    let features = BlockFeatures.count
    precondition(knots.count == features * Self.knotsPerFeature, "five knots for each feature")
    precondition(slopes.count == features * Self.hinges * Self.parts, "a slope for each feature, hinge and model")
    precondition(bias.count == Self.parts, "a bias for each model")
    self.knots = (0..<features).map { feature in InlineArray { knots[feature * Self.knotsPerFeature + $0] } }
    self.slopes = (0..<(features * Self.hinges)).map { place in
      SIMD8((0..<Self.parts).map { slopes[place * Self.parts + $0] })
    }
    self.bias = SIMD8(bias)
  }

  /// The log-odds that the window is walking.
  @inline(__always)
  package func evidence(of features: BlockFeatures) -> Float {
    features.amplitude < Tuning.quietAmplitude
      ? Tuning.quietEvidence : min(max(Self.softMinimum(parts(of: features)), Tuning.leastEvidence), Tuning.mostEvidence)
  }

  /// What each of the models says.
  @inline(__always)
  package func parts(of features: BlockFeatures) -> SIMD8<Float> {
    let values = features.values
    var sum = bias
    var place = 0
    for i in 0..<BlockFeatures.count {
      let k = knots[i]
      let value = min(max(values[i], k[0]), k[4])
      sum += slopes[place] * SIMD8(repeating: value)
      sum += slopes[place + 1] * SIMD8(repeating: max(0, value - k[1]))
      sum += slopes[place + 2] * SIMD8(repeating: max(0, value - k[2]))
      sum += slopes[place + 3] * SIMD8(repeating: max(0, value - k[3]))
      place += Self.hinges
    }
    return sum
  }

  /// −ln Σ exp(−z).
  @inline(__always)
  package static func softMinimum(_ z: SIMD8<Float>) -> Float {
    let least = z.min()
    var sum: Float = 0
    for i in 0..<parts {
      let above = z[i] - least
      // e⁻¹² of one part in all would not show.
      if above < 12 { sum += exp(-above) }
    }
    return least - log(sum)
  }
}

/// The two models that the gate is made of: magnitudes that were restored look different from those that were felt.
package struct GateModels: Sendable {
  /// For recordings that feel gravity.
  package var ordinary: WalkingModel
  /// For recordings without gravity, which ``GravityRestorer`` has put back.
  package var withoutGravity: WalkingModel

  package init(ordinary: WalkingModel, withoutGravity: WalkingModel) {
    self.ordinary = ordinary
    self.withoutGravity = withoutGravity
  }

  /// What the detector comes with.
  package static let shipped = GateModels(ordinary: .shipped, withoutGravity: .shippedWithoutGravity)
}
