import Accelerometry
import Counting
import JSONLines
import Pedometry
import Presentation
import Synchronization
import Terminals

/// Reports events as they happen: lines for programs, a panel for people.
///
/// It has no clock: lines are due by the time of the samples.
final class LiveReporter: Sendable {
  private struct State {
    var narrator: LiveNarrator
    var trace = SignalCurve()
    var minutes = MinuteSteps()
    var latest: LiveDisplay.Figures?
    var trouble: LiveDisplay.Trouble?
    var display: LiveDisplay
  }

  private let format: OutputFormat
  /// The steps to reach, if there is a goal.
  private let goal: Int?
  /// Whether the latest figures are shown in place on a terminal.
  let isStatus: Bool
  private let state: Mutex<State>

  init(_ output: LiveOutputOptions) {
    (format, goal) = (output.format, output.goal)
    isStatus = format == .text && StandardOutput.isTerminal
    state = Mutex(
      State(
        narrator: LiveNarrator(interval: output.interval.map { .seconds($0) }, isWatched: isStatus),
        display: LiveDisplay(style: ScreenStyle(.current))))
  }

  var saysEventsToPeople: Bool { format == .text }

  func begin() throws { if format == .csv { try StandardOutput.write(CSV.row(LiveLine.columns)) } }

  /// Reports the first sample. The panel has the source and its rate in its header; only the remark stands above it.
  func start(at origin: Duration, _ message: String, remark: String?) throws {
    let hasHeader = state.withLock { state in
      state.narrator.origin = origin
      return isStatus && state.display.hasPanel(in: StandardOutput.size)
    }
    if !hasHeader { return try tell(.started, message + (remark.map { "; \($0)" } ?? "")) }
    if let remark { self.remark(remark) }
  }

  var hasStarted: Bool { state.withLock { $0.narrator.origin != nil } }

  /// Reports steps and, when due, totals.
  /// - Parameters:
  ///   - steps: lines of steps, with times on the clock of the samples.
  ///   - walk: the totals.
  ///   - now: the latest sample's time on its own clock.
  ///   - source: the name of the source, to be shown.
  ///   - frequency: its samples per second, if they are known.
  ///   - test: the standing of a six-minute walk.
  func take(
    _ steps: [LiveLine], _ walk: WalkTotals, now: Duration, source: String, frequency: Double?,
    test: WalkTest.Standing? = nil
  ) throws {
    try state.withLock { state in
      let lines = state.narrator.take(steps, walk, now: now)
      guard isStatus else {
        // The page of a six-minute walk is all that people want to keep.
        if format == .text, test != nil { return }
        return try StandardOutput.write(shown(lines))
      }
      let elapsed = state.narrator.latest
      state.minutes.take(steps: walk.steps, isWalking: walk.currentCadence != nil, at: elapsed)
      state.latest = LiveDisplay.Figures(
        source: source, frequency: frequency, walk: walk, elapsed: elapsed, provisional: state.narrator.open,
        goal: goal, test: test, minutes: state.minutes, trouble: state.trouble)
      if !lines.isEmpty { try show(&state) }
    }
  }

  /// Shows samples on a terminal as they arrive, about seven times a second.
  func watch(_ samples: [AccelerationSample]) throws {
    guard isStatus else { return }
    try state.withLock { state in
      if state.trace.take(samples) { try show(&state) }
    }
  }

  /// Draws the figures anew after another program has used the terminal, such as a shell while this one was stopped.
  func resume() {
    guard isStatus else { return }
    EchoSuppression.begin()
    state.withLock { state in
      state.display.abandon()
      try? show(&state)
    }
  }

  private func show(_ state: inout State) throws {
    guard let latest = state.latest else { return }
    // Typed characters would stand in the middle of the figures.
    EchoSuppression.begin()
    try StandardOutput.write(state.display.bytes(showing: latest, state.trace, in: StandardOutput.size))
  }

  func tell(_ event: LiveLine.Event, _ message: String) throws {
    guard format == .text else {
      return try StandardOutput.write(shown([state.withLock { $0.narrator.event(event, message) }]))
    }
    if event == .warning || event == .sourceLost || event == .sourceBack {
      let trouble: LiveDisplay.Trouble? = event == .sourceLost ? .lost : event == .warning ? .uncounted : nil
      state.withLock { state in
        state.trouble = trouble
        state.latest?.trouble = trouble
      }
    }
    // The panel would push what stands above it out of the window once more.
    if event == .stopped { state.withLock { $0.latest = nil } }
    switch event {
    case .warning, .gap, .sourceLost, .corrected: complain(message)
    default: remark(message)
    }
  }

  /// Prints a sentence for people, above the figures.
  func complain(_ message: String) { say(message, StandardOutput.complain) }

  /// Prints a sentence that is neither an error nor a warning.
  private func remark(_ message: String) { say(message, StandardOutput.remark) }

  /// Prints a line that stays, with the figures below it, in whose margin it begins.
  private func say(_ message: String, _ print: (String) -> Void) {
    state.withLock { state in
      let hasPanel = isStatus && state.display.hasPanel(in: StandardOutput.size)
      let line = (hasPanel && StandardOutput.errorIsTerminal ? " " : "") + "pedometer: \(message)"
      if isStatus { try? StandardOutput.write(state.display.erasing()) }
      print(line)
      state.display.rowsAbove = max(state.display.rowsAbove, StandardOutput.complaint(line).count)
      if isStatus { try? show(&state) }
    }
  }

  /// Calls out what a six-minute walk needs, with the terminal's bell.
  func call(_ words: String) throws {
    try tell(.walkTest, words)
    if isStatus { try StandardOutput.write("\u{7}") }
  }

  /// Reports the end.
  /// - Parameter test: the result of a six-minute walk. People get it instead of the totals.
  func finish(_ report: WalkSummary, _ test: WalkTestResult? = nil) throws {
    try state.withLock { state in
      if isStatus { try StandardOutput.write(state.display.erasing()) }
      state.latest = nil
      guard format == .text else {
        return try StandardOutput.write((test?.line(format) ?? "") + report.liveLine(format))
      }
      let page = test?.page(source: report.source, frequency: report.samplingFrequency)
      try StandardOutput.write(lines: page ?? report.text(title: report.source))
    }
  }

  private func shown(_ lines: [LiveLine]) -> String {
    switch format {
    case .json: lines.map(\.json).joined()
    case .csv: lines.map { $0.members().row(LiveLine.columns) }.joined()
    case .text: ScreenText.printableLines(lines.map(\.text).joined())
    }
  }
}
