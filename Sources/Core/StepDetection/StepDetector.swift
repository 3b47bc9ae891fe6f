import Accelerometry
import Pedometry

/// Detects steps in acceleration: at any position and orientation, at 10 to 400 Hz, with one setting.
///
/// A value without clock, thread and allocation per sample. Time comes from the samples, and each step has the time of
/// the foot strike and is reported at most ``longestDelay``, or the given patience, after it. The result depends
/// neither on the batches nor on the orientation of the sensor.
///
/// ```swift
/// var detector = StepDetector()
/// var steps: [Step] = []
/// for batch in batches { detector.process(batch.samples.span, into: &steps) }
/// detector.finish(into: &steps)
/// ```
///
/// <doc:HowStepsAreFound> explains how it works, and where it fails.
public struct StepDetector: Sendable {
  /// A step is reported at most this long after the foot strike, on the sensor's clock.
  public static let longestDelay = Duration.seconds(Tuning.longestDelay)

  /// A gap of more than this ends the rhythm; the total continues.
  public static let longestSilence = Duration.nanoseconds(Tuning.gapNanoseconds)

  /// The patience for recordings and totals: weak beginnings of walks are found up to this long after them.
  public static let longestRevision = Duration.seconds(Tuning.longestRevision)

  private var screening = SampleScreening()
  private var slowMotion = SlowMotion()
  private var freezes = FreezeWatch()
  private var frozen = SampleDamage.Finding()
  private var frozenCells = 0
  private var uncertain = UncertainMovement()
  private var resampler = CellResampler()
  private var gravity = GravityRestorer()
  private var finder = PeakFinder()
  private var correlator = BlockAutocorrelation()
  private var correlation = Correlation()
  private var slowCorrelation = Correlation()
  /// The latest evidence of the longer window, at most one block old.
  private var slow: SlowEvidence?
  private var decider: StepDecider
  private var window = MovementWindow()
  /// What the shape of the movement contributed when it was computed last, and for how many blocks it stays.
  private var shape = SIMD8<Float>.zero
  private var shapeStays = 0
  /// Cells of this run.
  private var cellCount = 0
  private var pending = CellBuffer()

  /// The observations of each block, recorded only for fitting, drawing and tests.
  package var observations: [BlockObservation]?

  /// The gate. Cross-validation replaces the shipped one.
  package var models = GateModels.shipped

  /// Announces steps before they are confirmed; `nil`, without any cost, unless set.
  public var announcer: StepAnnouncer?

  /// Creates a detector that has seen no samples.
  /// - Parameter patience: how long after the foot strike a step may be reported; at most ``longestRevision``.
  public init(patience: Duration = longestDelay) {
    let patience = min(max(patience, Self.longestDelay), Self.longestRevision).inSeconds
    decider = StepDecider(emitter: StepEmitter(start: 0, patience: patience))
  }

  /// Takes samples in order of time and appends the confirmed steps.
  ///
  /// A sample that is not later than the previous one is skipped; after more than ``longestSilence`` without samples,
  /// the rhythm starts again. Invalid values are dropped and reported in ``damage``.
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

  /// Takes the samples that the screening has decided.
  private mutating func takeScreened(into steps: inout [Step]) {
    var ready = InlineArray<32, AccelerationSample>(repeating: AccelerationSample(nanoseconds: 0, acceleration: .zero))
    while true {
      let count = screening.handOn(&ready)
      if count == 0 { return }
      take(ready.span.extracting(0..<count), into: &steps)
    }
  }

  /// The damage in the samples so far.
  public var damage: SampleDamage {
    var damage = screening.damage
    damage.frozen = frozen
    damage.frozenDuration = .nanoseconds(Int64(frozenCells) * Tuning.cellNanoseconds)
    damage.insufficientFrequency = slowMotion.insufficientFrequency
    damage.uncertain = .nanoseconds(
      Int64(uncertain.blocks &* Tuning.blockCells) * Tuning.cellNanoseconds)
    return damage
  }

