import JSONLines
import LiveSources

/// One check, its finding, and the remedy.
package struct HealthCheck: Sendable {
  /// The result of a check.
  package enum Result: String, Sendable {
    /// No problem.
    case ok
    /// Counting works without it, but less well.
    case warning
    /// Something cannot be counted because of this.
    case failed
  }

  /// The subject of the check.
  package var name: String
  package var result: Result
  package var finding: String
  package var remedy: String?
  /// The corresponding exit code, if nothing can be counted because of it.
  package var status: ExitStatus?

  package static func ok(_ name: String, _ finding: String) -> HealthCheck {
    HealthCheck(name: name, result: .ok, finding: finding)
  }

  package static func warning(_ name: String, _ finding: String, remedy: String) -> HealthCheck {
    HealthCheck(name: name, result: .warning, finding: finding, remedy: remedy)
  }

  package static func failed(_ name: String, _ finding: String, remedy: String, status: ExitStatus? = nil)
    -> HealthCheck
  {
    HealthCheck(name: name, result: .failed, finding: finding, remedy: remedy, status: status)
  }

  /// This machine has no sensor.
  package static var noSensor: HealthCheck {
    .failed(
      "sensors", "no motion sensor found",
      remedy: "plug in an accelerometer, a game pad with motion sensors or a board, or load its driver; a phone or a "
        + "Bluetooth sensor is named ('pedometer live --help' lists how)", status: .noSensor)
  }

  package var json: String {
    JSONLine(["check": name, "result": result.rawValue, "finding": finding, "remedy": remedy]).line
  }

  package static let heading = "check,result,finding,remedy\n"

  package var csv: String { CSV.row([name, result.rawValue, finding, remedy]) }

  /// A line, and one for the remedy.
  package var text: String {
    result.rawValue.padded(to: 9) + name + ": " + finding + "\n"
      + (remedy.map { String(repeating: " ", count: 9) + "to do: \($0)\n" } ?? "")
  }
}
