import Accelerometry
import Pedometry

/// Hears steps in acceleration: any position, any orientation, 10 to 400 Hz, one setting.
///
/// A value with no clock, no thread and no allocation per sample: time comes in with the samples, steps go out with the
/// time the foot struck, each at most ``longestDelay`` after it happened, or the given patience. Cutting the same samples into other batches
/// gives the same steps; so does turning the sensor.
///
/// ```swift
/// var detector = StepDetector()
/// var steps: [Step] = []
/// for batch in batches { detector.process(batch.samples.span, into: &steps) }
/// detector.finish(into: &steps)
/// ```
///
/// How it works, and where it fails: <doc:HowStepsAreFound>.
public struct StepDetector: Sendable {
  /// A step is told at most this long after the foot struck, on the sensor's clock.
  public static let longestDelay = Duration.seconds(Tuning.longestDelay)

  /// A pause without samples of more than this ends the rhythm (never the total).
  public static let longestSilence = Duration.nanoseconds(Tuning.gapNanoseconds)

  /// What a recording, which nobody waits for, is counted with: beginnings that the sensor was not sure of are found up to
  /// this long after.
  public static let longestRevision = Duration.seconds(Tuning.longestRevision)

  private var screening = SampleScreening()
  private var slowMotion = SlowMotion()
  private var freezes = FreezeWatch()
  private var frozen = SampleDamage.Finding()
  private var frozenCells = 0
  private var resampler = CellResampler()
  private var gravity = GravityRestorer()
  private var finder = PeakFinder()
  private var correlator = BlockAutocorrelation()
  private var correlation = Correlation()
  private var slowCorrelation = Correlation()
  /// What the longer window had to say when it was asked last, one block ago at most.
  private var slow: SlowEvidence?
  private var decider: StepDecider
  /// Cells of this run.
  private var cellCount = 0
  private var pending = CellBuffer()

  /// What was seen in each block, kept only for those who look into the detector: fitting, drawing, tests.
  package var observations: [BlockObservation]?

  /// The gate. Another one than the shipped serves cross-validation.
  package var models = GateModels.shipped

  /// Tells of steps before they are certain; nothing, and no cost, unless somebody sets it.
  public var announcer: StepAnnouncer?

  /// Begins with no sample seen.
  /// - Parameter patience: how long after it happened a step may be told; at most ``longestRevision``.
  public init(patience: Duration = longestDelay) {
    let patience = min(max(patience, Self.longestDelay), Self.longestRevision).inSeconds
    decider = StepDecider(emitter: StepEmitter(start: 0, patience: patience))
  }

  /// Takes samples in the order of time and appends the steps that became certain.
  ///
  /// A sample that is not later than the one before is skipped; after more than ``longestSilence`` without one, rhythm
  /// starts anew. What is no acceleration costs only itself, and is told of in ``damage``.
  /// - Parameters:
  ///   - samples: acceleration in g, any number of samples.
  ///   - steps: gets the new steps, by rising timestamp.
  public mutating func process(_ samples: Span<AccelerationSample>, into steps: inout [Step]) {
    var index = 0
    while index < samples.count {
      let count = screening.pass(samples, from: index)
      if count > 0 {
        take(samples.extracting(index..<(index &+ count)), into: &steps)
        index &+= count
      } else {
        let end = min(samples.count, index &+ 16)
        while index < end {
          screening.take(samples[index])
          index += 1
        }
        takeScreened(into: &steps)
      }
    }
  }

  /// Takes the samples that the screening has decided about.
  private mutating func takeScreened(into steps: inout [Step]) {
    var ready = InlineArray<32, AccelerationSample>(repeating: AccelerationSample(nanoseconds: 0, acceleration: .zero))
    while true {
      let count = screening.handOn(&ready)
      if count == 0 { return }
      take(ready.span.extracting(0..<count), into: &steps)
    }
  }

  /// What was wrong with the samples so far.
  public var damage: SampleDamage {
    var damage = screening.damage
    damage.frozen = frozen
    damage.frozenDuration = .nanoseconds(Int64(frozenCells) * Tuning.cellNanoseconds)
    damage.insufficientFrequency = slowMotion.insufficientFrequency
    return damage
  }

  /// Takes samples that were screened.
  private mutating func take(_ samples: Span<AccelerationSample>, into steps: inout [Step]) {
    slowMotion.take(samples)
    var index = 0
    if !resampler.hasBegun {
      if samples.isEmpty { return }
      begin(at: samples[0])
      index = 1
    }
    while true {
      let stop = resampler.fill(&pending, from: samples, at: &index)
      filterPending(into: &steps)
      switch stop {
      case .exhausted: return
      case .full, .slow: continue
      case .interrupted:
        endRun(into: &steps)
        begin(at: samples[index])
        index += 1
      }
    }
  }

  /// Takes a batch. Its gap is not asked: time that passed unseen shows in the timestamps, and in those of a recording too.
  public mutating func process(_ batch: SampleBatch, into steps: inout [Step]) {
    process(batch.samples.span, into: &steps)
  }