  /// Takes screened samples.
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

  /// Takes a batch. Its gap is not used, since gaps also show in the timestamps, which is all that a recording has.
  public mutating func process(_ batch: SampleBatch, into steps: inout [Step]) {
    process(batch.samples.span, into: &steps)
  }

  /// Ends the run and decides all open steps. Samples may follow; a second call in a row has no effect.
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
      // The last windows are evaluated as if the sensor did not move any more.
      for _ in 0..<Tuning.heldCells {
        _ = pending.append(held)
        if pending.isFull { filterPending(into: &steps) }
      }
      filterPending(into: &steps)
    }
    let certain = steps.count
    uncertain.end()
    decider.finish(peaks: finder.peaks, into: &steps)
    noteReadings()
    announcer?.confirm(steps[certain...])
    announcer?.endRun()
    let (emitter, kept) = (decider.emitter, (observations, models, announcer))
    let (screened, watched) = (screening, (slowMotion, frozen, frozenCells, uncertain))
    self = StepDetector()
    (observations, models, announcer) = kept
    screening = screened
    (slowMotion, frozen, frozenCells, uncertain) = watched
    decider = StepDecider(emitter: emitter)
  }

  private mutating func begin(at sample: AccelerationSample) {
    resampler.begin(at: sample)
    decider = StepDecider(
      emitter: StepEmitter(start: sample.nanoseconds, patience: decider.emitter.patience, after: decider.emitter))
    if observations != nil { decider.readings = [] }
  }

  /// Filters the pending cells, and evaluates the block when it is complete.
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

  /// High-passes the pending cells and band-passes their magnitudes.
  ///
  /// Uses copies of the filters, without calls: their state then stays in registers instead of being written and read
  /// at every cell.
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
      let filtered = highPass.apply(cell)
      correlator.append(filtered: filtered)
      window.append(filtered, before: cell)
    }
    (correlator.highPass, finder.bandPass) = (highPass, bandPass)
  }

  private mutating func noteFreeze(ofLength cells: Int, endedAt cell: Int) {
    frozen.note(at: resampler.start &+ Int64(cell &- cells) &* Tuning.cellNanoseconds)
    frozenCells += cells
  }

  /// Passes the latest peaks to the announcer, which ignores those that it knows.
  private mutating func announcePeaks() {
    let peaks = finder.peaks
    // A fill has at most twelve cells, in which at most five peaks fit.
    for i in max(0, peaks.count - 6)..<peaks.count where peaks[i].height > decider.threshold {
      let strike = peaks[i].time - Tuning.strikeLead
      guard strike >= 0, peaks[i].time <= decider.emitter.limit else { continue }
      announcer?.see(strike: resampler.start &+ Int64((strike * 1e9).rounded()))
    }
    // A correction may come later, but is not announced.
    let patience = min(decider.emitter.patience, Tuning.longestDelay)
    let past = Double(cellCount) / Tuning.cellFrequency - patience - Tuning.announcementGrace
    announcer?.expire(at: resampler.start &+ Int64((past * 1e9).rounded()))
  }

  private mutating func finishBlock(into steps: inout [Step]) {
    correlator.finishBlock(into: &correlation)
    window.finishBlock()
    let stride = Stride(searching: correlation)
    let end = Double(cellCount) / Tuning.cellFrequency
    var block = BlockEvidence(
      centre: end - Tuning.centreDelay, cadence: stride.cadence, evidence: Tuning.quietEvidence)
    if correlation.isQuiet, observations == nil {
      // The features are not needed, neither by an observer nor by the gate.
      shapeStays = 0
      _ = lookSlowly(at: &block)
      decider.append(block, end: end, peaks: finder.peaks, into: &steps)
      uncertain.take(nil, isWalking: decider.account.isWalking)
      return
    }
    let features = BlockFeatures(correlation, stride)
    // Selected here and not before: a copy of a model would count references.
    var seen: MovementShape?
    if gravity.isMissing {
      shapeStays = 0
      block.evidence = models.withoutGravity.evidence(of: features)
    } else {
      seen = lookAtShape(features)
      block.fee = Tuning.beginningFee
      block.evidence = models.ordinary.evidence(of: features, shape: shape)
    }
    let slowFeatures = lookSlowly(at: &block)
    if observations != nil {
      observations?.append(
        BlockObservation(
          start: resampler.start, end: end, block: block, features: features, shape: seen, slowFeatures: slowFeatures,
          stepsBefore: steps.count))
    }
    decider.append(block, end: end, peaks: finder.peaks, into: &steps)
    uncertain.take(gravity.isMissing ? features : nil, isWalking: decider.account.isWalking)
    if observations != nil { noteDecision() }
  }

  /// Computes the shape of the movement in every other block, in a walk in every eighth: it spans 3.84 s and changes
  /// slowly.
  /// - Returns: the shape, if there is an observer.
  private mutating func lookAtShape(_ features: BlockFeatures) -> MovementShape? {
    guard models.ordinary.readsShape || observations != nil else { return nil }
    if shapeStays > 0, observations == nil {
      shapeStays -= 1
      return nil
    }
    let seen = window.shape(
      period: 2 * Float(Tuning.cellFrequency) / features.cadence,
      ampleness: features.logAmplitude - 2 * features.logCadence)
    if correlation.isQuiet {
      // As without an observer, who alone sees the shape of a quiet block.
      shapeStays = 0
    } else if shapeStays > 0 {
      shapeStays -= 1
    } else {
      shape = models.ordinary.contribution(of: seen)
      shapeStays = decider.account.isWalking ? Tuning.shapeStaysInWalk : Tuning.shapeStays
    }
    return seen
  }

  /// Adds the decision about the latest block to the observations.
  private mutating func noteDecision() {
    if let latest = observations?.indices.last {
      observations?[latest].balance = decider.account.balance
      observations?[latest].isWalking = decider.account.isWalking
    }
    noteReadings()
    if decider.isSlow { noteSlowBlocks() }
  }

  /// Adds the peaks that the decider has read since.
  private mutating func noteReadings() {
    guard let readings = decider.readings, !readings.isEmpty, let latest = observations?.indices.last else { return }
    observations?[latest].readings += readings
    decider.readings = []
  }

  /// Updates the observations with the blocks of a slow walk as they are counted.
  private mutating func noteSlowBlocks() {
    for ago in 0..<min(Tuning.blocksSearched, decider.blocks.count) {
      guard let place = observations.map({ $0.count - 1 - ago }), place >= 0 else { return }
      observations?[place].follow(decider.blocks[decider.blocks.count - 1 - ago])
    }
  }

  /// Evaluates the longer window where there may be a slow walk: in every other block, for two.
  /// - Returns: the features, if there is an observer.
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

/// The detector's view of one block.
package struct BlockObservation: Sendable {
  /// The start of the run in nanoseconds of the sensor clock.
  package var start: Int64
  /// The end of the block and the centre of its window, in seconds since the start of the run.
  package var end: Double
  package var centre: Double
  /// Steps a second.
  package var cadence: Float
  /// Log-odds of walking.
  package var evidence: Float
  package var features: BlockFeatures
  /// The shape of the movement; `nil` if gravity was removed.
  package var shape: MovementShape?
  /// The features of the window twice as long.
  package var slowFeatures: BlockFeatures?
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

  /// Applies later changes of the block.
  mutating func follow(_ block: BlockEvidence) { (evidence, cadence) = (block.evidence, block.cadence) }

  init(
    start: Int64, end: Double, block: BlockEvidence, features: BlockFeatures, shape: MovementShape?,
    slowFeatures: BlockFeatures?,
    stepsBefore: Int
  ) {
    self.slowFeatures = slowFeatures
    self.start = start
    self.end = end
    centre = block.centre
    cadence = block.cadence
    evidence = block.evidence
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
