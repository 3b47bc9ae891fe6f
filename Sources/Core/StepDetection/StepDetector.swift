import Accelerometry
import Pedometry

/// Detects steps in acceleration: at any position and orientation, at 10 to 400 Hz, with one setting.
///
/// A value without clock, thread and allocation per sample. Time comes from the samples, and each step has the time of
/// the foot strike and is reported at most ``longestDelay``, or the given latency, after it. The result depends
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

  /// The latency for recordings and totals: weak beginnings of walks are found up to this long after them.
  public static let longestRevision = Duration.seconds(Tuning.longestRevision)

  private var screening = SampleScreening()
  private var slowMotion = SlowMotion()
  private var frozen = SampleDamage.Finding()
  private var frozenCells = 0
  private var uncertain = UncertainMovement()
  /// What the samples since the last gap, or since the rest before, have led to.
  var run: Run
  /// Observes the blocks, for explanations or, in full, for fitting, drawing and tests.
  var observer: BlockObserver?
  private var observesAll: Bool { observer.map { !$0.isForExplanations } ?? false }

  /// The observations of each block, recorded only for fitting, drawing and tests.
  package var observations: [BlockObservation]? {
    get { observer?.blocks }
    set { observer = newValue.map { BlockObserver(blocks: $0) } }
  }

  /// The gate. Cross-validation replaces the shipped one.
  package var models = GateModels.shipped {
    didSet { if case .learned(let profile) = recognition { learned = LearnedWalk(profile, models: models) } }
  }

  private let recognition: WalkRecognition
  /// The evidence of a recording that is known to be a walk; `nil` if the gate decides.
  private var known: KnownWalk?
  /// What the gate forgives; `nil` if nothing was learned.
  private var learned: LearnedWalk?

  /// Announces steps before they are confirmed; `nil`, without any cost, unless set.
  public var announcer: StepAnnouncer?

  /// Creates a detector that has seen no samples.
  /// - Parameters:
  ///   - latency: how long after the foot strike a step may be reported; at most ``longestRevision``.
  ///   - recognition: how walking is distinguished from other movement.
  public init(latency: Duration = longestDelay, recognition: WalkRecognition = .gate) {
    self.recognition = recognition
    switch recognition {
    case .gate: break
    case .learned(let profile): learned = LearnedWalk(profile, models: models)
    case .known: known = KnownWalk()
    }
    let latency = min(max(latency, Self.longestDelay), Self.longestRevision).inSeconds
    run = Run(StepEmitter(start: 0, latency: latency))
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
    if !run.hasBegun {
      if samples.isEmpty { return }
      begin(at: samples[0])
      index = 1
    }
    while true {
      let stop = run.signal.fill(from: samples, at: &index)
      filterPending(into: &steps)
      switch stop {
      case .exhausted: return
      case .full, .slow: continue
      case .interrupted:
        endRun(into: &steps)
        begin(at: samples[index])
        index += 1
      case .moved:
        if run.decider.account.isWalking {
          run.signal.endRest()
        } else {
          beginMoving(at: samples[index])
          index += 1
        }
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
    endRun(isLast: true, into: &steps)
  }

  /// - Parameter isLast: whether no samples follow.
  private mutating func endRun(isLast: Bool = false, into steps: inout [Step]) {
    guard run.hasBegun else { return }
    while run.signal.fillAtEnd() { filterPending(into: &steps) }
    filterPending(into: &steps)
    run.decider.emitter.limit = run.signal.duration
    let blocks = run.decider.blocks.count
    // The last windows are evaluated as if the sensor did not move any more.
    for _ in 0..<Tuning.heldCells {
      guard run.signal.hold() else { break }
      if run.signal.pending.isFull { filterPending(into: &steps) }
    }
    filterPending(into: &steps)
    let certain = steps.count
    uncertain.end()
    run.decider.finish(peaks: run.signal.peaks, into: &steps)
    if isLast { run.decider.believeLikeliest(among: blocks, peaks: run.signal.peaks, into: &steps) }
    observer?.noteReadings(of: &run.decider)
    announcer?.confirm(steps[certain...])
    announcer?.endRun()
    run = Run(run.decider.emitter)
  }

  /// Begins a run with the movement that ends a rest. Nothing is open then: there was no walk.
  private mutating func beginMoving(at sample: AccelerationSample) {
    uncertain.end()
    let emitter = run.decider.emitter
    run.signal.beginMoving(at: sample)
    run = Run(emitter, run.signal)
    beginDecider(
      earliest: Double(emitter.start &- run.signal.start) * 1e-9 + emitter.earliest,
      moving: Double(Tuning.restCells) / Tuning.cellFrequency)
  }

  private mutating func begin(at sample: AccelerationSample) {
    run.signal.begin(at: sample)
    beginDecider(earliest: 0, moving: 0)
  }

  private mutating func beginDecider(earliest: Double, moving: Double) {
    let emitter = run.decider.emitter
    run.decider = StepDecider(
      emitter: StepEmitter(
        start: run.signal.start, earliest: earliest, moving: moving, latency: emitter.latency, after: emitter),
      isKnownWalk: known != nil)
    if observesAll { run.decider.readings = [] }
  }

  /// Filters the pending cells, and evaluates the block when it is complete.
  private mutating func filterPending(into steps: inout [Step]) {
    let certain = steps.count
    if let freeze = run.signal.filter(counted: run.decider.countedPeak) {
      frozen.note(at: run.signal.time(ofCell: freeze.first))
      frozenCells += freeze.cells
    }
    if announcer != nil { announcePeaks() }
    if run.signal.isBlockComplete {
      finishBlock(into: &steps)
      announcer?.confirm(steps[certain...])
    }
    run.signal.makeRoom()
  }

  /// Passes the latest peaks to the announcer, which ignores those that it knows.
  private mutating func announcePeaks() {
    let peaks = run.signal.peaks
    // A fill has at most twelve cells, in which at most five peaks fit.
    for i in max(0, peaks.count - 6)..<peaks.count where peaks[i].height > run.decider.threshold {
      let strike = peaks[i].time - Tuning.strikeLead
      guard strike >= run.decider.emitter.earliest, peaks[i].time >= run.decider.emitter.moving,
        peaks[i].time <= run.decider.emitter.limit
      else { continue }
      announcer?.see(strike: run.signal.start &+ Int64((strike * 1e9).rounded()))
    }
    // A correction may come later, but is not announced.
    let latency = min(run.decider.emitter.latency, Tuning.longestDelay)
    let past = run.signal.end - latency - Tuning.announcementGrace
    announcer?.expire(at: run.signal.start &+ Int64((past * 1e9).rounded()))
  }

  private mutating func finishBlock(into steps: inout [Step]) {
    run.signal.finishBlock(into: &run.correlation)
    let stride = Stride(searching: run.correlation)
    let end = run.signal.end
    var block = BlockEvidence(
      centre: end - Tuning.centreDelay, cadence: stride.cadence, evidence: Tuning.quietEvidence)
    if run.correlation.isQuiet, observer == nil {
      // The features are not needed, neither by an observer nor by the gate.
      run.shapeStays = 0
      learned?.rest()
      run.rhythm.pause()
      _ = lookSlowly(at: &block)
      run.decider.append(block, end: end, peaks: run.signal.peaks, into: &steps)
      uncertain.take(nil, isWalking: run.decider.account.isWalking)
      return
    }
    let features = BlockFeatures(run.correlation, stride)
    // Selected here and not before: a copy of a model would count references.
    var seen: MovementShape?
    if let evidence = known?.evidence(of: features, isWalking: run.decider.account.isWalking) {
      run.shapeStays = 0
      block.evidence = evidence
      // A profile without shapes is one of samples without gravity.
      if observesAll, !run.signal.isWithoutGravity { seen = run.signal.shape(of: features) }
    } else {
      seen = lookAtShape(features, cadence: stride.cadence)
      judge(&block, features)
    }
    let slow = lookSlowly(at: &block)
    if observer != nil, seen == nil,
      Objection.readsShape(features, evidence: block.evidence)
    {
      seen = run.signal.shape(of: features)
    }
    observer?.blocks.append(
      BlockObservation(
        start: run.signal.start, earliest: run.decider.emitter.earliest, end: end, centre: block.centre,
        cadence: block.cadence, evidence: block.ownEvidence, features: features, shape: seen,
        slowFeatures: slow?.features, slowShape: slow?.shape, stepsBefore: steps.count))
    run.decider.append(block, end: end, peaks: run.signal.peaks, into: &steps)
    uncertain.take(run.signal.isWithoutGravity ? features : nil, isWalking: run.decider.account.isWalking)
    observer?.noteDecision(of: &run.decider)
  }

  /// Asks the gate about a block, and how long the movement has repeated.
  @inline(__always)
  private mutating func judge(_ block: inout BlockEvidence, _ features: BlockFeatures) {
    let shape = run.shape + relief(for: features)
    if run.signal.isWithoutGravity {
      block.evidence = models.withoutGravity.evidence(of: features, shape: shape)
    } else {
      let objection = run.recognised.objection(logCadence: features.logCadence)
      block.evidence = max(Tuning.leastEvidence, models.ordinary.evidence(of: features, shape: shape) - objection)
    }
    block.steady = run.rhythm.take(features, evidence: block.evidence, lacksGravity: run.signal.isWithoutGravity)
    block.evidence += block.steady ?? 0
  }

  /// What a learned walk adds to the models; zero if nothing was learned.
  @inline(__always)
  private mutating func relief(for features: BlockFeatures) -> SIMD8<Float> {
    if learned == nil { return .zero }
    if run.correlation.isQuiet { learned?.rest() }
    return learned?.relief(for: features, lacksGravity: run.signal.isWithoutGravity) ?? .zero
  }

  /// Computes the shape of the movement in every block, in a walk in every eighth: it spans 3.84 s and changes slowly.
  /// - Returns: the shape, if it was computed.
  private mutating func lookAtShape(_ features: BlockFeatures, cadence: Float) -> MovementShape? {
    let lacksGravity = run.signal.isWithoutGravity
    guard (lacksGravity ? models.withoutGravity.readsShape : models.ordinary.readsShape) || observesAll else {
      return nil
    }
    if run.correlation.isQuiet, !observesAll {
      run.shapeStays = 0
      return nil
    }
    if run.shapeStays > 0, !observesAll {
      run.shapeStays -= 1
      return nil
    }
    let seen = run.signal.shape(of: features)
    if run.correlation.isQuiet {
      // As without an observer, who alone sees the shape of a quiet block.
      run.shapeStays = 0
    } else if run.shapeStays > 0 {
      run.shapeStays -= 1
    } else {
      let isWalking = run.decider.account.isWalking
      run.shape =
        lacksGravity ? models.withoutGravity.contribution(of: seen) : models.ordinary.contribution(of: seen)
      run.shapeStays = isWalking ? Tuning.shapeStaysInWalk : 0
      run.recognised.take(
        features, seen, cadence: cadence, weight: isWalking ? Tuning.recognitionInWalk : Tuning.recognition)
    }
    return seen
  }

  /// Evaluates the longer window where there may be a slow walk: in every other block, for two.
  /// - Returns: the features and, with gravity, the shape; `nil` for a block that is not evaluated.
  @inline(__always)
  private mutating func lookSlowly(at block: inout BlockEvidence) -> SlowLook? {
    let isAsked = run.decider.asksSlowly && run.correlation.magnitudeAmplitude >= Tuning.slowQuietAmplitude
    let isTurn = run.signal.blocks % 2 == 0
    if !isAsked { run.slow = nil }
    let look = isTurn && (isAsked || observesAll) ? lookSlowly(isAsked: isAsked) : nil
    block.slow = run.slow
    return look
  }

  private typealias SlowLook = (features: BlockFeatures, shape: MovementShape?)

  /// - Parameter isAsked: whether the evidence is computed.
  private mutating func lookSlowly(isAsked: Bool) -> SlowLook {
    run.signal.slowCorrelation(into: &run.slowCorrelation)
    let stride = Stride(searchingSlowly: run.slowCorrelation)
    let features = BlockFeatures(run.slowCorrelation, stride)
    let lacksGravity = run.signal.isWithoutGravity
    var shape: MovementShape?
    if !lacksGravity, known == nil, models.slow.readsShape || observesAll { shape = run.signal.shape(of: features) }
    if isAsked {
      let evidence: Float
      if let known {
        evidence = known.slowEvidence(of: features, ordinary: Stride(searching: run.correlation).score)
      } else if lacksGravity {
        evidence = models.slowWithoutGravity.evidence(of: features, quietBelow: Tuning.slowQuietAmplitude)
      } else {
        let added = if let shape { models.slow.contribution(of: shape) } else { SIMD8<Float>.zero }
        evidence = models.slow.evidence(of: features, shape: added, quietBelow: Tuning.slowQuietAmplitude)
      }
      run.slow = SlowEvidence(cadence: stride.cadence, evidence: evidence)
    }
    return (features, shape)
  }

  /// What samples without a gap have led to. A gap begins another run.
  struct Run: Sendable {
    var signal: SignalPath
    var correlation = Correlation()
    var slowCorrelation = Correlation()
    /// The latest evidence of the longer window, at most one block old.
    var slow: SlowEvidence?
    var decider: StepDecider
    /// What the shape of the movement contributed when it was computed last, and for how many blocks it stays.
    var shape = SIMD8<Float>.zero
    var shapeStays = 0
    var rhythm = SteadyRhythm()
    /// What the last seconds are recognised as.
    var recognised = RecognisedMovement()

    /// - Parameter emitter: knows the last step of the run before.
    init(_ emitter: StepEmitter, _ signal: SignalPath = SignalPath()) {
      (self.signal, decider) = (signal, StepDecider(emitter: emitter))
    }

    var hasBegun: Bool { signal.hasBegun }
  }
}