  /// Ends the run: everything still open is decided. Samples may follow; a second call in a row does nothing.
  public mutating func finish(into steps: inout [Step]) {
    screening.flush()
    takeScreened(into: &steps)
    screening.flush()
    endRun(into: &steps)
  }

  private mutating func endRun(into steps: inout [Step]) {
    guard resampler.hasBegun else { return }
    while case .full = resampler.finish(&pending) { filterPending(into: &steps) }
    filterPending(into: &steps)
    decider.emitter.limit = Double(resampler.latest &- resampler.start) * 1e-9
    if let held = pending.last {
      // The last windows are judged as if the sensor had stayed where it was.
      for _ in 0..<Tuning.heldCells {
        _ = pending.append(held)
        if pending.isFull { filterPending(into: &steps) }
      }
      filterPending(into: &steps)
    }
    let certain = steps.count
    decider.finish(peaks: finder.peaks, into: &steps)
    noteReadings()
    announcer?.confirm(steps[certain...])
    announcer?.endRun()
    let (emitter, kept) = (decider.emitter, (observations, models, announcer))
    let (screened, watched) = (screening, (slowMotion, frozen, frozenCells))
    self = StepDetector()
    (observations, models, announcer) = kept
    screening = screened
    (slowMotion, frozen, frozenCells) = watched
    decider = StepDecider(emitter: emitter)
  }

  private mutating func begin(at sample: AccelerationSample) {
    resampler.begin(at: sample)
    decider = StepDecider(
      emitter: StepEmitter(start: sample.nanoseconds, patience: decider.emitter.patience, after: decider.emitter))
    if observations != nil { decider.readings = [] }
  }

  /// Runs the waiting cells through the filters, and the block through the gate when it is complete.
  private mutating func filterPending(into steps: inout [Step]) {
    let certain = steps.count
    var magnitudes = CellBuffer.Places<Float>(repeating: 0)
    for i in 0..<pending.count {
      let (cell, squared) = pending[i]
      if let length = freezes.take(squared) {
        noteFreeze(ofLength: length, endedAt: cellCount &+ i &- Tuning.resumedCells)
      }
      magnitudes[i] = gravity.magnitude(of: cell, squared: squared)
    }
    filterPending(&magnitudes)
    let (bandPassed, counted) = (magnitudes.span, decider.countedPeak)
    for i in 0..<pending.count { finder.look(at: bandPassed[i], cell: cellCount &+ i, counted: counted) }
    cellCount += pending.count
    pending.clear()
    if announcer != nil { announcePeaks() }
    if correlator.room == 0 {
      finishBlock(into: &steps)
      announcer?.confirm(steps[certain...])
    }
    pending.room = correlator.room
  }

  /// High-passes the waiting cells and band-passes their magnitudes.
  ///
  /// With copies of the filters, and without a call: their state then stays in registers, where it would be written and
  /// read again at every cell.
  @inline(__always)
  private mutating func filterPending(_ magnitudes: inout CellBuffer.Places<Float>) {
    if pending.count == 0 { return }
    var (highPass, bandPass) = (correlator.highPass, finder.bandPass)
    var first = pending[0].cell
    first.w = magnitudes[0]
    highPass.begin(at: first)
    bandPass.begin(at: first.w)
    for i in 0..<pending.count {
      var cell = pending[i].cell
      cell.w = magnitudes[i]
      magnitudes[i] = bandPass.apply(cell.w)
      correlator.append(filtered: highPass.apply(cell))
    }
    (correlator.highPass, finder.bandPass) = (highPass, bandPass)
  }

  private mutating func noteFreeze(ofLength cells: Int, endedAt cell: Int) {
    frozen.note(at: resampler.start &+ Int64(cell &- cells) &* Tuning.cellNanoseconds)
    frozenCells += cells
  }

  /// Shows the announcer the latest peaks; it knows which of them it has seen.
  private mutating func announcePeaks() {
    let peaks = finder.peaks
    // a fill has twelve cells at most, in which no more than five peaks fit
    for i in max(0, peaks.count - 6)..<peaks.count where peaks[i].height > decider.threshold {
      let strike = peaks[i].time - Tuning.strikeLead
      guard strike >= 0, peaks[i].time <= decider.emitter.limit else { continue }
      announcer?.see(strike: resampler.start &+ Int64((strike * 1e9).rounded()))
    }
    // A correction may come later, but nobody waits for it.
    let patience = min(decider.emitter.patience, Tuning.longestDelay)
    let past = Double(cellCount) / Tuning.cellFrequency - patience - Tuning.announcementGrace
    announcer?.expire(at: resampler.start &+ Int64((past * 1e9).rounded()))
  }

