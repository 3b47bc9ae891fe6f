import Accelerometry
import JSONLines
import LiveSources
import Pedometry
import Presentation
import Recordings
import StepDetection

/// Gathers what a picture of a recording needs, and writes it when the recording is over.
struct WalkPlot {
  private let file: OutputFile
  private let title: String
  private var envelope = SignalEnvelope()
  private var findings: [WalkFinding] = []
  /// When feet struck, in nanoseconds since the origin, as long as single steps can be seen.
  private var steps: [Int64] = []
  private var origin: Int64?
  private var latest: Int64 = 0

  /// - Throws: a ``RecordingWriterError`` when the picture could not be put there, a ``SourceFailure`` when something
  ///   that is no picture would be lost.
  init(path: String, title: String) throws {
    try PlotTarget(path: path).checkReplaceable()
    file = try OutputFile(path: path)
    self.title = title
  }

  /// Takes note of the first sample that counts.
  mutating func begin(at first: Duration, origin: Int64?) {
    if self.origin == nil { self.origin = origin ?? first.wholeNanoseconds }
  }

  mutating func add(_ samples: Span<AccelerationSample>) {
    guard let origin else { return }
    for i in samples.indices {
      let sample = samples[i]
      let a = sample.acceleration
      let time = sample.nanoseconds &- origin
      envelope.add((a * a).sum().squareRoot(), at: time)
      latest = max(latest, time)
    }
  }

  mutating func add(_ steps: [Step], _ findings: [WalkFinding]) {
    guard let origin else { return }
    for step in steps {
      let time = step.timestamp.wholeNanoseconds - origin
      envelope.addStep(at: time)
      if self.steps.count < PlotPage.mostTicks { self.steps.append(time) }
    }
    self.findings += findings
  }

  /// Draws the page and puts it under its name.
  /// - Parameter isClock: whether times are those of a clock.
  func finish(_ report: CountReport, confidence: Double?, isClock: Bool) throws {
    let origin = origin ?? 0
    let page = PlotPage(
      title: title, report: report, confidence: confidence, envelope: envelope,
      marks: findings.map { PlotPage.Mark($0, since: origin) }, steps: steps.map { Double($0) * 1e-9 },
      begin: report.start(since: origin, latest), end: Double(latest) * 1e-9, clock: isClock ? origin : nil)
    try file.write(Array(page.document.utf8).span)
    try file.finish()
  }
}

extension CountReport {
  /// Where the samples begin, in seconds since the origin: behind it where earlier ones were left out.
  fileprivate func start(since origin: Int64, _ latest: Int64) -> Double {
    max(0, Double(latest) * 1e-9 - duration / .seconds(1))
  }
}
