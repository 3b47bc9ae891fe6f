import ArgumentParser
import Presentation
import Terminals

/// Reports of devices and checks for people: wrapped to the window, in colour, with a summary. Pipes get them as they
/// are.
struct TerminalReport {
  /// The columns of the window.
  var width: Int
  var hasColour: Bool

  /// The checks of the doctor, and how many of them are good.
  func text(_ checks: [HealthCheck], canCount: Bool) -> String {
    var text = checks.map(line).joined()
    let counts = [HealthCheck.Result.ok, .warning, .failed].map { result in checks.count { $0.result == result } }
    var parts = ["\(counts[0]) ok"]
    if counts[1] > 0 { parts.append("\(counts[1]) \(counts[1] == 1 ? "warning" : "warnings")") }
    if counts[2] > 0 { parts.append("\(counts[2]) failed") }
    let verdict = canCount ? "steps can be counted: pedometer live" : "no sensor can be used yet; see 'to do' above"
    text += "\n" + paint(parts.joined(separator: ", ") + "; " + verdict, canCount ? .ok : .failed) + "\n"
    return text
  }

  private func line(_ check: HealthCheck) -> String {
    let name = check.result.rawValue
    let first = ScreenText.wrapped(ScreenText.printable("\(check.name): \(check.finding)", longest: 4000), width: room)
    var text = paint(name, check.result) + String(repeating: " ", count: Self.indent - name.count)
    text += first.joined(separator: "\n" + Self.blanks) + "\n"
    guard let remedy = check.remedy else { return text }
    let lines = ScreenText.wrapped(ScreenText.printable("to do: \(remedy)", longest: 4000), width: room)
    return text + lines.map { Self.blanks + $0 + "\n" }.joined()
  }

  /// The sensors, and how many of them can be used.
  func text(_ reports: [DeviceReport]) -> String {
    let lines = reports.map(\.text).joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    var text = lines.dropLast().map { wrapped(String($0)) }.joined()
    guard !reports.isEmpty else { return text }
    let usable = reports.count { $0.sensor.isUsable && !$0.isBusy }
    let count = "\(reports.count) \(reports.count == 1 ? "sensor" : "sensors"), \(usable) usable"
    text += "\n" + paint(usable > 0 ? count : count + "; see 'pedometer doctor'", usable > 0 ? .ok : .failed) + "\n"
    return text
  }

  /// A line in the width of the window; its continuation is indented like its text.
  private func wrapped(_ line: String) -> String {
    let blanks = String(line.prefix { $0 == " " })
    var rows = [String(line.dropFirst(blanks.count))]
    if ScreenText.columns(line) > width { rows = ScreenText.wrapped(rows[0], width: max(20, width - blanks.count - 2)) }
    let text = blanks + ScreenText.printableLines(rows.joined(separator: "\n" + blanks + (blanks.isEmpty ? "  " : "")))
    if line.hasSuffix("not usable") || line.contains("to do:") { return paint(text, .warning) + "\n" }
    return (line.hasPrefix("  usable") ? paint(text, .ok) : text) + "\n"
  }

  private static let indent = 9
  private static let blanks = String(repeating: " ", count: indent)
  private var room: Int { max(20, width - Self.indent) }

  private func paint(_ text: String, _ result: HealthCheck.Result) -> String {
    guard hasColour else { return text }
    let colour =
      switch result {
      case .ok: 32
      case .warning: 33
      case .failed: 31
      }
    return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
  }

  /// The report of this window; `nil` if standard output is no terminal.
  static var present: TerminalReport? {
    guard StandardOutput.isTerminal else { return nil }
    return TerminalReport(width: StandardOutput.width, hasColour: ProcessEnvironment.current.colourDepth != .none)
  }
}
