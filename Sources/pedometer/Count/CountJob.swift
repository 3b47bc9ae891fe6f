import Accelerometry
import Pedometry
import Recordings
import StepDetection

/// One source, counted from its first sample to its last.
struct CountJob: Sendable {
  let name: String
  let uri: SourceURI
  let plan: CountPlan

  /// A source that could not be counted.
  struct Failure: Error {
    let message: String
    let status: ExitStatus
    /// What was counted before the source failed.
    var report: CountReport?

    init(_ error: RecordingError) {
      message = "\(error)"
      status = error.exitStatus
    }
  }

  /// Counts.
  /// - Parameters:
  ///   - print: gets the output, piece by piece, as soon as it is certain.
  ///   - warn: gets what is doubtful, when the output has no place for it.
  ///   - progress: gets the steps and the time walked so far, now and then.
  /// - Throws: a ``Failure``, or what `print` throws.
  func run(
    print: (String) throws -> Void, warn: (String) -> Void, progress: (Int, Duration) -> Void
  ) throws -> CountReport {
    let recording: RecordingReader?
    var lines = StepLines(plan: plan, source: plan.namesSource ? name : nil)
    var (counter, damage): (WalkCounter, Failure?)
    switch uri {
    case .synthetic(let settings):
      recording = nil
      var walk = try SyntheticWalk(settings: settings).reader()
      (counter, damage) = try count(&walk, origin: { _ in nil }, &lines, print, progress)
    case .file(let path):
      var reader = try open(path)
      (counter, damage) = try count(&reader, origin: { $0.summary.recordingStart }, &lines, print, progress)
      recording = reader
    default:
      var reader = RecordingReader(fileDescriptor: 0, name: "standard input", options: plan.reading)
      (counter, damage) = try count(&reader, origin: { $0.summary.recordingStart }, &lines, print, progress)
      recording = reader
    }
    let warnings = (recording?.summary.warnings ?? []) + (damage.map { [$0.message] } ?? [])
    let report = report(counter, warnings: warnings)
    if plan.isTotals { try print(text(of: report)) }
    if plan.format != .json || !plan.isTotals {
      for warning in recording?.summary.warnings ?? [] { warn("\(name): \(warning)") }
    }
    damage?.report = report
    if let damage { throw damage }
    return report
  }

  private func open(_ path: String) throws -> RecordingReader {
    do { return try RecordingReader(path: path, options: plan.reading) } catch { throw Failure(error) }
  }

  /// Reads to the end, or as far as it is good.
  /// - Returns: the walk, and what kept the rest from being read.
  /// - Throws: a ``Failure`` when not one sample could be read.
  private func count<Reader: SampleReader>(
    _ reader: inout Reader, origin: (Reader) -> Int64?, _ lines: inout StepLines, _ print: (String) throws -> Void,
    _ progress: (Int, Duration) -> Void
  ) throws -> (WalkCounter, Failure?) {
    var counter = WalkCounter(stepLength: plan.stepLength)
    var samples: [AccelerationSample] = []
    var damage: Failure?
    while damage == nil {
      do {
        guard try reader.read(into: &samples) else { break }
      } catch let error as RecordingError {
        if counter.samples == 0 { throw Failure(error) }
        damage = Failure(error)
      }
      let steps = counter.process(samples.span)
      if lines.origin == nil { lines.origin = origin(reader) ?? counter.start?.wholeNanoseconds }
      try lines.add(steps, now: counter.now, print)
      progress(counter.steps, counter.walk.elapsed)
    }
    try lines.add(counter.finish(), now: nil, print)
    try lines.finish(at: counter.now, print)
    return (counter, damage)
  }

  private func report(_ counter: WalkCounter, warnings: [String]) -> CountReport {
    CountReport(
      source: name, steps: counter.steps, distanceTravelled: counter.distanceTravelled,
      duration: counter.walk.elapsed, samples: counter.samples, samplingFrequency: counter.samplingFrequency,
      meanCadence: counter.meanCadence, walkingDuration: counter.walkingDuration, gaps: counter.gaps,
      warnings: warnings)
  }

