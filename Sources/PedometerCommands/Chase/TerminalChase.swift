import ChaseEngine

/// The chase as a game in a terminal: one thread that waits for keys, events and the next frame.
struct TerminalChase {
  /// Handles the keys.
  let controls: ChaseControls
  /// Where it is played.
  let terminal: Terminal
  /// The capabilities of the terminal.
  let style: ChaseScreen.Style

  /// Ten frames a second during movement; none otherwise.
  private static let frame = Duration.milliseconds(100)
  /// The chase does not advance while the process is suspended.
  private static let longestTick = Duration.seconds(2)

  /// Plays until the user quits.
  func run() throws {
    try terminal.enter()
    defer { terminal.leave() }
    var parser = KeyParser()
    let clock = SuspendingClock()
    var last = clock.now
    while true {
      try show()
      let ready = Poll.wait(for: [WakePipe.shared.descriptor, terminal.input], atMost: timeout)
      let now = clock.now
      controls.owner.pass(min(now - last, Self.longestTick))
      last = now
      if try controls.race?.advance().hasBegun == true { last = clock.now }
      controls.race?.report()
      let calls = WakePipe.shared.collect()
      if calls.wantsEnd { return }
      try heed(calls.signals)
      guard ready[1] else { continue }
      guard let bytes = terminal.read() else { return }
      for key in parser.keys(in: bytes) where try !heed(controls.press(key)) { return }
    }
  }

  private var timeout: Duration? {
    if controls.owner.isBusy { return .zero }
    return controls.owner.model.appState == .inProgress ? Self.frame : controls.race?.timeout
  }

  private func show() throws {
    let size = terminal.size
    try terminal.show(controls.screen.lines(width: size.width, height: size.height, style: style), size: size)
  }

  private func heed(_ signals: [Int32]) throws {
    if signals.contains(WakePipe.stop) { _ = try heed(controls.press(.suspend)) }
    if signals.contains(WakePipe.goOn) { try terminal.resume() }
  }

  /// - Returns: whether the game goes on.
  private func heed(_ request: ChaseControls.Request?) throws -> Bool {
    switch request {
    case nil: break
    case .quit: return false
    case .redraw: terminal.invalidate()
    case .suspend:
      terminal.leave()
      WakePipe.shared.stopProcess()
      try terminal.enter()
    }
    return true
  }
}
