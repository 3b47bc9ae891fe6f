import Accelerometry
import Pedometry
import StepDetection

/// The account of a count: samples go in, steps, findings and gait come out, and at the end the ``WalkSummary`` with totals, doubts
/// and verdict. All samples are counted by this type.
///
/// A pure value. ``WalkEvents`` drives it with batches as they arrive. Code that reads a recording gives it the samples itself:
///
///     while try counting.read({ try reader.read(into: &samples) }) { take(counting.count(samples.span)) }
///     take(counting.finish())
///     counting.take(reader.verdict)
///     let walk = counting.summary
package struct SampleCounting: Sendable {
  /// What samples led to.
  package struct News {
    /// The confirmed steps.
    package var steps: [Step]
    /// The bouts and uncounted stretches that are final; empty unless ``CountingOptions/explains``.
    package var findings: [WalkFinding]
    /// The gait of the bouts that are over; empty unless ``CountingOptions/measuresGait``.
    package var gait: [GaitBout]
  }

  /// The state so far. Lent and not copied, since it is two kilobytes and is asked for after every batch.
  package var counter: WalkCounter { _read { yield walk } }
  private var walk: WalkCounter
  /// Why the rest of a recording could not be read.
  package private(set) var damage: (any Error)?
  /// See ``CountingOptions/stated``; `nil` if the samples had times after all.
  package var stated: SamplingFrequency?
  private let statedBy: String
  private let slice: Int64
  private var gait: GaitRecorder?
  private var findings = FindingTotals()
  private var check = SampleCheck()
  private var verdict = SourceVerdict()
  /// What the source says about itself while it is read.
  private var notes: [String] = []
  private var told: Set<String> = []
  private var damageNews = DamageNews()

  /// Creates a counter at zero.
  package init(_ options: CountingOptions = CountingOptions()) {
    walk = WalkCounter(stepLength: options.stepLength, latency: options.latency, recognition: options.recognition)
    walk.announcesSteps = options.announcesSteps
    walk.explains = options.explains || options.stated != nil
    (stated, statedBy) = (options.stated, options.statedBy)
    gait = options.measuresGait ? GaitRecorder() : nil
    slice = options.slice?.wholeNanoseconds ?? .max
  }

  // MARK: Samples

  /// Reads the next samples of a recording.
  /// - Returns: whether there may be samples to count; `false` at the end.
  /// - Throws: an error before the first counted sample; a later one is the ``damage``.
  package mutating func read<Failure>(_ next: () throws(Failure) -> Bool) throws(Failure) -> Bool {
    if damage != nil { return false }
    do throws(Failure) { return try next() } catch {
      if walk.samples == 0 { throw error }
      damage = error
      return true
    }
  }

  @discardableResult
  package mutating func count(_ samples: Span<AccelerationSample>) -> News {
    check.take(samples)
    let steps = walk.process(samples)
    if stated != nil { findings.add(samples) }
    return news(steps, gait?.add(samples, steps))
  }

  /// Decides all open steps.
  @discardableResult
  package mutating func finish() -> News {
    let steps = walk.finish()
    return news(steps, gait?.finish(steps))
  }

  private mutating func news(_ steps: [Step], _ gait: [GaitBout]?) -> News {
    let found = walk.takeFindings()
    findings.add(found)
    return News(steps: steps, findings: found, gait: gait ?? [])
  }

  /// Takes what the source says about itself at its end.
  package mutating func take(_ verdict: SourceVerdict) { self.verdict = verdict }

  // MARK: The result

  /// The totals, the doubts and the verdict; those of all samples after ``finish()``.
  package var summary: WalkSummary {
    var summary = WalkSummary(walk)
    summary.totals.gait = gait?.present
    summary.confidence = findings.confidence
    let doubts = verdict.warnings + check.sentences + (brevity.map { [$0] } ?? []) + rateDoubts
    summary.warnings = notes + doubts.filter { !notes.contains($0) } + summary.warnings
    summary.refusal = damage == nil ? refusal : nil
    return summary
  }

  /// A sentence about a recording that is too short for steps.
  private var brevity: String? {
    guard verdict.source != nil, walk.samples > 0, walk.walk.elapsed < .seconds(1) else { return nil }
    let what = walk.samples == 1 ? "there is only 1 sample" : "the \(walk.samples) samples span less than a second"
    return "\(what), too little to count steps; check that the recording is complete"
  }

  private var rateDoubts: [String] { walk.doubts(about: stated, findings, option: statedBy) }

  /// Why no number of steps may be given. The one rule for all roads.
  private var refusal: UncountableSamples? {
    let own = walk.steps == 0 ? verdict.refusalWithoutSteps ?? verdict.refusal : verdict.refusal
    if let own { return UncountableSamples(own) }
    guard let fault = check.refusal(steps: walk.steps) else { return nil }
    guard let source = verdict.source else { return UncountableSamples(fault) }
    return UncountableSamples("\(source): \(walk.steps == 0 ? "no steps were found, but " : "")\(fault)")
  }

  // MARK: Events

  /// Counts a batch, slice by slice.
  package mutating func take(_ batch: SampleBatch, into events: inout [WalkEvent]) {
    // A source may report a problem before its first sample.
    if let verdict = batch.verdict { take(verdict) }
    if let warning = batch.warning, !notes.contains(warning) { notes.append(warning) }
    let warnings = [batch.warning].compactMap(\.self) + (batch.verdict?.warnings ?? [])
    guard let first = batch.samples.first else { return warn(warnings, into: &events) }
    let isFirst = walk.samples == 0
    if isFirst { events.append(.began(at: first.timestamp)) }
    events.append(.samples(batch.samples))
    if let gap = batch.gap, !isFirst { events.append(.gap(gap)) }
    warn(warnings, into: &events)
    // Not the batch: gaps are detected from the timestamps alone, as in a recording of them.
    for slice in batch.samples.slices(within: slice) { tell(count(slice.span), into: &events) }
    warn(check.sentences, into: &events)
  }

  private mutating func warn(_ warnings: [String], into events: inout [WalkEvent]) {
    for warning in warnings where told.insert(warning).inserted { events.append(.warning(warning)) }
  }

  /// Decides all open steps; samples may follow.
  package mutating func decide(into events: inout [WalkEvent]) {
    if walk.samples > 0 { tell(finish(), into: &events) }
  }

  /// Ends the walk; samples may follow.
  package mutating func end(into events: inout [WalkEvent]) {
    decide(into: &events)
    warn((brevity.map { [$0] } ?? []) + rateDoubts, into: &events)
    events.append(.ended(summary))
  }

  private mutating func tell(_ counted: News, into events: inout [WalkEvent]) {
    var totals = walk.walk
    totals.gait = gait?.present
    var progress = WalkProgress(
      steps: counted.steps, news: walk.announcesSteps ? walk.takeNews() : nil, totals: totals,
      now: walk.now ?? .zero, samplingFrequency: walk.samplingFrequency)
    progress.obstacle = check.present
    progress.uncounted = counted.findings.compactMap { if case .stretch(let stretch) = $0 { stretch } else { nil } }
    events.append(.progress(progress))
    events += damageNews.take(walk.damage, since: walk.start).map { .warning($0) }
  }
}

extension [AccelerationSample] {
  /// The samples, cut into slices of at most this many nanoseconds.
  package func slices(within length: Int64) -> [ArraySlice<AccelerationSample>] {
    guard let first, let last, last.nanoseconds &- first.nanoseconds > length else { return [self[...]] }
    var slices: [ArraySlice<AccelerationSample>] = []
    var start = startIndex
    for index in indices where self[index].nanoseconds &- self[start].nanoseconds > length {
      slices.append(self[start..<index])
      start = index
    }
    return slices + [self[start...]]
  }
}
