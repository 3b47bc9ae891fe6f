import Pedometry

/// What one block has to say.
struct BlockEvidence: Sendable {
  /// The centre of the block's window, in seconds since the run's start.
  var centre: Double
  /// Steps a second.
  var cadence: Float
  /// Log-odds of walking.
  var evidence: Float
  /// The same as a window twice as long has it, where it was asked.
  var slow: SlowEvidence?
}

/// What the window twice as long has to say, whose centre lies ``Tuning/slowDelay`` blocks before the other's.
struct SlowEvidence: Sendable {
  /// Steps a second.
  var cadence: Float
  /// Log-odds of walking slowly.
  var evidence: Float
}

/// The latest blocks; older ones are overwritten. No decision looks back further than the longest patience, 20 s.
struct BlockHistory: Sendable {
  /// A power of two, so that a place is found by masking: 30 s.
  static let capacity = 64
  private var storage = [BlockEvidence](
    repeating: BlockEvidence(centre: 0, cadence: 0, evidence: 0), count: capacity)
  /// Blocks of this run, also those overwritten.
  private(set) var count = 0

  /// Block `index` of the run.
  subscript(index: Int) -> BlockEvidence {
    @inline(__always) get { storage[index & (Self.capacity - 1)] }
    @inline(__always) set { storage[index & (Self.capacity - 1)] = newValue }
  }

  /// Believes the longer window of a block about the block that it is about.
  mutating func believeSlow(of index: Int) {
    guard let slow = self[index].slow, index >= Tuning.slowDelay else { return }
    let centre = index - Tuning.slowDelay
    if slow.evidence > self[centre].evidence {
      (self[centre].evidence, self[centre].cadence) = (slow.evidence, slow.cadence)
    }
  }

  mutating func append(_ block: BlockEvidence) {
    self[count] = block
    count += 1
  }

  /// Steps a second at a time: a straight line between the centres of the blocks.
  func cadence(at time: Double) -> Float {
    let (before, after, share) = neighbours(of: time)
    return before.cadence + share * (after.cadence - before.cadence)
  }

  /// The log-odds of walking at a time, likewise.
  private func evidence(at time: Double) -> Float {
    let (before, after, share) = neighbours(of: time)
    return before.evidence + share * (after.evidence - before.evidence)
  }

  /// The blocks whose centres a time lies between, and how far from the first to the second it lies; one block twice
  /// before the oldest and after the newest.
  private func neighbours(of time: Double) -> (before: BlockEvidence, after: BlockEvidence, share: Float) {
    let newest = self[count - 1]
    // The centres of a run are evenly spaced. A walk none of whose steps could be handed out asks for a time before all.
    let age = min(
      (newest.centre - time) * (Tuning.cellFrequency / Double(Tuning.blockCells)), Double(Self.capacity))
    if age <= 0 { return (newest, newest, 0) }
    let whole = Int(age)
    let oldest = max(0, count - Self.capacity)
    let after = count - 1 - whole
    if after <= oldest { return (self[oldest], self[oldest], 0) }
    return (self[after - 1], self[after], 1 - Float(age - Double(whole)))
  }

  /// The least evidence from one time to another, on straight lines between the centres of the blocks.
  func leastEvidence(from start: Double, to end: Double) -> Float {
    var least = min(evidence(at: start), evidence(at: end))
    var i = count - 1
    while i >= max(0, count - Self.capacity), self[i].centre > start {
      if self[i].centre < end { least = min(least, self[i].evidence) }
      i -= 1
    }
    return least
  }

  /// Steps from one time to another: the cadence's integral.
  func phase(from start: Double, to end: Double) -> Float {
    let parts = max(1, Int((end - start) / Tuning.phaseInterval))
    let width = (end - start) / Double(parts)
    var sum: Float = 0
    for i in 0..<parts { sum += cadence(at: start + (Double(i) + 0.5) * width) }
    return Float(width) * sum
  }
}

