/// Keeps the detector's view of each block.
struct BlockObserver: Sendable {
  var blocks: [BlockObservation]
  /// Whether to observe only what ``WalkExplainer`` reads. Other values are observed if the detector computed them anyway.
  var isForExplanations = false

  /// Adds the decision about the latest block.
  mutating func noteDecision(of decider: inout StepDecider) {
    if let latest = blocks.indices.last {
      blocks[latest].balance = decider.account.balance
      blocks[latest].isWalking = decider.account.isWalking
    }
    noteReadings(of: &decider)
    if decider.isSlow { noteSlowBlocks(of: decider) }
  }

  /// Adds the peaks that the decider has read since.
  mutating func noteReadings(of decider: inout StepDecider) {
    guard let readings = decider.readings, !readings.isEmpty, let latest = blocks.indices.last else { return }
    blocks[latest].readings += readings
    decider.readings = []
  }

  /// Follows the blocks of a slow walk as they are counted.
  private mutating func noteSlowBlocks(of decider: StepDecider) {
    let count = min(Tuning.blocksSearched, decider.blocks.count)
    for ago in 0..<min(count, blocks.count) {
      let (seen, block) = (blocks.count - 1 - ago, decider.blocks[decider.blocks.count - 1 - ago])
      (blocks[seen].evidence, blocks[seen].cadence) = (block.ownEvidence, block.cadence)
    }
  }
}

/// The detector's view of one block.
package struct BlockObservation: Sendable {
  /// The start of the run in nanoseconds of the sensor clock.
  package var start: Int64
  /// The first sample since the last gap, in seconds since the start of the run, which may begin with an assumed rest.
  package var earliest: Double
  /// The end of the block and the centre of its window, in seconds since the start of the run.
  package var end: Double
  package var centre: Double
  /// Steps a second.
  package var cadence: Float
  /// Log-odds of walking, without what a steady rhythm adds.
  package var evidence: Float
  package var features: BlockFeatures
  /// The shape of the movement; `nil` if gravity was removed, or if it was not computed.
  package var shape: MovementShape?
  /// The features of the window twice as long.
  package var slowFeatures: BlockFeatures?
  /// The shape of the movement in whole strides of that window; `nil` if gravity was removed.
  package var slowShape: MovementShape?
  /// The balance of evidence after the block, in log-odds, and whether it meant walking. Earlier blocks that are added
  /// at the start of a walk are not included.
  package var balance: Float = 0
  package var isWalking = false
  /// The peaks that the decider read after the block.
  package var readings: [PeakReading] = []
  /// The number of steps in the caller's array before the block was decided; its own steps follow them.
  package var stepsBefore: Int
}

/// The result of counting by phase at a peak that was high enough.
package struct PeakReading: Sendable {
  /// Seconds since the run's start.
  package var time: Double
  /// Turns since the latest step at this peak: near 0 for a spurious peak, near 1 for a step.
  package var phase: Float
  /// The number of steps counted at this peak: the whole turns, unless the walker may have paused.
  package var turns: Int
  /// The remaining phase, carried over to the next peak.
  package var rest: Float
}
