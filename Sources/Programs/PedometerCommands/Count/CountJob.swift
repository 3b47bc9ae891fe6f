import Accelerometry
import Counting
import JSONLines
import LiveSources
import Pedometry
import Presentation
import Recordings
import SourceNames
import StepDetection

struct CountJob: Sendable {
  let name: String
  let uri: SourceURI
  /// The file to read from an archive that contains several recordings.
  var entry: String?
  let plan: CountPlan
  var plot: String?

  var title: String { plan.title(name) }

  /// What became of a source.
  struct Result: Sendable {
    /// For the totals of several sources; `nil` if it has no result.
    var walk: WalkSummary?
    /// For people, if the output has no place for them.
    var warnings: [String] = []
    /// Why it or the rest of it was not counted, or the picture not drawn.
    var failure: SourceFailure?
  }

  /// Counts.
  /// - Parameters:
  ///   - readsAhead: whether a second thread reads while this one counts.
  ///   - progress: regularly shows the steps, the recorded time so far, and the share of the file that was read.
  ///   - print: gets the output, piece by piece, as soon as it is final.
  /// - Throws: an error of `print`.
  func run(readsAhead: Bool, _ progress: ProgressLine?, print: (String) throws -> Void) throws -> Result {
    do { return try result(readsAhead, progress, print) } catch let failure as SourceFailure {
      return Result(failure: failure)
    }
  }

  private func result(
    _ readsAhead: Bool, _ progress: ProgressLine?, _ print: (String) throws -> Void
  ) throws -> Result {
    // Before the count: if nothing can be drawn at the end, the samples of a pipe must not be consumed.
    var plot = try plot.map { path in
      do { return try WalkPlot(path: path, title: title) } catch { throw SourceFailure(error) }
    }
    let reader = PulledReader(ahead: readsAhead ? 16 : nil) { try open() }
    let counting = try count(reader, &plot, print, progress)
    let walk = try summary(counting, reader.summary)
    if plan.mode == .explanation { try print(remainder(walk.unlistedMovement)) }
    if plan.mode == .gait, plan.format == .text { try print(total(walk.totals.gait ?? GaitMeasures())) }
    if plan.printsTotals { try print(text(of: walk)) }
    var result = Result(walk: walk, failure: counting.damage.map { SourceFailure($0) })
    if plan.format != .json || !plan.printsTotals {
      result.warnings = walk.warnings.dropLast(counting.damage == nil ? 0 : 1).map { "\(title): \($0)" }
    }
    do {
      try plot?.finish(walk, isClock: reader.summary?.timestampsAreAbsolute ?? false)
    } catch { result.failure = result.failure ?? SourceFailure(error) }
    return result
  }

  /// How long after the foot strike a step may be reported. A program may be waiting for the lines of a pipe; files and
  /// totals use the full latency for the beginnings of walks.
  private var latency: Duration {
    switch (plan.mode, uri) {
    case (.totals, _), (_, .synthetic), (_, .file): StepDetector.longestRevision
    default: StandardInput.isRegularFile ? StepDetector.longestRevision : StepDetector.longestDelay
    }
  }

  private func open() throws -> any SampleReader {
    if case .synthetic(let settings) = uri { return try SyntheticWalk(settings: settings).reader() }
    var options = plan.reading
    if let entry { options.entry = entry }
    guard let reader = try RecordingReader(uri, options: options) else {
      throw SourceFailure(message: "\(title) is a sensor, not a recording", status: .usage)
    }
    return reader
  }

  /// Reads to the end, or up to the damage.
  /// - Throws: a ``SourceFailure`` if not a single sample could be read.
  private func count(
    _ reader: PulledReader, _ plot: inout WalkPlot?, _ print: (String) throws -> Void, _ progress: ProgressLine?
  ) throws -> SampleCounting {
    // In whole buffers, since the steps of a single slice are not shown.
    var options = CountingOptions(stepLength: plan.stepLength, latency: latency, slice: nil)
    options.explains = plan.explains
    options.recognition = plan.recognition
    options.measuresGait = plan.output.gait
    options.stated = plan.reading.samplingFrequency
    var counting = SampleCounting(options)
    var lines = StepLines(self, latency: latency)
    var refined = RefinedSteps(isNeeded: plan.output.gait)
    func take(_ news: SampleCounting.News, now: Duration?) throws {
      try lines.add(refined.steps(of: news), now: now, print)
      try lines.add(news.findings, print)
      try lines.add(news.gait, print)
      plot?.add(news.steps, news.findings)
    }
    var (samples, isFirst) = ([AccelerationSample](), true)
    while true {
      do { guard try counting.read({ try reader.read(into: &samples) }) else { break } } catch {
        throw SourceFailure(error)
      }
      let news = counting.count(samples.span)
      if isFirst, let start = counting.counter.start {
        isFirst = false
        let origin = reader.summary?.recordingStart
        lines.begin(at: start, origin: origin) { reader.summary?.clockText(of: $0, in: plan.reading.zone) }
        plot?.begin(at: start, origin: origin)
      }
      plot?.add(samples.span)
      try take(news, now: counting.counter.now)
      progress?.show(
        steps: counting.counter.steps, elapsed: counting.counter.walk.elapsed, fraction: reader.fractionRead)
    }
    try take(counting.finish(), now: nil)
    try lines.finish(at: counting.counter.now, print)
    if let recording = reader.summary { counting.take(recording.verdict(of: title)) }
    return counting
  }

  /// - Throws: why the steps must not be given.
  private func summary(_ counting: SampleCounting, _ recording: RecordingSummary?) throws -> WalkSummary {
    var walk = counting.summary
    if let refusal = walk.refusal { throw SourceFailure(refusal) }
    walk.warnings = walk.warnings.map(CommandTerms.translate)
    if plan.output.strict, let doubt = walk.warnings.first {
      throw SourceFailure(message: "\(title): \(doubt)", status: .badData)
    }
    walk.source = name
    if let damage = counting.damage { walk.warnings.append(SourceFailure(damage).message) }
    walk.start = recording?.firstTimestamp.flatMap { recording?.clockText(of: $0, in: plan.reading.zone) }
    walk.end = recording?.lastTimestamp.flatMap { recording?.clockText(of: $0, in: plan.reading.zone) }
    return walk
  }

  /// How to count a walk that the gate does not recognise. `--explain` lists nothing shorter than five seconds.
  private func advice(for walk: WalkSummary) -> String {
    guard walk.totals.steps == 0, walk.totals.elapsed >= .seconds(5), plan.recognition == .gate else { return "" }
    let reasons = plan.mode == .totals ? "--explain tells why; " : ""
    return "  no walk   \(reasons)--walking counts a recording that is known to be one\n"
  }

  private func text(of walk: WalkSummary) -> String {
    if plan.format == .text {
      return plan.namesSource ? walk.row(plan) : walk.text(title: title) + advice(for: walk)
    }
    var line = JSONLine()
    if plan.mode != .totals { line.add("type", "total") }
    walk.add(to: &line, hasConfidence: true)
    if plan.mode == .explanation { line.add("unlistedMovement", walk.unlistedMovement) }
    if let gait = walk.totals.gait { line.add("gait", JSONLine(gait, stepLength: plan.stepLength.measured)) }
    return plan.format == .json ? line.line : line.row(plan.columns)
  }
}
