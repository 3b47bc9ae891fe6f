import Accelerometry
import Counting
import JSONLines
import LiveSources
import Pedometers
import Pedometry
import Presentation
import Recordings
import SourceNames
import StepDetection

/// One source, counted from its first sample to its last.
struct CountJob: Sendable {
  let name: String
  let uri: SourceURI
  /// The file to read from an archive that contains several recordings.
  var entry: String?
  let plan: CountPlan
  /// The path of its picture, if one is wanted.
  var plot: String?

  /// The name for people.
  var title: String { plan.title(name) }

  /// A source that could not be counted.
  struct Failure: Error {
    let message: String
    let status: ExitStatus
    /// The count before the source failed.
    var report: CountReport?

    init(_ error: RecordingError) {
      message = CommandTerms.translate("\(error)")
      status = error.exitStatus
    }

    init(_ failure: SourceFailure) { (message, status) = (failure.message, failure.status) }
  }

  /// Counts.
  /// - Parameters:
  ///   - readsAhead: whether a second thread reads while this one counts.
  ///   - print: gets the output, piece by piece, as soon as it is final.
  ///   - warn: gets warnings, if the output has no place for them.
  ///   - progress: regularly gets the steps, the recorded time so far, and the share of the file that was read.
  /// - Throws: a ``Failure``, or an error of `print`.
  func run(
    readsAhead: Bool, print: (String) throws -> Void, warn: (String) -> Void, progress: (Int, Duration, Double?) -> Void
  ) throws -> CountReport {
    let recording: ReadAhead?
    // Before the count: if nothing can be drawn at the end, the samples of a pipe must not be consumed.
    var plot = try self.plot.map { path in
      do { return try WalkPlot(path: path, title: title) } catch { throw Failure(SourceFailure(error)) }
    }
    var lines = StepLines(plan: plan, source: plan.namesSource ? name : nil, patience: patience)
    let counted: CountedRecording
    let floors = RecordedFloors()
    var pressures: PressureSink?
    if plan.printsTotals { pressures = { floors.add($0) } }
    switch uri {
    case .synthetic(let settings):
      recording = nil
      var walk = try SyntheticWalk(settings: settings).reader()
      counted = try count(
        &walk, origin: { _ in nil }, fraction: { _ in nil }, clock: { _, _ in nil }, &lines, &plot, floors, print,
        progress)
    case .file(let path):
      var reader = ReadAhead(try open(path), isConcurrent: readsAhead, pressures: pressures)
      counted = try count(
        &reader, origin: { $0.summary.recordingStart }, fraction: { $0.fractionRead }, clock: clockText, &lines, &plot,
        floors, print, progress)
      recording = reader
    default:
      var reader = ReadAhead(
        RecordingReader(fileDescriptor: 0, name: "standard input", options: plan.reading), isConcurrent: readsAhead,
        pressures: pressures)
      counted = try count(
        &reader, origin: { $0.summary.recordingStart }, fraction: { $0.fractionRead }, clock: clockText, &lines, &plot,
        floors, print, progress)
      recording = reader
    }
    let (counter, findings) = (counted.counter, counted.findings)
    var damage = counted.damage.map { Failure($0) }
    let doubts: [String]
    do throws(RecordingError) {
      doubts = try counted.verdict(
        recording?.summary, name: title, option: "--rate", translate: CommandTerms.translate)
    } catch { throw Failure(error) }
    if plan.isStrict, let doubt = doubts.first {
      throw Failure(SourceFailure(message: "\(title): \(doubt)", status: .badData))
    }
    var report = CountReport(source: name, WalkSummary(counter))
    report.walk.warnings = doubts + (damage.map { [$0.message] } ?? [])
    if let summary = recording?.summary {
      report.start = summary.firstTimestamp.flatMap { summary.clockText(of: $0, in: plan.reading.zone) }
      report.end = summary.lastTimestamp.flatMap { summary.clockText(of: $0, in: plan.reading.zone) }
    }
    let climbed = floors.counted
    (report.walk.totals.floorsAscended, report.walk.totals.floorsDescended) = (climbed?.ascended, climbed?.descended)
    if case .explanation = plan.mode {
      let line = FindingLine(plan: plan, source: plan.namesSource ? name : nil)
      try print(line.remainder(counter.unlistedMovement))
    }
    report.gait = counted.gait
    if case .gait = plan.mode, plan.format == .text {
      let line = GaitLine(plan: plan, source: plan.namesSource ? name : nil)
      try print(line.total(counted.gait ?? GaitMeasures()))
    }
    if plan.printsTotals { try print(text(of: report, findings.confidence, unlisted: counter.unlistedMovement)) }
    if plan.format != .json || !plan.printsTotals {
      for warning in doubts { warn("\(title): \(warning)") }
    }
    do {
      try plot?.finish(
        report, confidence: findings.confidence, isClock: recording?.summary.timestampsAreAbsolute ?? false)
    } catch {
      damage = damage ?? Failure(SourceFailure(error))
    }
    damage?.report = report
    if let damage { throw damage }
    return report
  }

