/// The features of one block that the gate uses.
///
/// All of them are read from the autocorrelation of the window, which is computed anyway: R is the correlation of the
/// three axes as one vector, M that of the magnitude, L the lag of the stride in cells.
package struct BlockFeatures: Sendable {
  /// How well the window repeats from stride to stride.
  package var strideScore: Float
  /// R(L), R(L/2), R(L/4), R(3L/4).
  package var stride: SIMD4<Float>
  /// M(L), M(L/2), M(L/4), M(3L/4).
  package var magnitudeAtStride: SIMD4<Float>
  /// R at one to four cells. The first is near 1 for smooth movement.
  package var short: SIMD4<Float>
  /// M at one to four cells.
  package var magnitudeAtShort: SIMD4<Float>
  /// ln(r.m.s. of the magnitude in g + 0.003).
  package var logAmplitude: Float
  /// ln of the magnitude's r.m.s. over that of the axes.
  package var logShare: Float
  /// ln(steps a second).
  package var logCadence: Float
  /// r.m.s. of the magnitude, in g.
  package var amplitude: Float

  init(_ correlation: borrowing Correlation, _ found: Stride) {
    let (axes, magnitude) = (correlation.axes.span, correlation.magnitude.span)
    let lag = found.lag
    strideScore = found.score
    stride = SIMD4(axes.lag(lag), axes.half(of: lag), axes.quarters(1, of: lag), axes.quarters(3, of: lag))
    magnitudeAtStride = SIMD4(
      magnitude.lag(lag), magnitude.half(of: lag), magnitude.quarters(1, of: lag), magnitude.quarters(3, of: lag))
    short = SIMD4(axes.lag(1), axes.lag(2), axes.lag(3), axes.lag(4))
    magnitudeAtShort = SIMD4(magnitude.lag(1), magnitude.lag(2), magnitude.lag(3), magnitude.lag(4))
    amplitude = correlation.magnitudeAmplitude
    logAmplitude = fastLog(amplitude + Tuning.amplitudeFloor)
    logShare = logAmplitude - fastLog(correlation.axesAmplitude + Tuning.amplitudeFloor)
    cadence = found.searchedCadence
    logCadence = fastLog(cadence)
  }

  /// R(L/2): an arm that only shakes repeats at half the stride as well.
  package var halfStride: Float { stride.y }
  /// M(L/2): how well the magnitude repeats from step to step.
  package var step: Float { magnitudeAtStride.y }
  /// M(L/4): high if two strides were taken for one, or for a vibrating machine.
  package var quarterStride: Float { magnitudeAtStride.z }
  /// R(1): near 1 for smooth movement.
  package var smoothness: Float { short.x }
  /// R(3): high for repetitions of an arm, which change slowly.
  package var axesAtThree: Float { short.z }
  /// The larger of M(2) and M(3): high for shaking at 4 to 6 Hz.
  package var shaking: Float { max(magnitudeAtShort.y, magnitudeAtShort.z) }
  /// Steps a second, if the lag is one stride.
  package var cadence: Float

  /// The number of inputs of the gate.
  package static let count = 20
  /// Their names, in the order of ``values``.
  package static let names = [
    "strideScore", "R(L)", "R(L/2)", "R(L/4)", "R(3L/4)", "M(L)", "M(L/2)", "M(L/4)", "M(3L/4)",
    "R(1)", "R(2)", "R(3)", "R(4)", "M(1)", "M(2)", "M(3)", "M(4)", "logAmplitude", "logShare", "logCadence",
  ]

  /// The inputs of the gate: dimensionless correlations, and three logarithms.
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
/// Eight additive models, each of which gives every feature a line with three knees; the evidence is their soft
/// minimum, −ln Σ exp(−z). A walk has to pass all of them, so each may specialise in a kind of movement that repeats as
/// walks do: pedalling, lifting, shaking, trembling. `detector-lab fit` fits all at once (gradient descent on the
/// logarithmic loss). The additive models are those of Hastie and Tibshirani (Generalized Additive Models, 1990); a
/// soft minimum of several is the noisy-and of probabilistic networks.
///
/// An evaluation costs about 70 ns, once a block; see ``AdditiveModels``.
package struct WalkingModel: Sendable {
  /// The number of additive models.
  package static let parts = AdditiveModels.models
  private static let logParts: Float = 2.079_442
  /// The number of values derived from a feature: itself, and its excess over each of three knots.
  package static let hinges = 4
  /// The number of ends and knots of a feature's line: the value is clipped to the first and the last.
  package static let knotsPerFeature = hinges + 1

  /// Five for each feature, rising, grouped by feature.
  package let knots: [Float]
  /// By feature, hinge and model, in log-odds per unit.
  package let slopes: [Float]
  /// The log-odds of each model where all hinges are zero.
  package let bias: [Float]

  /// In the layout of ``AdditiveModels``: the knots by index, and the line segments between them; of the features of
  /// the block, and of those of the shape, if the model has any.
  private let knotsByPlace: [Float]
  private let lines: [Float]
  private let shapeKnots: [Float]
  private let shapeLines: [Float]
  private let start: SIMD8<Float>

  /// Whether the model reads the shape of the movement.
  package var readsShape: Bool { !shapeLines.isEmpty }

  /// Creates a model of the features of a block, or of these and those of its shape.
  /// - Parameters:
  ///   - knots: five for each feature, rising, grouped by feature.
  ///   - slopes: by feature, hinge and model.
  ///   - bias: by model.
  package init(knots: [Float], slopes: [Float], bias: [Float]) {
    let features = knots.count / AdditiveModels.knots
    precondition(
      features == BlockFeatures.count || features == BlockFeatures.count + MovementShape.count,
      "the features of a block, with or without those of its shape")
    precondition(knots.count == AdditiveModels.knots * features, "five knots for each feature")
    precondition(slopes.count == AdditiveModels.hinges * features, "a slope for each feature, hinge and model")
    precondition(bias.count == AdditiveModels.models, "a bias for each model")
    (self.knots, self.slopes, self.bias) = (knots, slopes, bias)
    start = SIMD8(bias)
    let base = 0..<BlockFeatures.count
    (knotsByPlace, lines) = Self.layout(of: base, knots: knots, slopes: slopes)
    (shapeKnots, shapeLines) = Self.layout(of: base.upperBound..<features, knots: knots, slopes: slopes)
  }

  private static func layout(
    of features: Range<Int>, knots: [Float], slopes: [Float]
  ) -> (knots: [Float], lines: [Float]) {
    let byPlace = (0..<knotsPerFeature).flatMap { place in features.map { knots[$0 * knotsPerFeature + place] } }
    let width = AdditiveModels.hinges
    let hinges = slopes[(features.lowerBound * width)..<(features.upperBound * width)]
    return (byPlace, AdditiveModels.lines(knots: byPlace, hinges: Array(hinges)))
  }

  /// What the shape of a movement contributes to the log-odds of each model.
  package func contribution(of shape: MovementShape) -> SIMD8<Float> {
    if shapeLines.isEmpty { return .zero }
    let values = shape.values
    return AdditiveModels.sums(values.span, knots: shapeKnots.span, lines: shapeLines.span, from: .zero)
  }

  /// What each model says of an example: the features of a block, and those of its shape, if there are any.
  func sums(of example: [Float]) -> SIMD8<Float> {
    let base = 0..<BlockFeatures.count
    let sums = AdditiveModels.sums(
      example.span.extracting(base), knots: knotsByPlace.span, lines: lines.span, from: start)
    if !readsShape || example.count == base.upperBound { return sums }
    return AdditiveModels.sums(
      example.span.extracting(base.upperBound..<example.count), knots: shapeKnots.span, lines: shapeLines.span,
      from: sums)
  }

  /// The log-odds that the window is walking.
  /// - Parameter shape: the contribution of its shape.
  package func evidence(
    of features: BlockFeatures, shape: SIMD8<Float> = .zero, quietBelow: Float = Tuning.quietAmplitude
  ) -> Float {
    if features.amplitude < quietBelow { return Tuning.quietEvidence }
    let values = features.values
    let sums = AdditiveModels.sums(values.span, knots: knotsByPlace.span, lines: lines.span, from: start + shape)
    let least = AdditiveModels.least(of: sums)
    // The soft minimum is at most ln 8 below the minimum. If that is beyond the bounds, no exponential is needed.
    if least <= Tuning.leastEvidence { return Tuning.leastEvidence }
    if least >= Tuning.mostEvidence + Self.logParts { return Tuning.mostEvidence }
    let evidence = AdditiveModels.softMinimum(sums).evidence
    return min(max(evidence, Tuning.leastEvidence), Tuning.mostEvidence)
  }
}

/// The models of the gate: restored magnitudes look different from measured ones, and slow walks are analysed in a longer window.
package struct GateModels: Sendable {
  /// For samples with gravity.
  package var ordinary: WalkingModel
  /// For samples without gravity, after ``GravityRestorer`` has restored it.
  package var withoutGravity: WalkingModel
  /// For walks of fewer than 65 steps a minute.
  package var slow: WalkingModel
  /// The same without gravity.
  package var slowWithoutGravity: WalkingModel
}

extension GateModels {
  /// The default models of the detector.
  package static let shipped = GateModels(table: PackageResources.models_txt)

  /// Reads what `detector-lab fit --write` has written; `Gate/models.txt` says how.
  package init(table: [UInt8]) {
    var models: [WalkingModel] = []
    var (knots, slopes): ([Float], [Float]) = ([], [])
    for line in table.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let numbers = line.split(separator: UInt8(ascii: " ")).map(Self.thousandths)
      if numbers.count == WalkingModel.parts {
        models.append(WalkingModel(knots: knots, slopes: slopes, bias: numbers))
        (knots, slopes) = ([], [])
      } else {
        knots += numbers.prefix(WalkingModel.knotsPerFeature)
        slopes += numbers.dropFirst(WalkingModel.knotsPerFeature)
      }
    }
    precondition(models.count == 4, "a table has four models")
    self.init(ordinary: models[0], withoutGravity: models[1], slow: models[2], slowWithoutGravity: models[3])
  }

  private static func thousandths(_ text: ArraySlice<UInt8>) -> Float {
    let isNegative = text.first == UInt8(ascii: "-")
    let value = text.dropFirst(isNegative ? 1 : 0).reduce(0) { $0 * 10 + Int($1) - 0x30 }
    return Float(isNegative ? -value : value) / 1000
  }
}
