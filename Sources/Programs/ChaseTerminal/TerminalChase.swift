import ChaseEngine
import Terminals

/// The chase as a game in a terminal: one thread that waits for keys, events and the next frame.
package struct TerminalChase {
  let controls: ChaseControls
  let terminal: Terminal
  let style: ScreenStyle

  /// Whether the picture is to change once a second, without motion.
  let isCalm: Bool

  package init(controls: ChaseControls, terminal: Terminal, style: ScreenStyle, isCalm: Bool) {
    (self.controls, self.terminal, self.style, self.isCalm) = (controls, terminal, style, isCalm)
  }

  /// Twelve pictures a second during a chase; none otherwise.
  private static let frame = Duration.milliseconds(83)
  /// The chase does not advance while the process is suspended.
  private static let longestTick = Duration.seconds(2)

  /// Plays until the user quits.
  package func run() throws {
    try terminal.enter()
    defer { terminal.leave() }
    var parser = KeyParser()
    var time = Duration.zero
    let clock = SuspendingClock()
    var last = clock.now
    while true {
      // Keys may have changed the chase since it was advanced.
      controls.move(by: time)
      try show()
      let ready = Poll.wait(for: [WakePipe.shared.descriptor, terminal.input], atMost: timeout)
      // Before the news are taken: what comes later then wakes the next wait.
      let calls = WakePipe.shared.collect()
      let now = clock.now
      time = min(now - last, Self.longestTick)
      controls.owner.pass(time)
      last = now
      if try controls.race?.advance().hasBegun == true { last = clock.now }
      controls.race?.report()
      if calls.wantsEnd { return }
      try heed(calls.signals)
      guard ready[1] else { continue }
      guard let bytes = terminal.read() else { return }
      for key in parser.keys(in: bytes) where try !heed(controls.press(key)) { return }
    }
  }

  private var timeout: Duration? {
    if controls.owner.isBusy { return .zero }
    guard controls.owner.model.appState == .inProgress else { return controls.race?.timeout }
    return isCalm ? .seconds(1) : Self.frame
  }

  private func show() throws {
    let size = terminal.size
    try terminal.show(controls.screen.grid(width: size.width, height: size.height, style: style))
  }

  private func heed(_ signals: [Int32]) throws {
    if signals.contains(WakePipe.stop) { _ = try heed(controls.press(.suspend)) }
    if signals.contains(WakePipe.goOn) { try terminal.resume() }
  }

  /// - Returns: whether the game continues.
  private func heed(_ request: ChaseControls.Request?) throws -> Bool {
    switch request {
    case nil: break
    case .quit: return false
    case .redraw: terminal.invalidate()
    case .suspend:
      terminal.leave()
      controls.race?.goAway()
      WakePipe.shared.stopProcess()
      try terminal.enter()
      controls.race?.comeBack()
    }
    return true
  }
}