  /// How long after the foot strike a step may be reported. A program may be waiting for the lines of a pipe; files and
  /// totals use the full patience for the beginnings of walks.
  private var patience: Duration {
    switch (plan.mode, uri) {
    case (.totals, _), (_, .synthetic), (_, .file): StepDetector.longestRevision
    default: StandardInput.isRegularFile ? StepDetector.longestRevision : StepDetector.longestDelay
    }
  }

  private func clockText(_ reader: ReadAhead, _ timestamp: Int64) -> String? {
    reader.summary.clockText(of: timestamp, in: plan.reading.zone)
  }

  private func open(_ path: String) throws -> RecordingReader {
    var options = plan.reading
    if let entry { options.entry = entry }
    do { return try RecordingReader(path: path, options: options) } catch { throw Failure(error) }
  }

  /// Reads to the end, or up to the damage.
  /// - Throws: a ``Failure`` if not a single sample could be read.
  private func count<Reader: SampleReader>(
    _ reader: inout Reader, origin: (Reader) -> Int64?, fraction: (Reader) -> Double?,
    clock: @escaping (Reader, Int64) -> String?, _ lines: inout StepLines, _ plot: inout WalkPlot?,
    _ floors: RecordedFloors, _ print: (String) throws -> Void, _ progress: (Int, Duration, Double?) -> Void
  ) throws -> CountedRecording {
    // In whole buffers, since the steps of a single slice are not shown.
    var options = CountingOptions(stepLength: plan.stepLength, patience: patience, slice: nil)
    options.explains = plan.explains
    options.recognition = plan.recognition
    var recording = CountedRecording(
      options, stated: plan.reading.samplingFrequency, measuresGait: plan.measuresGait)
    var refined = RefinedSteps(isNeeded: plan.measuresGait)
    var samples: [AccelerationSample] = []
    while true {
      do { guard try recording.read(&reader, into: &samples) else { break } } catch let error as RecordingError {
        throw Failure(error)
      }
      let news = recording.count(samples.span)
      floors.add(news.steps, now: recording.counter.now)
      if let start = recording.counter.start {
        lines.begin(at: start, origin: origin(reader), clock: { [reader] in clock(reader, $0) })
        plot?.begin(at: start, origin: origin(reader))
      }
      try lines.add(refined.steps(of: news), now: recording.counter.now, print)
      try lines.add(news.findings, print)
      try lines.add(news.gait, print)
      plot?.add(samples.span)
      plot?.add(news.steps, news.findings)
      progress(recording.counter.steps, recording.counter.walk.elapsed, fraction(reader))
    }
    let news = recording.finish()
    floors.add(news.steps, now: nil)
    try lines.add(refined.steps(of: news), now: nil, print)
    try lines.add(news.findings, print)
    try lines.add(news.gait, print)
    plot?.add(news.steps, news.findings)
    try lines.finish(at: recording.counter.now, print)
    return recording
  }

  private func text(of report: CountReport, _ confidence: Double?, unlisted: Duration) -> String {
    switch plan.format {
    case .json:
      var line = JSONLine()
      switch plan.mode {
      case .explanation, .gait: line.add("type", "total")
      case .totals, .steps, .epochs: break
      }
      report.add(to: &line, confidence: .some(confidence))
      if case .explanation = plan.mode { line.add("unlistedMovement", unlisted) }
      if let gait = report.gait { line.add("gait", GaitLine(plan: plan, source: nil).json(gait)) }
      return line.line
    case .csv: return report.csv(confidence: confidence)
    case .text: return plan.namesSource ? report.row(plan) : report.text(plan)
    }
  }
}
