import ChaseEngine
import LiveCounting

/// The chase as lines: it begins at once and ends by itself.
final class HeadlessChase {
  private let owner: ChaseOwner
  private let lines: ChaseLines
  private var reporter: ChaseReporter?
  private var text = ""
  private var lastAlert: Alert?
  /// Under way while a sensor that was pulled out is waited for.
  private var waiting: SensorWait?

  /// How a chase ended.
  enum Ending: Equatable {
    case completed, caught
    /// By a signal.
    case stopped
    /// The sensor or the recording gave out; one sentence, and the exit code.
    case failed(String, ExitStatus)
  }

  /// Tells of a chase.
  init(owner: ChaseOwner, lines: ChaseLines) {
    self.owner = owner
    self.lines = lines
    let model = owner.model
    reporter = ChaseReporter(model: model) { [weak self, unowned model] event in
      if case .alert(_, let alert) = event { self?.lastAlert = alert }
      self?.text += lines.line(event, frame: ChaseFrame(of: model))
    }
  }

  /// Runs it to its end. A goal has to be set.
  func run() throws -> Ending {
    try owner.model.start()
    let clock = SuspendingClock()
    var last = clock.now
    while true {
      try flush()
      if let ending, try !waitForReturn(after: ending) { return ending }
      _ = Poll.wait(for: [WakePipe.shared.descriptor], atMost: timeout)
      if WakePipe.shared.collect().wantsEnd {
        text = lines.lastLines(ChaseFrame(of: owner.model))
        try flush()
        return .stopped
      }
      let now = clock.now
      owner.pass(now - last)
      last = now
    }
  }

  private var timeout: Duration? {
    if owner.isBusy { return .zero }
    if waiting != nil { return nil }
    guard owner.source.playback != nil else { return .milliseconds(100) }
    switch owner.presentPace {
    case .asItComes: return owner.awaitsSamples ? nil : .zero
    case .times(let factor): return .milliseconds(factor > 1 ? 20 : 100)
    }
  }

  /// Goes on when a sensor that was lost is back.
  /// - Returns: whether there is something to wait for.
  private func waitForReturn(after ending: Ending) throws -> Bool {
    guard case .failed = ending, owner.model.appState == .paused, let wait = owner.source.waitForReturn else {
      return false
    }
    switch waiting?.result {
    case nil:
      waiting = waiting ?? SensorWait(wake: { WakePipe.shared.wake() }, wait: wait)
      return true
    case .failure?: return false
    case .success?:
      waiting = nil
      owner.model.alertCenter.clearAlerts()
      try owner.model.start()
      return true
    }
  }

  private func flush() throws {
    if text.isEmpty { return }
    defer { text = "" }
    try StandardOutput.write(text)
  }

  private var ending: Ending? {
    switch owner.model.appState {
    case .inProgress: nil
    case .completed: .completed
    case .caught: .caught
    // Nobody is there to press a button, so it is the sensor that has paused or not even begun.
    case .notStarted, .paused: .failed(lastAlert?.detail ?? lastAlert?.text ?? "the chase did not begin", status)
    }
  }

  private var status: ExitStatus {
    if let failure = owner.failure { return SourceFailure(failure).status }
    if let status = owner.source.failureStatus() { return status }
    return switch lastAlert?.kind {
    case Alert.noPedometer.kind: .noSensor
    case Alert.notAuthorized.kind: .permission
    default: .io
    }
  }
}
