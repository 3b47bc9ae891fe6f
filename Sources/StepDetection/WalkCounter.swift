import Accelerometry
import Pedometry

/// Samples in, a walk out: a ``StepDetector`` and the totals that its steps add up to.
///
/// A recording, a live sensor and a test run through the same code: time is what the samples say.
public struct WalkCounter: Sendable {
  private var detector: StepDetector
  private let patience: Duration
  private var tracker: WalkTracker
  private var found: [Step] = []
  private var explainer: WalkExplainer?

  /// The first sample's timestamp; `nil` before it.
  public private(set) var start: Duration?
  /// The latest sample's timestamp; `nil` before the first.
  public private(set) var now: Duration?
  /// Samples so far.
  public private(set) var samples = 0
  /// Pauses in the timestamps longer than ``StepDetector/longestSilence``, and gaps that the source told of.
  public private(set) var gaps = 0
  /// How long those pauses were in all.
  public private(set) var silence = Duration.zero

  /// Begins at zero.
  /// - Parameters:
  ///   - stepLength: how distance is made of steps.
  ///   - patience: how long after it happened a step may be told.
  public init(stepLength: StepLengthModel = .walkRatio(), patience: Duration = StepDetector.longestDelay) {
    self.patience = patience
    detector = StepDetector(patience: patience)
    tracker = WalkTracker(stepLength: stepLength)
  }

  /// Whether steps are told of before they are certain; see ``takeNews()``. Off unless set.
  public var announcesSteps: Bool {
    get { detector.announcer != nil }
    set { detector.announcer = newValue ? detector.announcer ?? StepAnnouncer() : nil }
  }

  /// What was announced, confirmed and taken back since the last call; nothing unless ``announcesSteps``.
  public mutating func takeNews() -> [StepNews] { detector.announcer?.takeNews() ?? [] }

  /// What was wrong with the samples so far.
  public var damage: SampleDamage { detector.damage }

  /// Whether steps get a confidence and findings are kept for ``takeFindings()``. Off unless set, before the
  /// first sample; it changes no step, and costs a few nanoseconds a block, of which there are two a second.
  public var explains: Bool {
    get { explainer != nil }
    set {
      explainer = newValue ? explainer ?? WalkExplainer(patience: patience) : nil
      detector.observations = newValue ? detector.observations ?? [] : nil
    }
  }

  /// The same with another table: making one needs the mean evidence itself.
  package mutating func explain(with table: ConfidenceTable) {
    explains = true
    explainer = WalkExplainer(patience: patience, table: table)
  }

  /// The bouts and the uncounted stretches that are certain since the last call, by rising time: at most the patience and
  /// a few seconds after they ended. Nothing unless ``explains``.
  public mutating func takeFindings() -> [WalkFinding] { explainer?.takeFindings() ?? [] }

  /// Movement that is in no finding so far, because each stretch of it was too short: less than 4.8 s, or 9.6 s where it
  /// does not clearly repeat. Zero unless ``explains``; certain when ``finish()`` was called.
  public var unlistedMovement: Duration { .nanoseconds(explainer?.unlisted ?? 0) }

  /// Takes samples in the order of time.
  /// - Returns: the steps that became certain, by rising timestamp.
  @discardableResult
  public mutating func process(_ samples: Span<AccelerationSample>) -> [Step] {
    guard !samples.isEmpty else { return [] }
    noteTime(of: samples)
    found.removeAll(keepingCapacity: true)
    detector.process(samples, into: &found)
    return record()
  }

  /// Takes a batch, and counts its gap. The rhythm hears of it by the timestamps alone, so that a recording of the same
  /// samples, which has nothing else, gives the same steps.
  /// - Returns: the steps that became certain.
  @discardableResult
  public mutating func process(_ batch: SampleBatch) -> [Step] {
    let known = gaps
    let steps = process(batch.samples.span)
    // A gap that shows in the timestamps has been counted already.
    if batch.gap != nil, gaps == known { gaps += 1 }
    return steps
  }

  /// Decides everything that is still open. Samples may follow.
  /// - Returns: the steps that became certain.
  @discardableResult
  public mutating func finish() -> [Step] {
    found.removeAll(keepingCapacity: true)
    detector.finish(into: &found)
    let steps = record()
    explainer?.finish(at: now?.wholeNanoseconds ?? 0)
    return steps
  }

  /// The totals as of the latest sample.
  public var walk: WalkSample {
    guard let start, let now else { return WalkSample(steps: 0, distanceTravelled: 0) }
    return tracker.sample(at: now, since: start, confirmationDelay: min(patience, StepDetector.longestDelay))
  }

  /// Steps so far.
  public var steps: Int { tracker.steps }
  /// Metres so far.
  public var distanceTravelled: Double { tracker.distanceTravelled }
  /// Time spent walking so far, at most that of the recording.
  public var walkingDuration: Duration {
    guard let start, let now else { return .zero }
    return tracker.walkingDuration(at: now, since: start)
  }
  /// Mean steps a second over the time spent walking; `nil` before two steps in a row.
  public var meanCadence: Double? { tracker.meanCadence }

  private mutating func noteTime(of samples: Span<AccelerationSample>) {
    self.samples += samples.count
    if start == nil { start = samples[0].timestamp }
    // Not `??`: a span captured by its closure crashes the optimiser of Swift 6.3.1.
    var previous = samples[0].nanoseconds
    if let now { previous = now.wholeNanoseconds }
    for i in samples.indices {
      let time = samples[i].nanoseconds
      let elapsed = time &- previous
      if elapsed > Tuning.gapNanoseconds {
        gaps += 1
        silence += .nanoseconds(elapsed)
      }
      previous = max(previous, time)
    }
    now = .nanoseconds(previous)
  }

  /// Mean samples a second, pauses left out; `nil` before two samples.
  public var samplingFrequency: Double? {
    guard let start, let now else { return nil }
    let recorded = (now - start - silence).inSeconds
    return samples - gaps > 1 && recorded > 0 ? Double(samples - 1 - gaps) / recorded : nil
  }

  private mutating func record() -> [Step] {
    if var blocks = detector.observations {
      detector.observations = []
      explainer?.take(&blocks, &found)
    }
    for step in found { tracker.record(step) }
    return found
  }
}