/// Turns evidence, cadence and peaks into steps.
///
/// Walking begins and ends as the account of the evidence says. Inside a walk the steps are the whole turns of
/// the cadence's phase, read at the peaks: a peak that comes too early is spurious, one that comes two turns late
/// stands for two steps. Peaks that the first and the last window were too cautious to take are given back.
///
/// All times are seconds since the run's start.
struct StepDecider: Sendable {
  private(set) var blocks = BlockHistory()
  private var balance = EvidenceBalance()
  /// The account of the longer windows, while nobody walks.
  private var slowBalance = EvidenceBalance()
  private var isWalking = false
  /// Whether the walk was proved by the longer windows, so that they are believed until it ends.
  private(set) var isSlow = false
  /// The latest peak that the phase has passed.
  private(set) var countedPeak = -Double.infinity
  private var phase: Float = 0
  private var peakHeight: Float = 0
  /// The time of the decision that is being made: the end of the latest block.
  private var now = 0.0

  /// Where the steps go.
  var emitter: StepEmitter

  /// What became of each peak, kept only for those who look into the detector.
  var readings: [PeakReading]?

  /// The account that decides at present: of the longer windows where they have proved a walk, it is the same.
  var account: (balance: Float, isWalking: Bool) { (balance.value, isWalking) }

  init(emitter: StepEmitter) {
    precondition(Tuning.blocksSearched <= BlockHistory.capacity, "older blocks are overwritten")
    precondition(Tuning.extraPeaks <= GivenPeaks.count, "so many peaks are given back at a walk's start at most")
    self.emitter = emitter
  }

  /// Peaks that are given back at a walk's start.
  private typealias GivenPeaks = InlineArray<4, Double>

  /// Takes a block that ends at `end`.
  ///
  /// A walk is counted up to ``Tuning/blocksBehind`` blocks back, so that its end is noticed before standing is counted.
  mutating func append(_ block: BlockEvidence, end: Double, peaks: PeakHistory, into steps: inout [Step]) {
    blocks.append(block)
    now = end
    let newest = blocks.count - 1
    if isSlow { blocks.believeSlow(of: newest) }
    if isWalking {
      // What the account doubts is counted when it is full again, or when it can wait no longer.
      let sure = max(newest - 1 - balance.sinceFull, newest - Tuning.blocksHeld)
      proceed(to: min(newest - Tuning.blocksBehind, sure), peaks, &steps)
    }
    if isWalking {
      balance.expectWalking(isSlow ? max(block.evidence, block.slow?.evidence ?? block.evidence) : block.evidence)
    } else if balance.expectRest(block.evidence) {
      begin(at: newest - min(balance.rise - 1, Tuning.blocksGivenBack), to: newest, peaks, &steps)
    } else if slowBalance.expectRest(block.slow?.evidence ?? Tuning.leastEvidence, entry: Tuning.slowEntryEvidence) {
      for i in max(0, blocks.count - Tuning.blocksSearched)..<blocks.count { blocks.believeSlow(of: i) }
      isSlow = true
      begin(
        at: max(0, newest - min(slowBalance.rise - 1, Tuning.blocksGivenBack) - Tuning.slowDelay),
        to: newest - Tuning.slowDelay, peaks, &steps)
      isSlow = isWalking
    }
  }

  /// Whether the longer window is to be asked: it would see a walk that has just ended, and keep it alive through a pause.
  var asksSlowly: Bool { isSlow || (!isWalking && balance.isRested) }

  /// Begins a walk that some blocks have proved.
  private mutating func begin(at first: Int, to last: Int, _ peaks: PeakHistory, _ steps: inout [Step]) {
    start(
      from: blocks[first].centre - Tuning.edge, reach: blocks[likeliestBeginning(before: first)].centre - Tuning.edge,
      to: blocks[last].centre + Tuning.edge, peaks, &steps)
    if isWalking {
      balance.fill()
      slowBalance.clear()
    }
  }

