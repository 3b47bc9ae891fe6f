import Accelerometry
import Counting
import JSONLines
import Pedometry
import Presentation
import Recordings
import StepDetection

/// Collects the data of a recording's picture, and writes it at the end.
struct WalkPlot {
  private let file: OutputFile
  private let title: String
  private var envelope = SignalEnvelope()
  private var findings: [WalkFinding] = []
  /// The times of the foot strikes, in nanoseconds since the origin, as long as single steps are visible.
  private var steps: [Int64] = []
  private var origin: Int64?
  private var latest: Int64 = 0

  /// - Throws: a ``RecordingWriterError`` if the picture cannot be created.
  init(path: String, title: String) throws {
    file = try OutputFile(path: path)
    self.title = title
  }

  /// Takes the first counted sample.
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

  /// Draws the page and renames it to its final name.
  /// - Parameter isClock: whether times are clock times.
  func finish(_ walk: WalkSummary, isClock: Bool) throws {
    let origin = origin ?? 0
    // Later than the origin if earlier samples were excluded.
    let begin = max(0, Double(latest) * 1e-9 - walk.totals.elapsed / .seconds(1))
    let page = PlotPage(
      title: title, walk: walk, envelope: envelope,
      marks: findings.map { PlotPage.Mark($0, since: origin) }, steps: steps.map { Double($0) * 1e-9 },
      begin: begin, end: Double(latest) * 1e-9, clock: isClock ? origin : nil)
    try file.write(Array(page.document.utf8))
    try file.finish()
  }
}
