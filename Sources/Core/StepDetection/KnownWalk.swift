/// The evidence in a recording that is known to be a walk: rhythm, and the strength of the movement beside that of the walk's own
/// steps.
///
/// The gate is not asked, so no walk is lost that is unlike those it was fitted to. What is left to decide is where the walker
/// stands, turns on the spot or handles the sensor: that has less of both.
struct KnownWalk: Sendable {
  /// ln of the r.m.s. magnitude of the steps so far, as in ``BlockFeatures/logAmplitude``; `nil` before any movement.
  private var usual: Float?

  /// The log-odds that a block is walking.
  /// - Parameter isWalking: whether the blocks before it are: only these show that steps have become weaker.
  mutating func evidence(of features: BlockFeatures, isWalking: Bool) -> Float {
    if features.amplitude < Tuning.quietAmplitude { return Tuning.quietEvidence }
    let usual = usual ?? features.logAmplitude
    let change = features.logAmplitude - usual
    self.usual = usual + (change > 0 ? Tuning.knownStronger : isWalking ? Tuning.knownWeaker : 0) * change
    return evidence(score: features.strideScore, logAmplitude: features.logAmplitude)
  }

  /// The log-odds that a window twice as long is a slow walk: it has to repeat clearly better than the ordinary one.
  /// - Parameter ordinary: the score of the stride in the ordinary window.
  func slowEvidence(of features: BlockFeatures, ordinary: Float) -> Float {
    if features.strideScore < ordinary + Tuning.knownSlowScore { return Tuning.leastEvidence }
    return evidence(score: features.strideScore, logAmplitude: features.logAmplitude)
  }

  private func evidence(score: Float, logAmplitude: Float) -> Float {
    let rhythm = min(Tuning.knownRhythm * (score - Tuning.knownScore), Tuning.mostEvidence)
    let weakness = min(0, logAmplitude - (usual ?? logAmplitude) + Tuning.knownShare)
    return max(rhythm + Tuning.knownWeakness * weakness, Tuning.leastEvidence)
  }
}
