import ChaseEngine
import ChaseTerminal
import LiveSources
import Terminals

/// The chase as lines: it begins at once and ends by itself.
final class HeadlessChase {
  private let owner: ChaseOwner
  private let lines: ChaseLines
  private var reporter: ChaseReporter?
  private var text = ""
  private var lastAlert: Alert?
  /// The wait for an unplugged sensor, if any.
  private var waiting: SourceWait?
  /// The room that starts the chase; `nil` for a chase without a room.
  private let race: RaceSession?
  private var hasBegun = false
  /// The time since this walker's end; the room continues.
  private var sinceEnd = Duration.zero
  /// The time since the end of the race.
  private var sinceOver = Duration.zero
  /// How long the room has been silent since this walker's end.
  private var silence = Duration.zero

  enum Ending: Equatable {
    case completed, caught
    /// By a signal.
    case stopped
    /// The sensor or the recording failed; one sentence, and the exit code.
    case failed(String, ExitStatus)
  }

  /// A walker who has finished does not wait longer than this for a silent room.
  private static let longestSilence = Duration.seconds(15)

  /// The room's last message arrives on another stream than the standings, so wait for it.
  private static let lastWord = Duration.milliseconds(500)

  init(owner: ChaseOwner, lines: ChaseLines, race: RaceSession? = nil) {
    (self.owner, self.lines, self.race) = (owner, lines, race)
    let model = owner.model
    reporter = ChaseReporter(model: model) { [weak self, unowned model] event in
      if case .alert(_, let alert) = event { self?.lastAlert = alert }
      self?.text += lines.line(event, frame: ChaseFrame(of: model))
    }
  }

  /// Runs it to its end; in a room, to the end of the race. A goal has to be set.
  func run() throws -> Ending {
    if race == nil { try begin() }
    let clock = SuspendingClock()
    var last = clock.now
    while true {
      if try heedRoom() { last = clock.now }
      try flush()
      if let ending, try !waitForReturn(after: ending), isRoomDone(after: ending) { return ending }
      _ = Poll.wait(for: [WakePipe.shared.descriptor], atMost: timeout)
      if WakePipe.shared.collect().wantsEnd {
        if let ending, ending == .completed || ending == .caught { return ending }
        text = lines.lastLines(ChaseFrame(of: owner.model))
        try flush()
        return .stopped
      }
      let now = clock.now
      pass(now - last)
      last = now
    }
  }

  private func begin() throws {
    try owner.model.start()
    hasBegun = true
  }

  private func pass(_ time: Duration) {
    defer { race?.report() }
    guard hasBegun else { return }
    if ending == nil || waiting != nil {
      owner.pass(time)
    } else {
      sinceEnd += time
      if race?.standings.isOver == true { sinceOver += time }
      if race?.standings.trouble != nil { silence += time }
    }
  }

  // MARK: the room

  /// - Returns: whether the chase has just begun.
  private func heedRoom() throws -> Bool {
    guard let race else { return false }
    let (news, begins) = try race.advance()
    for item in news {
      text += lines.line(item, at: owner.model.now + sinceEnd)
      if case .refused(let reason) = item { complain("\(reason)") }
      if case .chat(.interrupted(let reason, _)) = item { complain("\(reason)") }
    }
    if !news.isEmpty { silence = .zero }
    if begins {
      hasBegun = true
      text += lines.begin(race.standings.race, started: race.started, at: owner.model.now)
    }
    return begins
  }

  /// A walker who has finished stays until the others have finished, or the room is lost.
  private func isRoomDone(after ending: Ending) -> Bool {
    guard let race, ending == .completed || ending == .caught else { return true }
    return (sinceOver >= Self.lastWord && race.isFlushed) || race.failure != nil || silence > Self.longestSilence
  }

  private var timeout: Duration? {
    if !hasBegun { return race?.timeout }
    if ending != nil, waiting == nil { return race?.standings.isOver == true ? .milliseconds(100) : .seconds(1) }
    if owner.isBusy { return .zero }
    if waiting != nil { return nil }
    guard owner.source.playback != nil else { return .milliseconds(100) }
    switch owner.presentPace {
    case .asItComes: return owner.awaitsSamples ? nil : .zero
    case .times(let factor): return .milliseconds(factor > 1 ? 20 : 100)
    }
  }

  /// Continues when a lost sensor is back.
  /// - Returns: whether there is something to wait for.
  private func waitForReturn(after ending: Ending) throws -> Bool {
    guard case .failed = ending, owner.model.appState == .paused, let wait = owner.source.waitForReturn else {
      return false
    }
    switch waiting?.result {
    case nil:
      waiting = waiting ?? SourceWait(wake: { WakePipe.shared.wake() }, find: wait)
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
    if let failure = race?.failure, !hasBegun { return .failed(failure.message, failure.status) }
    if !hasBegun { return nil }
    switch owner.model.appState {
    case .inProgress: return nil
    case .completed: return .completed
    case .caught: return .caught
    // There is no user to press a button, so the sensor has paused the chase or prevented its start.
    case .notStarted, .paused:
      return .failed(lastAlert?.detail ?? lastAlert?.text ?? "the chase did not start", status)
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
