import Accelerometry
import Pedometry

/// Counts the steps of samples and their totals, with a ``StepDetector``.
///
/// A recording, a live sensor and a test run through the same code, since time comes from the samples.
public struct WalkCounter: Sendable {
  private var detector: StepDetector
  private let latency: Duration
  private let recognition: WalkRecognition
  private var tracker: WalkTracker
  private var found: [Step] = []
  private var explainer: WalkExplainer?

  /// The timestamp of the first sample; `nil` before it.
  public private(set) var start: Duration?
  /// The timestamp of the latest sample; `nil` before the first.
  public private(set) var now: Duration?
  /// The number of samples so far.
  public private(set) var samples = 0
  /// The number of gaps in the timestamps longer than ``StepDetector/longestSilence``, and of gaps reported by the source.
  public private(set) var gaps = 0
  /// The total duration of those gaps.
  public private(set) var silence = Duration.zero

  /// Creates a counter at zero.
  /// - Parameters:
  ///   - stepLength: how the distance is computed.
  ///   - latency: how long after the foot strike a step may be reported.
  ///   - recognition: how walking is distinguished from other movement.
  public init(
    stepLength: StepLengthModel = .walkRatio(), latency: Duration = StepDetector.longestDelay,
    recognition: WalkRecognition = .gate
  ) {
    (self.latency, self.recognition) = (latency, recognition)
    detector = StepDetector(latency: latency, recognition: recognition)
    tracker = WalkTracker(stepLength: stepLength)
  }

  /// Whether steps are announced before they are confirmed; see ``takeNews()``. Off by default.
  public var announcesSteps: Bool {
    get { detector.announcer != nil }
    set { detector.announcer = newValue ? detector.announcer ?? StepAnnouncer() : nil }
  }

  /// The steps announced, confirmed and retracted since the last call; empty unless ``announcesSteps``.
  public mutating func takeNews() -> [StepNews] { detector.announcer?.takeNews() ?? [] }

  /// The damage in the samples so far.
  public var damage: SampleDamage { detector.damage }

  /// Whether steps get a confidence and findings are kept for ``takeFindings()``. Off by default; set it before the
  /// first sample. It does not change the steps, and costs a few nanoseconds a block, of which there are two a second.
  public var explains: Bool {
    get { explainer != nil }
    set {
      let table = recognition == .known ? ConfidenceTable.certain : .shipped
      explainer = newValue ? explainer ?? WalkExplainer(latency: latency, table: table) : nil
      detector.observer = newValue ? detector.observer ?? BlockObserver(blocks: [], isForExplanations: true) : nil
    }
  }

  /// Counts with another gate, and explains with another table: computing a table needs the mean evidence itself.
  package mutating func explain(with table: ConfidenceTable, models: GateModels = .shipped) {
    explains = true
    explainer = WalkExplainer(latency: latency, table: table)
    detector.models = models
  }

  /// The bouts and uncounted stretches that are final since the last call, by rising time: at most the latency and a
  /// few seconds after they ended. Empty unless ``explains``.
  public mutating func takeFindings() -> [WalkFinding] { explainer?.takeFindings() ?? [] }

  /// The duration of movement that is in no finding so far, because each stretch of it was too short: less than 4.8 s,
  /// or 9.6 s if it does not clearly repeat. Zero unless ``explains``; final after ``finish()``.
  public var unlistedMovement: Duration { .nanoseconds(explainer?.unlisted ?? 0) }

  /// Takes samples in order of time.
  /// - Returns: the confirmed steps, by rising timestamp.
  @discardableResult
  public mutating func process(_ samples: Span<AccelerationSample>) -> [Step] {
    guard !samples.isEmpty else { return [] }
    noteTime(of: samples)
    found.removeAll(keepingCapacity: true)
    detector.process(samples, into: &found)
    return record()
  }

  /// Takes a batch, and counts its gap. The rhythm only depends on the timestamps, so that a recording of the same
  /// samples, which has nothing else, gives the same steps.
  /// - Returns: the confirmed steps.
  @discardableResult
  public mutating func process(_ batch: SampleBatch) -> [Step] {
    let known = gaps
    let steps = process(batch.samples.span)
    // A gap in the timestamps has been counted already.
    if batch.gap != nil, gaps == known { gaps += 1 }
    return steps
  }

  /// Decides all open steps. Samples may follow.
  /// - Returns: the confirmed steps.
  @discardableResult
  public mutating func finish() -> [Step] {
    found.removeAll(keepingCapacity: true)
    detector.finish(into: &found)
    let steps = record()
    explainer?.finish(at: now?.wholeNanoseconds ?? 0)
    return steps
  }

  /// The totals as of the latest sample.
  public var walk: WalkTotals {
    guard let start, let now else { return WalkTotals() }
    return tracker.totals(at: now, since: start, confirmationDelay: min(latency, StepDetector.longestDelay))
  }

  /// The number of steps so far.
  public var steps: Int { tracker.steps }
  /// The distance in metres so far.
  public var distanceTravelled: Double { tracker.distanceTravelled }
  /// The walking time so far, at most the duration of the recording.
  public var walkingDuration: Duration {
    guard let start, let now else { return .zero }
    return tracker.walkingDuration(at: now, since: start)
  }
  /// The mean cadence in steps a second over the walking time; `nil` before two consecutive steps.
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

  /// The mean sampling frequency in Hz, without gaps; `nil` before two samples.
  public var samplingFrequency: Double? {
    guard let start, let now else { return nil }
    let recorded = (now - start - silence).inSeconds
    return samples - gaps > 1 && recorded > 0 ? Double(samples - 1 - gaps) / recorded : nil
  }

  private mutating func record() -> [Step] {
    if var blocks = detector.observer?.blocks {
      detector.observer?.blocks = []
      explainer?.take(&blocks, &found)
      // Empty now, and with room for the next ones.
      detector.observer?.blocks = blocks
    }
    for index in found.indices { found[index] = tracker.record(found[index]) }
    return found
  }
}
