/// The detector's decision on a block.
package struct BlockDecision: Sendable {
  /// The evidence balance, in log-odds.
  package var balance: Float
  /// Whether the balance means walking. Blocks that are added at the start of a walk are not included.
  package var isWalking: Bool

  /// Walking begins when the balance exceeds the first, and ends when it falls to the second.
  package static var thresholds: (entry: Float, exit: Float) { (Tuning.entryEvidence, 0) }

  /// The decisions on all blocks, separately for each run, as ``StepDecider`` makes them.
  package static func all(for blocks: [BlockObservation]) -> [BlockDecision] {
    var decisions: [BlockDecision] = []
    var (balance, isWalking) = (EvidenceBalance(), false)
    for (i, block) in blocks.enumerated() {
      if i > 0, blocks[i - 1].start != block.start { (balance, isWalking) = (EvidenceBalance(), false) }
      if isWalking, balance.value <= 0 {
        isWalking = false
        balance.clear()
      }
      if isWalking {
        balance.expectWalking(block.evidence)
      } else if balance.expectRest(block.evidence) {
        isWalking = true
        balance.fill()
      }
      decisions.append(BlockDecision(balance: balance.value, isWalking: isWalking))
    }
    return decisions
  }
}
