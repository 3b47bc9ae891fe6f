struct BlockEvidence: Sendable {
  /// The centre of the block's window, in seconds since the run's start.
  var centre: Double
  /// Steps a second.
  var cadence: Float
  /// Log-odds of walking.
  var evidence: Float
  /// The evidence of a window twice as long, if it was computed.
  var slow: SlowEvidence?
  /// The evidence without what its rhythm has added.
  var ownEvidence: Float { evidence - (steady ?? 0) }
  /// What its steady rhythm has added to the evidence; `nil` if it does not repeat.
  var steady: Float?
}

/// The evidence of the window twice as long, whose centre is ``Tuning/slowDelay`` blocks before that of the ordinary one.
struct SlowEvidence: Sendable {
  /// Steps a second.
  var cadence: Float
  /// Log-odds of walking slowly.
  var evidence: Float
}

/// The latest blocks; older ones are overwritten. No decision looks back further than the longest latency, 20 s.
struct BlockHistory: Sendable {
  /// A power of two, so that an index is a mask: 30 s.
  static let capacity = 64
  private var storage = [BlockEvidence](
    repeating: BlockEvidence(centre: 0, cadence: 0, evidence: 0), count: capacity)
  /// The number of blocks of this run, including those overwritten.
  private(set) var count = 0

  /// Block `index` of the run.
  subscript(index: Int) -> BlockEvidence {
    @inline(__always) get { storage[index & (Self.capacity - 1)] }
    @inline(__always) set { storage[index & (Self.capacity - 1)] = newValue }
  }

  /// Applies the longer window of a block to the block at its centre.
  mutating func believeSlow(of index: Int) {
    guard let slow = self[index].slow, index >= Tuning.slowDelay else { return }
    let centre = index - Tuning.slowDelay
    if slow.evidence > self[centre].evidence {
      (self[centre].evidence, self[centre].cadence) = (slow.evidence, slow.cadence)
    }
  }

  /// Gives earlier blocks that repeat what their rhythm is known to be worth by now.
  mutating func believeSteady() {
    guard let now = self[count - 1].steady, now > 0 else { return }
    for i in max(0, count - Tuning.blocksSearched)..<count {
      guard let before = self[i].steady else { continue }
      self[i].evidence += now - before
      self[i].steady = now
    }
  }

  mutating func append(_ block: BlockEvidence) {
    self[count] = block
    count += 1
  }

  /// The change of ln cadence from the block before to the latest, without sign.
  var change: Float { count > 1 ? abs(fastLog(self[count - 1].cadence / self[count - 2].cadence)) : 0 }

  /// Steps a second at a time, interpolated linearly between the centres of the blocks.
  func cadence(at time: Double) -> Float {
    let (before, after, share) = neighbours(of: time)
    return self[before].cadence + share * (self[after].cadence - self[before].cadence)
  }

  /// The log-odds of walking at a time, interpolated linearly.
  private func evidence(at time: Double) -> Float {
    let (before, after, share) = neighbours(of: time)
    return self[before].evidence + share * (self[after].evidence - self[before].evidence)
  }

  /// The blocks whose centres surround a time, and the position of the time between them, 0 to 1; the same block twice
  /// before the oldest and after the newest.
  private func neighbours(of time: Double) -> (before: Int, after: Int, share: Float) {
    let newest = count - 1
    // The centres of a run are evenly spaced. The time may be before all of them if no step of a walk could be emitted.
    let age = min(
      (self[newest].centre - time) * (Tuning.cellFrequency / Double(Tuning.blockCells)), Double(Self.capacity))
    if age <= 0 { return (newest, newest, 0) }
    let whole = Int(age)
    let oldest = max(0, count - Self.capacity)
    let after = newest - whole
    if after <= oldest { return (oldest, oldest, 0) }
    return (after - 1, after, 1 - Float(age - Double(whole)))
  }

  /// The least evidence from one time to another, interpolated linearly between the centres of the blocks.
  func leastEvidence(from start: Double, to end: Double) -> Float {
    var least = min(evidence(at: start), evidence(at: end))
    var i = count - 1
    while i >= max(0, count - Self.capacity), self[i].centre > start {
      if self[i].centre < end { least = min(least, self[i].evidence) }
      i -= 1
    }
    return least
  }

  /// The number of steps from one time to another: the integral of the cadence.
  func phase(from start: Double, to end: Double) -> Float {
    let parts = max(1, Int((end - start) / Tuning.phaseInterval))
    let width = (end - start) / Double(parts)
    var sum: Float = 0
    for i in 0..<parts { sum += cadence(at: start + (Double(i) + 0.5) * width) }
    return Float(width) * sum
  }
}