  /// The block up to which the evidence before a proven one adds up to most.
  ///
  /// The account that proves a walk pays a fee, so that it rises late; who walks now may be believed to have walked
  /// before, as long as more speaks for it than against it. The search ends where more was lost than proves a walk.
  private func likeliestBeginning(before first: Int) -> Int {
    var (sum, best, beginning) = (Float(0), Float(0), first)
    for i in stride(from: first - 1, through: max(0, blocks.count - 1 - Tuning.blocksSearched), by: -1) {
      sum += Tuning.evidenceShare * blocks[i].evidence
      if sum > best { (best, beginning) = (sum, i) }
      if sum < best - Tuning.entryEvidence { break }
    }
    return beginning
  }

  /// Counts the blocks that were waited with, and ends the walk.
  mutating func finish(peaks: PeakHistory, into steps: inout [Step]) {
    for i in max(0, blocks.count - Tuning.blocksBehind)..<max(0, blocks.count) where isWalking {
      proceed(to: i, peaks, &steps)
    }
    if isWalking { stop(peaks, &steps) }
  }

  private mutating func proceed(to index: Int, _ peaks: PeakHistory, _ steps: inout [Step]) {
    if balance.value <= 0 {
      stop(peaks, &steps)
    } else if index >= 0 {
      advance(to: blocks[index].centre + Tuning.edge, peaks, &steps)
    }
  }

  /// The height from which a peak counts.
  var threshold: Float {
    max(isSlow ? Tuning.smallestSlowPeak : Tuning.smallestStepPeak, Tuning.relativePeakHeight * peakHeight)
  }

  /// Begins a walk with the first good peak from its likeliest beginning, and the peaks before it that keep its rhythm.
  /// - Parameters:
  ///   - from: where the windows begin that proved it; how high its peaks are is learned from there.
  ///   - reach: where it is likeliest to have begun.
  private mutating func start(
    from: Double, reach: Double, to end: Double, _ peaks: PeakHistory, _ steps: inout [Step]
  ) {
    let oldest = max(now - emitter.patience, emitter.latest + Tuning.stepSpacing, 0)
    let begin = max(from, oldest)
    guard let height = peaks.medianHeight(from: begin, to: end) else { return }
    peakHeight = height
    guard let first = firstPeak(in: peaks, from: max(reach, oldest)), peaks[first].time <= end else { return }
    emitPeaks(before: first, notBefore: oldest, peaks, &steps)
    emitter.emit(peaks[first].time, now: now, into: &steps)
    isWalking = true
    countedPeak = peaks[first].time
    phase = 0
    advance(to: end, peaks, &steps)
  }

  private func firstPeak(in peaks: PeakHistory, from begin: Double) -> Int? {
    for i in 0..<peaks.count where peaks[i].time >= begin && peaks[i].height > threshold { return i }
    return nil
  }

  /// Gives back the first steps, which lie before the window that proved the walk.
  private mutating func emitPeaks(
    before first: Int, notBefore oldest: Double, _ peaks: PeakHistory, _ steps: inout [Step]
  ) {
    var given = GivenPeaks(repeating: 0)
    var count = 0
    var latest = peaks[first].time
    let cadence = blocks.cadence(at: latest)
    let least = max(threshold, Tuning.extraPeakHeight * peakHeight)
    for i in stride(from: first - 1, through: 0, by: -1) where peaks[i].height > least {
      let periods = Float(latest - peaks[i].time) * cadence
      if periods < Tuning.extraPeakPeriods.lowerBound { continue }
      let isFar = periods > Tuning.extraPeakPeriods.upperBound || peaks[i].time < oldest
      if isFar || count == Tuning.extraPeaks { break }
      latest = peaks[i].time
      given[count] = latest
      count += 1
    }
    for i in stride(from: count - 1, through: 0, by: -1) { emitter.emit(given[i], now: now, into: &steps) }
  }

