import Pedometry

/// Turns evidence, cadence and peaks into steps.
///
/// The evidence balance decides when walking begins and ends. Inside a walk the steps are the whole turns of the phase
/// of the cadence, read at the peaks: a peak that comes too early is spurious, one that comes two turns late stands for
/// two steps. Peaks at both ends that the first and the last window did not cover are added.
///
/// All times are seconds since the start of the run.
struct StepDecider: Sendable {
  private(set) var blocks = BlockHistory()
  private var balance = EvidenceBalance()
  /// The balance of the longer windows while there is no walk.
  private var slowBalance = EvidenceBalance()
  private var stretch = LikelyStretch()
  private var isWalking = false
  /// Whether the longer windows proved the walk; they then apply until it ends.
  private(set) var isSlow = false
  /// The latest peak that the phase has passed.
  private(set) var countedPeak = -Double.infinity
  private var phase: Float = 0
  private var peakHeight: Float = 0
  /// The time of the current decision: the end of the latest block.
  private var now = 0.0

  /// The evidence that begins a walk, and a slow one.
  private var entry = (usual: Tuning.entryEvidence, recent: Tuning.restartEntryEvidence)
  private var (fee, changeCost) = (Tuning.beginningFee, Tuning.changeCost)
  private var slowEntry = (usual: Tuning.slowEntryEvidence, recent: Tuning.slowRestartEntryEvidence)

  /// Receives the steps.
  var emitter: StepEmitter

  /// What was decided about each peak; recorded only for an observer.
  var readings: [PeakReading]?

  /// The current balance of evidence, and whether it means walking.
  var account: (balance: Float, isWalking: Bool) { (balance.value, isWalking) }

  init(emitter: StepEmitter, isKnownWalk: Bool = false) {
    precondition(Tuning.blocksSearched <= BlockHistory.capacity, "older blocks are overwritten")
    precondition(Tuning.extraPeaks <= GivenPeaks.count, "more peaks than fit are given back at the start of a walk")
    self.emitter = emitter
    guard isKnownWalk else { return }
    entry = (Tuning.knownEntryEvidence, Tuning.knownEntryEvidence)
    slowEntry = entry
    (fee, changeCost) = (Tuning.evidenceFee, 0)
  }