  private mutating func finishBlock(into steps: inout [Step]) {
    correlator.finishBlock(into: &correlation)
    let stride = Stride(searching: correlation)
    let end = Double(cellCount) / Tuning.cellFrequency
    var block = BlockEvidence(
      centre: end - Tuning.centreDelay, cadence: stride.cadence, evidence: Tuning.quietEvidence)
    if correlation.isQuiet, observations == nil {
      // Nobody looks at the features, and the gate would not either.
      _ = lookSlowly(at: &block)
      decider.append(block, end: end, peaks: finder.peaks, into: &steps)
      return
    }
    let features = BlockFeatures(correlation, stride)
    // Chosen here and not before: a copy of a model would count references.
    block.evidence =
      gravity.isMissing
      ? models.withoutGravity.evidence(of: features) : models.ordinary.evidence(of: features)
    let slowFeatures = lookSlowly(at: &block)
    if observations != nil {
      observations?.append(
        BlockObservation(
          start: resampler.start, end: end, block: block, features: features, slowFeatures: slowFeatures,
          stepsBefore: steps.count))
    }
    decider.append(block, end: end, peaks: finder.peaks, into: &steps)
    if observations != nil { noteDecision() }
  }

  /// Lets those who look into the detector see what the decider made of the latest block.
  private mutating func noteDecision() {
    if let latest = observations?.indices.last {
      observations?[latest].balance = decider.account.balance
      observations?[latest].isWalking = decider.account.isWalking
    }
    noteReadings()
    if decider.isSlow { noteSlowBlocks() }
  }

  /// And of the peaks that it has asked since.
  private mutating func noteReadings() {
    guard let readings = decider.readings, !readings.isEmpty, let latest = observations?.indices.last else { return }
    observations?[latest].readings += readings
    decider.readings = []
  }

  /// Lets those who look into the detector see the blocks of a slow walk as it is counted.
  private mutating func noteSlowBlocks() {
    for ago in 0..<min(Tuning.blocksSearched, decider.blocks.count) {
      guard let place = observations.map({ $0.count - 1 - ago }), place >= 0 else { return }
      observations?[place].follow(decider.blocks[decider.blocks.count - 1 - ago])
    }
  }

  /// Looks through the longer window where somebody may walk slowly: in every other block, for two.
  /// - Returns: what was seen, if anybody observes.
  private mutating func lookSlowly(at block: inout BlockEvidence) -> BlockFeatures? {
    let isAsked = decider.asksSlowly && correlation.magnitudeAmplitude >= Tuning.slowQuietAmplitude
    let isTurn = correlator.count / Tuning.blockCells % 2 == 0
    if !isAsked { slow = nil }
    guard isTurn, isAsked || observations != nil else {
      block.slow = slow
      return nil
    }
    correlator.slowCorrelation(into: &slowCorrelation)
    let stride = Stride(searchingSlowly: slowCorrelation)
    let features = BlockFeatures(slowCorrelation, stride)
    if isAsked {
      slow = SlowEvidence(
        cadence: stride.cadence, evidence: models.slow.evidence(of: features, quietBelow: Tuning.slowQuietAmplitude))
    }
    block.slow = slow
    return features
  }
}

/// One block as the detector saw it.
package struct BlockObservation: Sendable {
  /// The run's start in nanoseconds of the sensor clock.
  package var start: Int64
  /// The block's end and its window's centre, in seconds since the run's start.
  package var end: Double
  package var centre: Double
  /// Steps a second.
  package var cadence: Float
  /// Log-odds of walking.
  package var evidence: Float
  package var features: BlockFeatures
  /// The features of the window twice as long.
  package var slowFeatures: BlockFeatures?
  /// What the decider's account held after the block, in log-odds, and whether it took somebody to be walking. Blocks
  /// that are given back at a walk's start are not in it.
  package var balance: Float = 0
  package var isWalking = false
  /// The peaks that the decider asked after the block.
  package var readings: [PeakReading] = []
  /// How many steps the caller's array held when the block was decided: its own steps lie behind them.
  package var stepsBefore: Int

  /// Walking begins when the balance exceeds the first, and ends when it falls to the second.
  package static var thresholds: (entry: Float, exit: Float) { (Tuning.entryEvidence, 0) }

  /// Takes over what was made of the block later.
  mutating func follow(_ block: BlockEvidence) { (evidence, cadence) = (block.evidence, block.cadence) }

  init(
    start: Int64, end: Double, block: BlockEvidence, features: BlockFeatures, slowFeatures: BlockFeatures?,
    stepsBefore: Int
  ) {
    self.slowFeatures = slowFeatures
    self.start = start
    self.end = end
    centre = block.centre
    cadence = block.cadence
    evidence = block.evidence
    self.features = features
    self.stepsBefore = stepsBefore
  }
}

/// What counting by phase made of a peak that was high enough to be asked.
package struct PeakReading: Sendable {
  /// Seconds since the run's start.
  package var time: Double
  /// Turns since the latest step, as the peak finds them: near 0 for a spurious peak, near 1 for a step.
  package var phase: Float
  /// The steps that this peak makes: the whole turns, unless the walker may have paused.
  package var turns: Int
  /// What is carried on to the next peak.
  package var rest: Float
}