  /// Counts by phase up to a time.
  private mutating func advance(to end: Double, _ peaks: PeakHistory, _ steps: inout [Step]) {
    for i in peaks.firstIndex(after: countedPeak)..<peaks.count {
      let peak = peaks[i]
      if peak.time > end { break }
      if peak.height <= threshold { continue }
      phase += blocks.phase(from: countedPeak, to: peak.time)
      let reached = phase
      var turns = (phase + 0.5).rounded(.down)
      if turns > 1, blocks.leastEvidence(from: countedPeak, to: peak.time) < Tuning.doubtfulEvidence {
        let shown = 1 + lesserPeaks(before: i, peaks)
        if turns > shown { (turns, phase) = (shown, shown) }
      }
      let previous = emitter.latest
      for turn in stride(from: Float(1), through: turns, by: 1) {
        let share = Double(turn / turns)
        emitter.emit(previous + (peak.time - previous) * share, now: now, into: &steps)
      }
      phase = (phase - turns) * (1 - Tuning.phasePull)
      readings?.append(PeakReading(time: peak.time, phase: reached, turns: Int(turns), rest: phase))
      countedPeak = peak.time
      peakHeight += Tuning.peakHeightTracking * (peak.height - peakHeight)
    }
  }

  /// How many lesser peaks stand between the latest counted one and another, each about a step from its neighbours.
  private func lesserPeaks(before index: Int, _ peaks: PeakHistory) -> Float {
    var (count, latest) = (Float(0), countedPeak)
    let cadence = blocks.cadence(at: countedPeak)
    let least = Tuning.lesserPeakHeight * peakHeight
    for i in peaks.firstIndex(after: countedPeak)..<index where peaks[i].height > least {
      let (since, until) = (Float(peaks[i].time - latest), Float(peaks[index].time - peaks[i].time))
      if min(since, until) * cadence <= Tuning.extraPeakPeriods.lowerBound { continue }
      count += 1
      latest = peaks[i].time
    }
    return count
  }

  /// Ends a walk, and gives back the last steps, which lie after the last accepted window.
  private mutating func stop(_ peaks: PeakHistory, _ steps: inout [Step]) {
    var latest = emitter.latest
    let cadence = blocks.cadence(at: latest)
    var count = 0
    let least = max(threshold, Tuning.extraPeakHeight * peakHeight)
    for i in peaks.firstIndex(after: latest)..<peaks.count where peaks[i].height > least {
      let periods = Float(peaks[i].time - latest) * cadence
      if periods < Tuning.extraPeakPeriods.lowerBound { continue }
      if periods > Tuning.extraPeakPeriods.upperBound || count == Tuning.extraPeaks { break }
      latest = peaks[i].time
      emitter.emit(latest, now: now, into: &steps)
      count += 1
    }
    (isWalking, isSlow) = (false, false)
    balance.clear()
  }
}

/// Hands out steps in order, none too old, none too close to the one before, none after the run's end.
///
/// What is emitted are peaks; what is handed out are the foot strikes before them.
struct StepEmitter: Sendable {
  /// The run's start in nanoseconds of the sensor clock.
  let start: Int64
  /// No step is stamped further back than this, in seconds.
  let patience: Double
  /// The peak of the latest step, in seconds since the run's start; it may lie in an earlier run.
  private(set) var latest: Double
  /// The strike of the latest step, likewise.
  private var latestStrike: Double
  /// No peak is later than this: the last sample of the run.
  var limit = Double.infinity

  /// - Parameter previous: the emitter of the run before.
  init(start: Int64, patience: Double, after previous: StepEmitter? = nil) {
    self.start = start
    self.patience = patience
    let shift = previous.map { Double($0.start &- start) * 1e-9 } ?? 0
    latest = (previous?.latest ?? -.infinity) + shift
    latestStrike = (previous?.latestStrike ?? -.infinity) + shift
  }

  mutating func emit(_ peak: Double, now: Double, into steps: inout [Step]) {
    let time = max(peak, now - patience)
    guard time > latest + Tuning.stepSpacing, time <= limit else { return }
    latest = time
    // Peaks are 0.2 s apart, so strikes keep their order even where one is held at the longest delay.
    latestStrike = max(time - Tuning.strikeLead, now - patience, latestStrike + 0.01)
    let strike = max(latestStrike, 0)
    steps.append(Step(timestamp: .nanoseconds(start &+ Int64((strike * 1e9).rounded()))))
  }
}
