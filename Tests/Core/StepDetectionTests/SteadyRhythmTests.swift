import Testing

@testable import StepDetection

@Suite("A steady rhythm", .timeLimit(.minutes(30))) struct SteadyRhythmTests {
  private func features(score: Float = 1.4, cadence: Float = 1.8) -> BlockFeatures {
    var correlation = Correlation()
    (correlation.axesAmplitude, correlation.magnitudeAmplitude) = (0.3, 0.2)
    var features = BlockFeatures(correlation, Stride(searching: correlation))
    (features.strideScore, features.cadence) = (score, cadence)
    return features
  }

  private func added(_ features: BlockFeatures, evidence: Float, lacksGravity: Bool = false, blocks: Int) -> Float? {
    var rhythm = SteadyRhythm()
    var latest: Float?
    for _ in 0..<blocks { latest = rhythm.take(features, evidence: evidence, lacksGravity: lacksGravity) }
    return latest
  }

  @Test("speaks for a walk after ten seconds, and fully within half a minute")
  func grows() {
    #expect(added(features(), evidence: -0.9, blocks: 20) == 0)
    #expect(added(features(), evidence: -0.9, blocks: 35) == 1)
    #expect(added(features(), evidence: -0.9, blocks: 1000) == 2)
    #expect(50 * 0.48 < 30)
  }

  @Test("says nothing of what does not repeat, of another pace, and of what is recognised as another movement")
  func silent() {
    #expect(added(features(score: 0.9), evidence: 0, blocks: 60) == nil)
    for cadence: Float in [1.2, 3.2] { #expect(added(features(cadence: cadence), evidence: 0, blocks: 60) == nil) }
    #expect(added(features(), evidence: -5.1, blocks: 60) == nil)
  }

  @Test("without gravity, less evidence against a walk is enough")
  func withoutGravity() {
    #expect(added(features(), evidence: -2.1, lacksGravity: true, blocks: 60) == nil)
    #expect(added(features(), evidence: -1.9, lacksGravity: true, blocks: 1000) == 2)
    #expect(added(features(), evidence: -2.1, blocks: 1000) == 2)
  }

  @Test("survives a block in four that does not repeat, but no pause")
  func pauses() {
    var rhythm = SteadyRhythm()
    for _ in 0..<50 { _ = rhythm.take(features(), evidence: 0, lacksGravity: false) }
    rhythm.pause()
    #expect(rhythm.take(features(), evidence: 0, lacksGravity: false) ?? 0 > 1.8)
    for _ in 0..<17 { rhythm.pause() }
    #expect(rhythm.take(features(), evidence: 0, lacksGravity: false) == 0)
  }

  @Test("what it adds is given to earlier blocks that repeat, and is no part of their own evidence")
  func believed() {
    var blocks = BlockHistory()
    for i in 0..<4 {
      var block = BlockEvidence(centre: Double(i), cadence: 2, evidence: i == 3 ? 1 : -1)
      if i > 0 { block.steady = i == 3 ? 2 : 0 }
      blocks.append(block)
    }
    blocks.believeSteady()
    #expect((0..<4).map { blocks[$0].evidence } == [-1, 1, 1, 1])
    #expect((0..<4).map { blocks[$0].ownEvidence } == [-1, -1, -1, -1])
  }
}