  /// Peaks added at the start of a walk.
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
      // Doubtful blocks are counted when the balance is full again, or when the longest wait is over.
      let sure = max(newest - 1 - balance.sinceFull, newest - Tuning.blocksHeld)
      proceed(to: min(newest - Tuning.blocksBehind, sure), peaks, &steps)
    }
    // The first block of a balance or a stretch has nothing to change from, so at rest the logarithm is not computed.
    let isBegun = !isWalking && (balance.value > 0 || stretch.isOpen)
    let change = isBegun ? changeCost * blocks.change : 0
    if isWalking {
      balance.expectWalking(isSlow ? max(block.evidence, block.slow?.evidence ?? block.evidence) : block.evidence)
    } else if balance.expectRest(block.evidence, change: change, fee: fee, entry: entry) {
      begin(at: newest - min(balance.rise - 1, Tuning.blocksGivenBack), to: newest, peaks, &steps)
    } else if slowBalance.expectRest(
      block.slow?.evidence ?? Tuning.leastEvidence, fee: Tuning.evidenceFee, entry: slowEntry, mildEntry: .infinity)
    {
      for i in max(0, blocks.count - Tuning.blocksSearched)..<blocks.count { blocks.believeSlow(of: i) }
      isSlow = true
      begin(
        at: max(0, newest - min(slowBalance.rise - 1, Tuning.blocksGivenBack) - Tuning.slowDelay),
        to: newest - Tuning.slowDelay, peaks, &steps)
      isSlow = isWalking
    }
    if !isWalking { stretch.take(EvidenceBalance.mildShare(of: block.evidence), change: change, block: newest) }
  }

  /// Whether to use the longer window. Soon after a walk it would still contain the walk, and extend it through a pause.
  var asksSlowly: Bool { isSlow || (!isWalking && balance.isRested) }

  /// Begins a walk that some blocks have proved.
  private mutating func begin(at first: Int, to last: Int, _ peaks: PeakHistory, _ steps: inout [Step]) {
    blocks.believeSteady()
    start(
      from: blocks[first].centre - Tuning.edge, reach: blocks[likeliestBeginning(before: first)].centre - Tuning.edge,
      to: blocks[last].centre + Tuning.edge, peaks, &steps)
    if isWalking {
      balance.fill()
      slowBalance.clear()
    }
  }

  /// The block before a proven one up to which the evidence, added up backwards, is largest.
  ///
  /// The balance that proves a walk includes a fee and therefore rises late. Earlier blocks belong to the walk as long
  /// as their evidence favours it. The search ends where the sum has lost more than the evidence that proves a walk.
  private func likeliestBeginning(before first: Int) -> Int {
    var (sum, best, beginning) = (Float(0), Float(0), first)
    for i in stride(from: first - 1, through: max(0, blocks.count - 1 - Tuning.blocksSearched), by: -1) {
      sum += Tuning.evidenceShare * blocks[i].evidence
      if sum > best { (best, beginning) = (sum, i) }
      if sum < best - entry.usual { break }
    }
    return beginning
  }

  /// Counts the likeliest stretch of a recording that ended without a step.
  /// - Parameter count: the number of its blocks.
  mutating func believeLikeliest(among count: Int, peaks: PeakHistory, into steps: inout [Step]) {
    let oldest = max(0, blocks.count - BlockHistory.capacity)
    guard !isWalking, emitter.latest == -.infinity, stretch.isLikely(among: count),
      stretch.blocks.upperBound >= oldest
    else { return }
    blocks.believeSteady()
    let begin = blocks[max(oldest, stretch.blocks.lowerBound)].centre - Tuning.edge
    start(from: begin, reach: begin, to: blocks[stretch.blocks.upperBound].centre + Tuning.edge, peaks, &steps)
    if isWalking { stop(peaks, &steps) }
  }

  /// Counts the blocks that were held back, and ends the walk.
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
  @inline(__always)
  var threshold: Float {
    max(isSlow ? Tuning.smallestSlowPeak : Tuning.smallestStepPeak, Tuning.relativePeakHeight * peakHeight)
  }

  /// Begins a walk with the first valid peak from its most likely beginning, and the peaks before it that keep its rhythm.
  /// - Parameters:
  ///   - from: the start of the windows that proved it, from where the height of its peaks is measured.
  ///   - reach: its most likely beginning.
  private mutating func start(
    from: Double, reach: Double, to end: Double, _ peaks: PeakHistory, _ steps: inout [Step]
  ) {
    let oldest = max(now - emitter.latency, emitter.latest + Tuning.stepSpacing, emitter.moving)
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

  /// Adds the first steps, from before the window that proved the walk.
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

  /// The number of smaller peaks between the latest counted one and another, each about a step from its neighbours.
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

  /// Ends a walk, and adds the last steps, from after the last accepted window.
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

/// Emits steps in order, within the latency, at least a minimum distance apart, and not after the end of the run.
///
/// It takes peaks and emits the foot strikes before them.
struct StepEmitter: Sendable {
  /// The run's start in nanoseconds of the sensor clock.
  let start: Int64
  /// The first sample since the last gap, in seconds since the run's start: later if the run begins with an assumed rest,
  /// earlier if it begins with the end of a real one.
  let earliest: Double
  /// No peak is earlier than this: the first sample that moves, likewise.
  let moving: Double
  /// The maximum delay of a step, in seconds.
  let latency: Double
  /// The peak of the latest step, in seconds since the start of the run; it may belong to an earlier run.
  private(set) var latest: Double
  /// The strike of the latest step, likewise.
  private var latestStrike: Double
  /// No peak is later than this: the last sample of the run.
  var limit = Double.infinity

  /// - Parameters:
  ///   - earliest: the first sample since the last gap, in seconds since the start.
  ///   - moving: the first that moves, likewise.
  ///   - previous: the emitter of the run before.
  init(start: Int64, earliest: Double = 0, moving: Double = 0, latency: Double, after previous: StepEmitter? = nil) {
    self.start = start
    (self.earliest, self.moving) = (earliest, moving)
    self.latency = latency
    let shift = previous.map { Double($0.start &- start) * 1e-9 } ?? 0
    latest = (previous?.latest ?? -.infinity) + shift
    latestStrike = (previous?.latestStrike ?? -.infinity) + shift
  }

  mutating func emit(_ peak: Double, now: Double, into steps: inout [Step]) {
    let time = max(peak, now - latency)
    guard time > latest + Tuning.stepSpacing, time <= limit else { return }
    latest = time
    // Peaks are 0.2 s apart, so strikes keep their order even if one is limited by the latency.
    latestStrike = max(time - Tuning.strikeLead, now - latency, latestStrike + 0.01)
    let strike = max(latestStrike, earliest)
    steps.append(Step(timestamp: .nanoseconds(start &+ Int64((strike * 1e9).rounded()))))
  }
}
