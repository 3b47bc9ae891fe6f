/// How long a movement has repeated at the pace of steps.
///
/// Of what people do for half a minute on end, 75 to 190 times a minute, nearly all is walking. So such a movement is a
/// walk unless the gate recognises it as something else; what is merely unfamiliar has little evidence for either. The
/// confidence of a bout does not include what is added here, so it says how familiar the movement is.
struct SteadyRhythm: Sendable {
  private var blocks: Float = 0

  /// Takes a block.
  /// - Parameters:
  ///   - evidence: its log-odds.
  ///   - lacksGravity: whether only the gate can recognise another movement.
  /// - Returns: what its rhythm adds to them; `nil` if it does not repeat, or is recognised as another movement.
  mutating func take(_ features: BlockFeatures, evidence: Float, lacksGravity: Bool) -> Float? {
    let least = lacksGravity ? Tuning.recognisedEvidence.withoutGravity : Tuning.recognisedEvidence.usual
    guard features.strideScore > Tuning.steadyScore, Tuning.steadyCadence.contains(features.cadence), evidence > least
    else {
      pause()
      return nil
    }
    blocks = min(blocks + 1, Tuning.steadyBlocks + Tuning.steadyRise)
    return Tuning.steadyEvidence * max(0, blocks - Tuning.steadyBlocks) / Tuning.steadyRise
  }

  /// Takes a block that does not repeat: one in four does no harm.
  mutating func pause() { blocks = max(0, blocks - 3) }
}