  private func text(of report: CountReport) -> String {
    switch plan.format {
    case .json: report.json
    case .csv: report.csv
    case .text: plan.namesSource ? report.row(plan) : report.text
    }
  }
}

extension CountPlan {
  var isTotals: Bool {
    if case .totals = mode { true } else { false }
  }
}

/// Lines of steps or epochs, printed as soon as they are certain.
struct StepLines {
  private let plan: CountPlan
  private let source: String?
  private var epochs: EpochSplitter?
  /// The time that lines count from, in nanoseconds: the recording's first sample.
  var origin: Int64?

  init(plan: CountPlan, source: String?) {
    self.plan = plan
    self.source = source
    if case .epochs(let length) = plan.mode { epochs = EpochSplitter(length: length, stepLength: plan.stepLength) }
  }

  /// Takes steps that became certain.
  /// - Parameter now: the latest sample's timestamp: no step much earlier will come.
  mutating func add(_ steps: [Step], now: Duration?, _ print: (String) throws -> Void) throws {
    if plan.isTotals { return }
    var text = ""
    var ended: [Epoch] = []
    for step in steps {
      let time = sinceOrigin(step.timestamp)
      if epochs == nil { text += stepLine(time) }
      ended += epochs?.record(stepAt: time) ?? []
    }
    if let now {
      let certain = sinceOrigin(now) - StepDetector.longestDelay - .seconds(1)
      ended += epochs?.advance(to: certain) ?? []
    }
    for epoch in ended { text += epochLine(epoch) }
    if !text.isEmpty { try print(text) }
  }

  /// Closes what is open.
  mutating func finish(at end: Duration?, _ print: (String) throws -> Void) throws {
    guard let end, epochs != nil else { return }
    let last = sinceOrigin(end)
    let ended = epochs?.finish(at: last) ?? []
    let text = ended.map(epochLine).joined()
    if !text.isEmpty { try print(text) }
  }

  private func sinceOrigin(_ time: Duration) -> Duration { time - .nanoseconds(origin ?? 0) }

  private func stepLine(_ time: Duration) -> String {
    let seconds = Decimals.text(time / .seconds(1), 3) ?? ""
    switch plan.format {
    case .json:
      var line = JSONLine()
      if let source { line.add("source", source) }
      line.add("t", time)
      return line.line
    case .csv: return (source.map { CSV.quoted($0) + "," } ?? "") + seconds + "\n"
    case .text: return (source.map(plan.label) ?? "") + seconds + "\n"
    }
  }

  private func epochLine(_ epoch: Epoch) -> String {
    switch plan.format {
    case .json:
      var line = JSONLine()
      if let source { line.add("source", source) }
      line.add("t", epoch.start)
      line.add("steps", epoch.steps)
      line.add("distanceTravelled", epoch.distanceTravelled, decimals: 2)
      line.add("cadence", epoch.cadence, decimals: 3)
      return line.line
    case .csv:
      let cells = [
        Decimals.text(epoch.start / .seconds(1), 3) ?? "", String(epoch.steps),
        Decimals.text(epoch.distanceTravelled, 2) ?? "", epoch.cadence.flatMap { Decimals.text($0, 3) } ?? "",
      ]
      return (source.map { CSV.quoted($0) + "," } ?? "") + cells.joined(separator: ",") + "\n"
    case .text:
      let cadence = epoch.cadence.flatMap { Decimals.text($0 * 60, 0) }.map { $0.padded(to: -6) + " steps/min" } ?? ""
      return (source.map(plan.label) ?? "") + plan.position(epoch.start)
        + CountReport.figures(steps: epoch.steps, distance: epoch.distanceTravelled) + cadence + "\n"
    }
  }
}
