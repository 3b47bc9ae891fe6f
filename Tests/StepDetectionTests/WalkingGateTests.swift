import Testing

@testable import StepDetection

@Suite("The gate", .timeLimit(.minutes(10)))
struct WalkingGateTests {
  @Test("a term is a line with a knee, flat beyond its ends")
  func term() {
    let term = PiecewiseLinear(low: -1, knot: 0, high: 2, below: 3, above: -1)
    #expect(term(-1) == -3 && term(-5) == -3)
    #expect(term(0) == 0)
    #expect(term(2) == -2 && term(9) == -2)
    #expect(term(1) == -1)
  }

  private func evidence(_ change: (inout BlockFeatures) -> Void) -> Float {
    // A walk as a sensor in the pocket feels it.
    var correlation = Correlation()
    correlation.clear()
    correlation.axesAmplitude = 0.3
    correlation.magnitudeAmplitude = 0.2
    var features = BlockFeatures(correlation, Stride(searching: correlation))
    features.strideScore = 1.4
    features.halfStride = 0.2
    features.shaking = -0.2
    features.smoothness = 0.3
    features.axesAtThree = -0.3
    features.step = 0.5
    change(&features)
    return features.evidence
  }

  @Test("believes a window that repeats from stride to stride, and no other")
  func repeats() {
    #expect(evidence { _ in } > Tuning.evidenceFee)
    #expect(evidence { $0.strideScore = 0 } < -Tuning.evidenceFee)
  }

  @Test("believes less in what shakes, what turns without bouncing, and what hardly moves")
  func doubts() {
    let walk = evidence { _ in }
    #expect(evidence { $0.shaking = 0.7 } < walk - 3)
    #expect(evidence { $0.logShare = -1.6 } < walk - 3)
    #expect(evidence { $0.logAmplitude = -3.7 } < walk - 3)
    #expect(evidence { $0.halfStride = 0.8 } < walk - 1)
  }

  @Test("takes a quiet window for standing, whatever its rhythm")
  func quiet() {
    #expect(evidence { $0.amplitude = 0.0149 } == Tuning.quietEvidence)
  }
}
