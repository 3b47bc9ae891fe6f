import Accelerometry
import Pedometry
import StepDetection

/// Turns samples into events. All samples reach a ``StepDetection/WalkCounter`` through this type.
///
/// A pure value. ``WalkEvents`` drives it with batches as they arrive; code that reads a recording at once, or plays it
/// sample by sample, calls ``count(_:)`` and ``finish()``.
package struct SampleCounting: Sendable {
  /// The state so far.
  package private(set) var counter: WalkCounter
  private let slice: Int64
  private var damage = DamageNews()
  private var gait: GaitRecorder?
  /// The warnings of the source about itself, and the doubts about its samples, one sentence each.
  private var sourceWarnings: [String] = []
  private var check = SampleCheck()
  private var verdict = SourceVerdict()

  /// Creates a counter at zero.
  package init(_ options: CountingOptions = CountingOptions()) {
    counter = WalkCounter(
      stepLength: options.stepLength, patience: options.patience, recognition: options.recognition)
    counter.announcesSteps = options.announcesSteps
    counter.explains = options.explains
    gait = options.measuresGait ? GaitRecorder() : nil
    slice = options.slice?.wholeNanoseconds ?? .max
  }

  /// Counts samples.
  /// - Returns: the confirmed steps.
  @discardableResult
  package mutating func count(_ samples: Span<AccelerationSample>) -> [Step] {
    check.take(samples)
    return counter.process(samples)
  }

  /// Takes what the source says about itself at its end.
  package mutating func take(_ verdict: SourceVerdict) { self.verdict = verdict }

  /// Why no number of steps may be given; `nil` if one may. The one rule for all roads, valid at the end.
  package var refusal: UncountableSamples? {
    (counter.steps == 0 ? verdict.refusalWithoutSteps ?? verdict.refusal : verdict.refusal).map(UncountableSamples.init)
      ?? check.refusal(steps: counter.steps).map(UncountableSamples.init)
  }

  /// What the samples themselves make doubtful so far, one sentence each.
  package var doubts: [String] { check.sentences }

  /// Decides all open steps.
  /// - Returns: the confirmed steps.
  @discardableResult
  package mutating func finish() -> [Step] { counter.finish() }

  /// The bouts and uncounted stretches that are final since the last call; empty unless ``CountingOptions/explains``.
  package mutating func takeFindings() -> [WalkFinding] { counter.takeFindings() }

  /// Counts a batch, slice by slice.
  package mutating func take(_ batch: SampleBatch, into events: inout [WalkEvent]) {
    // A source may report a problem before its first sample.
    if let verdict = batch.verdict { take(verdict) }
    guard let first = batch.samples.first else { return warn(of: batch, into: &events) }
    let isFirst = counter.samples == 0
    if isFirst { events.append(.began(at: first.timestamp)) }
    events.append(.samples(batch.samples))
    if let gap = batch.gap, !isFirst { events.append(.gap(gap)) }
    warn(of: batch, into: &events)
    // Not the batch: gaps are detected from the timestamps alone, as in a recording of them.
    for slice in batch.samples.slices(within: slice) {
      let steps = count(slice.span)
      _ = gait?.add(slice.span, steps)
      tell(steps, into: &events)
    }
    warn(check.sentences, into: &events)
  }

  private mutating func warn(of batch: SampleBatch, into events: inout [WalkEvent]) {
    warn([batch.warning].compactMap { $0 } + (batch.verdict?.warnings ?? []), into: &events)
  }

  private mutating func warn(_ warnings: [String], into events: inout [WalkEvent]) {
    for warning in warnings where !sourceWarnings.contains(warning) {
      sourceWarnings.append(warning)
      events.append(.warning(warning))
    }
  }

  /// Decides all open steps; samples may follow.
  package mutating func decide(into events: inout [WalkEvent]) {
    if counter.samples == 0 { return }
    let steps = finish()
    _ = gait?.finish(steps)
    tell(steps, into: &events)
  }

  /// Ends the walk; samples may follow.
  package mutating func end(into events: inout [WalkEvent]) {
    decide(into: &events)
    var summary = WalkSummary(counter)
    summary.totals.gait = gait?.present
    summary.warnings = sourceWarnings + summary.warnings
    summary.refusal = refusal
    events.append(.ended(summary))
  }

  private mutating func tell(_ steps: [Step], into events: inout [WalkEvent]) {
    var totals = counter.walk
    totals.gait = gait?.present
    var progress = WalkProgress(
      steps: steps, news: counter.announcesSteps ? counter.takeNews() : nil, totals: totals,
      now: counter.now ?? .zero, samplingFrequency: counter.samplingFrequency)
    progress.obstacle = check.present
    events.append(.progress(progress))
    events += damage.take(counter.damage, since: counter.start).map { .warning($0) }
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
