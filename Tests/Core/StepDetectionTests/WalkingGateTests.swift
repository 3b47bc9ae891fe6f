import Testing

@testable import StepDetection

@Suite("The gate", .timeLimit(.minutes(30)))
struct WalkingGateTests {
  /// Features with a given first value, and the others in the middle of the range of the gate.
  private func features(_ first: Float, amplitude: Float = 0.2) -> BlockFeatures {
    var correlation = Correlation()
    correlation.axesAmplitude = 0.3
    correlation.magnitudeAmplitude = amplitude
    var features = BlockFeatures(correlation, Stride(searching: correlation))
    features.strideScore = first
    return features
  }

  /// A model that uses only the first feature, between 0 and 4 with knots at 1, 2 and 3.
  private func model(slopes first: [[Float]], bias: [Float]) -> WalkingModel {
    let knots = (0..<BlockFeatures.count).flatMap { _ in [0, 1, 2, 3, 4] as [Float] }
    var slopes = [Float](repeating: 0, count: BlockFeatures.count * WalkingModel.hinges * WalkingModel.parts)
    for (hinge, row) in first.enumerated() {
      for (part, slope) in row.enumerated() { slopes[hinge * WalkingModel.parts + part] = slope }
    }
    return WalkingModel(knots: knots, slopes: slopes, bias: bias)
  }

  private static let certain = [Float](repeating: 40, count: WalkingModel.parts)

  @Test("the line of a feature has three knees, and is constant beyond its ends")
  func line() {
    var bias = Self.certain
    bias[0] = 0
    let model = model(slopes: [[1], [2], [-3], [-2]], bias: bias)
    let evidence = { (value: Float) in model.evidence(of: features(value)) }
    for (value, expected) in [(-5, 0), (0, 0), (1, 1), (2, 4), (3, 4), (4, 2), (9, 2)] as [(Float, Float)] {
      #expect(abs(evidence(value) - expected) < 1e-4, "at \(value)")
    }
  }

  @Test("every model can reject, at any index", arguments: 0..<WalkingModel.parts)
  func anyOf(part: Int) {
    var bias = Self.certain
    bias[part] = -3
    let model = model(slopes: [], bias: bias)
    #expect(abs(model.evidence(of: features(1)) - -3) < 1e-3)
  }

  @Test("several low models give less evidence than one")
  func together() {
    var bias = Self.certain
    bias[2] = 1
    let one = model(slopes: [], bias: bias).evidence(of: features(1))
    bias[5] = 1
    let two = model(slopes: [], bias: bias).evidence(of: features(1))
    #expect(abs(one - 1) < 1e-4)
    #expect(abs(two - (1 - 0.693_147)) < 1e-4)
  }

  @Test("no window outvotes all others, however high the models are")
  func bounds() {
    #expect(model(slopes: [], bias: Self.certain).evidence(of: features(1)) == Tuning.mostEvidence)
    #expect(
      model(slopes: [], bias: Self.certain.map { -$0 }).evidence(of: features(1)) == Tuning.leastEvidence)
  }

  @Test("rejects a quiet window, whatever its rhythm")
  func quiet() {
    let model = model(slopes: [], bias: Self.certain)
    #expect(model.evidence(of: features(1, amplitude: 0.0149)) == Tuning.quietEvidence)
    #expect(model.evidence(of: features(1, amplitude: 0.0151)) == Tuning.mostEvidence)
  }

  @Test("the shipped models have rising knots")
  func shipped() {
    #expect(BlockFeatures.names.count == BlockFeatures.count)
    for model in [GateModels.shipped.ordinary, GateModels.shipped.withoutGravity] {
      let count = WalkingModel.knotsPerFeature
      for i in model.knots.indices where i % count > 0 { #expect(model.knots[i] > model.knots[i - 1]) }
    }
  }

  /// A number that any other table of numbers is unlikely to have.
  private static func digest(_ numbers: [Float]) -> Int {
    numbers.enumerated().reduce(0) { sum, number in
      (sum &* 31 &+ Int((number.element * 1000).rounded()) &+ number.offset) % 1_000_000_007
    }
  }

  @Test("the shipped models are those that the recordings were scored with")
  func fitted() {
    let shipped = GateModels.shipped
    let models = [shipped.ordinary, shipped.withoutGravity, shipped.slow, shipped.slowWithoutGravity]
    #expect(
      models.map { [Self.digest($0.knots), Self.digest($0.slopes), Self.digest($0.bias)] } == [
        [-267_233_278, 21_348_317, 807_130_646], [-330_021_076, 123_432_056, 579_940_912],
        [361_771_967, 283_272_525, 367_536_002], [832_132_866, 414_752_213, -156_942_452],
      ])
    let knots = ConfidenceTable.shipped.knots
    #expect(
      [Self.digest(knots.map { Float($0.evidence) }), Self.digest(knots.map { Float($0.confidence) })] == [
        -210_693_851, 624_970_129,
      ])
  }
}
