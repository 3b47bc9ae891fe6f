/// What the detector makes of a block once its neighbours are known.
package struct BlockDecision: Sendable {
  /// The mean evidence of five blocks.
  package var smoothed: Float
  /// Whether the evidence says walking, with the hysteresis. Blocks that are given back at a walk's start are not in it.
  package var isWalking: Bool

  /// Walking begins above the first mean evidence and ends at the second or below.
  package static var thresholds: (entry: Float, exit: Float) { (Tuning.entryEvidence, Tuning.exitEvidence) }

  /// The decisions on all blocks, each run for itself, as ``StepDecider`` makes them.
  package static func all(for blocks: [BlockObservation]) -> [BlockDecision] {
    var decisions: [BlockDecision] = []
    var isWalking = false
    for (i, block) in blocks.enumerated() {
      if i > 0, blocks[i - 1].start != block.start { isWalking = false }
      var sum: Float = 0
      for j in max(0, i - Tuning.evidenceHalfWidth)...min(blocks.count - 1, i + Tuning.evidenceHalfWidth)
      where blocks[j].start == block.start { sum += blocks[j].evidence }
      let smoothed = sum / Float(2 * Tuning.evidenceHalfWidth + 1)
      isWalking = smoothed > (isWalking ? Tuning.exitEvidence : Tuning.entryEvidence)
      decisions.append(BlockDecision(smoothed: smoothed, isWalking: isWalking))
    }
    return decisions
  }
}
