import Accelerometry
import Glibc
import JSONLines
import Pedometry
import Presentation
import Synchronization

/// Reports events as they happen: lines for programs, a status line for people.
///
/// It has no clock: lines are due by the time of the samples.
final class LiveReporter: Sendable {
  /// The format of the output.
  struct Style: Sendable {
    var format: OutputFormat
    /// The time between two lines of data; `nil` means a second, if something has changed.
    var interval: Duration?
    /// Whether standard output is a terminal, on which one line is rewritten.
    var isTerminal: Bool
  }

  private struct State {
    var narrator: LiveNarrator
    var failure: (any Error)?
  }

  private let style: Style
  private let state: Mutex<State>

  /// Creates a reporter at the beginning.
  init(_ style: Style) {
    self.style = style
    let isWatched = style.isTerminal && style.format == .text
    state = Mutex(State(narrator: LiveNarrator(interval: style.interval, isWatched: isWatched)))
  }

  /// Whether events are printed on standard error for people.
  var saysEventsToPeople: Bool { style.format == .text }

  /// Throws the error of an event that could not be written.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Prints the header.
  func begin() throws {
    if style.format == .csv { try StandardOutput.write(LiveLine.heading) }
  }

  /// Reports the first sample.
  func start(at origin: Duration, _ message: String) throws {
    state.withLock { $0.narrator.origin = origin }
    try tell(.started, message)
  }

  /// Whether there was a sample.
  var hasStarted: Bool { state.withLock { $0.narrator.origin != nil } }

  /// Reports steps and, when due, totals.
  /// - Parameters:
  ///   - news: steps, each with the number of all steps confirmed up to then.
  ///   - walk: the totals.
  ///   - now: the latest sample's time on its own clock.
  ///   - health: the state of the source, to be shown.
  func take(_ news: [(StepReport, Int)], _ walk: WalkSample, now: Duration, health: String) throws {
    let text = state.withLock { state in
      let lines = state.narrator.take(news, walk, now: now)
      guard isStatus else { return shown(lines) }
      return lines.isEmpty ? "" : Self.clearLine + Self.status(state.narrator, walk, health, Self.width)
    }
    if !text.isEmpty { try StandardOutput.write(text) }
  }

  /// Reports an event.
  func tell(_ event: LiveLine.Event, _ message: String) throws {
    let line = state.withLock { $0.narrator.event(event, message) }
    if style.format != .text { try StandardOutput.write(shown([line])) }
    if style.format == .text { complain(message) }
  }

  /// The same without throwing; see ``check()``.
  func note(_ event: LiveLine.Event, _ message: String) {
    do { try tell(event, message) } catch { state.withLock { $0.failure = $0.failure ?? error } }
  }

  /// Prints a sentence for people.
  func complain(_ message: String) {
    if isStatus { try? StandardOutput.write(Self.clearLine) }
    StandardOutput.complain("pedometer: \(message)")
  }

  /// Reports the end.
  func finish(_ report: CountReport) throws {
    try StandardOutput.write((isStatus ? Self.clearLine : "") + shown([.total(report)]))
  }

  // MARK: How it looks

  private func shown(_ lines: [LiveLine]) -> String {
    switch style.format {
    case .json: lines.map(\.json).joined()
    case .csv: lines.map(\.csv).joined()
    case .text: ScreenText.printableLines(lines.map(\.text).joined())
    }
  }

  /// Whether the latest figures are shown in one line on a terminal.
  private var isStatus: Bool { style.isTerminal && style.format == .text }

  private static let clearLine = "\r\u{1B}[K"

  private static func status(_ narrator: LiveNarrator, _ walk: WalkSample, _ health: String, _ width: Int) -> String {
    let cadence = walk.currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { "\($0) steps/min" } ?? "standing"
    let provisional = narrator.open > 0 ? " + \(narrator.open) provisional" : ""
    let parts = [
      "\(walk.steps) step\(walk.steps == 1 ? "" : "s")\(provisional)",
      Decimals.distance(walk.distanceTravelled), cadence,
      Decimals.duration(.seconds(Int64(narrator.latest / .seconds(1)))),
      health,
    ]
    return ScreenText.printableLines(String(parts.joined(separator: "   ").prefix(width)))
  }

  /// The next line could not erase a line that is wider than the terminal; and the terminal itself writes ^C after it.
  private static var width: Int {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 3 else { return 77 }
    return Int(size.ws_col) - 3
  }
}
