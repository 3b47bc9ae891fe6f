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
      blocks[blocks.count - 1 - ago].follow(decider.blocks[decider.blocks.count - 1 - ago])
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

  /// Walking begins when the balance exceeds the first, and ends when it falls to the second.
  package static var thresholds: (entry: Float, exit: Float) { (Tuning.entryEvidence, 0) }

  /// The block with all times shifted, as relative to an earlier moment.
  package func shifted(by seconds: Double) -> Self {
    var shifted = self
    shifted.end += seconds
    shifted.centre += seconds
    shifted.earliest += seconds
    for i in readings.indices { shifted.readings[i].time += seconds }
    return shifted
  }

  /// Applies later changes of the block.
  mutating func follow(_ block: BlockEvidence) { (evidence, cadence) = (block.ownEvidence, block.cadence) }

  init(
    start: Int64, earliest: Double, end: Double, block: BlockEvidence, features: BlockFeatures, shape: MovementShape?,
    slowFeatures: BlockFeatures?, slowShape: MovementShape?, stepsBefore: Int
  ) {
    self.slowFeatures = slowFeatures
    self.slowShape = slowShape
    self.start = start
    self.earliest = earliest
    self.end = end
    centre = block.centre
    cadence = block.cadence
    evidence = block.ownEvidence
    self.features = features
    self.shape = shape
    self.stepsBefore = stepsBefore
  }
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
