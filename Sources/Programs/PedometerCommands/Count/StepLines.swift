import Counting
import JSONLines
import Pedometry
import Presentation
import StepDetection

/// Lines of steps, epochs or findings, printed as soon as they are final.
struct StepLines {
  private let job: CountJob
  private var epochs: EpochSplitter?
  /// Final text that is not printed yet.
  private var text = ""
  /// The zero point of times in lines, in nanoseconds: the recording's first sample.
  private var origin: Int64?

  /// The recording's clock time at a timestamp.
  private var clock: (Int64) -> String? = { _ in nil }
  private let latency: Duration

  /// A gap of a month has millions of epochs, which are printed in pieces.
  private static let mostText = 32_768

  /// - Parameter latency: how long after the foot strike a step may be reported.
  init(_ job: CountJob, latency: Duration) { (self.job, self.latency) = (job, latency) }

  private var plan: CountPlan { job.plan }

  /// Takes the first counted sample; later calls have no effect.
  /// - Parameters:
  ///   - first: its time.
  ///   - origin: the time of the recording's first sample, if that one was excluded.
  ///   - clock: the recording's clock time at a timestamp.
  mutating func begin(at first: Duration, origin: Int64?, clock: @escaping (Int64) -> String? = { _ in nil }) {
    guard self.origin == nil else { return }
    self.clock = clock
    self.origin = origin ?? first.wholeNanoseconds
    guard case .epochs(let length) = plan.mode else { return }
    epochs = EpochSplitter(length: length, stepLength: plan.stepLength, from: sinceOrigin(first))
  }

  /// Takes confirmed steps.
  /// - Parameter now: the latest sample's timestamp: later steps are at most slightly earlier.
  mutating func add(_ steps: [Step], now: Duration?, _ print: (String) throws -> Void) throws {
    switch plan.mode {
    case .totals, .explanation, .gait: return
    case .steps, .epochs: break
    }
    for step in steps {
      let time = sinceOrigin(step.timestamp)
      if epochs == nil {
        text += stepLine(time, step.confidence)
      } else {
        try endEpochs(by: time, print)
        _ = epochs?.record(stepAt: time, confidence: step.confidence)
      }
    }
    if let now { try endEpochs(by: sinceOrigin(now) - latency - .seconds(1), print) }
    try flush(print)
  }

  mutating func add(_ findings: [WalkFinding], _ print: (String) throws -> Void) throws {
    guard plan.mode == .explanation, let origin else { return }
    for finding in findings { text += job.line(of: finding, since: .nanoseconds(origin)) }
    try flush(print)
  }

  mutating func add(_ bouts: [GaitBout], _ print: (String) throws -> Void) throws {
    guard plan.mode == .gait, let origin else { return }
    for bout in bouts where bout.measures.strideTime.count > 0 {
      text += job.line(of: bout, since: .nanoseconds(origin))
    }
    try flush(print)
  }

  mutating func finish(at end: Duration?, _ print: (String) throws -> Void) throws {
    guard let end, epochs != nil else { return }
    try endEpochs(by: sinceOrigin(end), print)
    let last = sinceOrigin(end)
    for epoch in epochs?.finish(at: last) ?? [] { text += epochLine(epoch) }
    try flush(print)
  }

  private mutating func endEpochs(by time: Duration, _ print: (String) throws -> Void) throws {
    while let epoch = epochs?.next(endingBy: time) {
      text += epochLine(epoch)
      if text.utf8.count > Self.mostText { try flush(print) }
    }
  }

  private mutating func flush(_ print: (String) throws -> Void) throws {
    if !text.isEmpty { try print(text) }
    text = ""
  }

  private func sinceOrigin(_ time: Duration) -> Duration { time - .nanoseconds(origin ?? 0) }

  /// The time of day at a moment of the recording, if it states one.
  private func timeOfDay(_ time: Duration) -> String? { clock((time + .nanoseconds(origin ?? 0)).wholeNanoseconds) }

  private func stepLine(_ time: Duration, _ confidence: Double?) -> String {
    let clock = plan.output.clock || plan.format == .json ? timeOfDay(time) : nil
    return job.line(text: time.cell + (clock.map { "  " + $0 } ?? "")) { line in
      line.add("t", time)
      if let clock { line.add("time", clock) }
      line.add("confidence", confidence.decimals(2))
    }
  }

  private func epochLine(_ epoch: Epoch) -> String {
    let clock = plan.output.clock || plan.format == .json ? timeOfDay(epoch.start) : nil
    let figures = { WalkSummary.figures(steps: epoch.steps, distance: epoch.distanceTravelled, cadence: epoch.cadence) }
    return job.line(text: (clock.map { $0 + " " } ?? plan.position(epoch.start)) + figures()) { line in
      line.add("t", epoch.start)
      if let clock { line.add("time", clock) }
      line.add([
        "steps": epoch.steps, "distanceTravelled": epoch.distanceTravelled.decimals(2),
        "cadence": epoch.cadence.decimals(3), "confidence": epoch.confidence.decimals(2),
      ])
    }
  }
}

/// Replaces the times of steps by refined ones, which are known when their bout is over.
struct RefinedSteps {
  private let isNeeded: Bool
  private var waiting: [Step] = []

  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// The steps that are final.
  mutating func steps(of news: SampleCounting.News) -> [Step] {
    guard isNeeded else { return news.steps }
    waiting += news.steps
    let times = news.gait.flatMap(\.times)
    defer { waiting.removeFirst(times.count) }
    return zip(waiting, times).map { step, time in
      var step = step
      step.timestamp = time
      return step
    }
  }
}
