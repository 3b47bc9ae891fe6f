import JSONLines
import LiveSources

/// One thing that was looked at, what was found, and what to do about it.
package struct HealthCheck: Sendable {
  /// How it is.
  package enum Result: String, Sendable {
    /// As it should be.
    case ok
    /// Counting works without it, but less well.
    case warning
    /// This keeps something from counting.
    case failed
  }

  /// What was looked at.
  package var name: String
  /// How it is.
  package var result: Result
  /// What was found: one sentence.
  package var finding: String
  /// What to do about it.
  package var remedy: String?
  /// The exit code that this stands for, where nothing can count because of it.
  package var status: ExitStatus?

  package init(
    name: String, result: Result, finding: String, remedy: String? = nil, status: ExitStatus? = nil
  ) {
    self.name = name
    self.result = result
    self.finding = finding
    self.remedy = remedy
    self.status = status
  }

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

  /// One object.
  package var json: String {
    var line = JSONLine()
    line.add("check", name)
    line.add("result", result.rawValue)
    line.add("finding", finding)
    line.add("remedy", remedy)
    return line.line
  }

  package static let heading = "check,result,finding,remedy\n"

  /// One row.
  package var csv: String {
    [name, result.rawValue, finding, remedy ?? ""].map(CSV.quoted).joined(separator: ",") + "\n"
  }

  /// A line, and one for the remedy.
  package var text: String {
    result.rawValue.padded(to: 9) + name + ": " + finding + "\n"
      + (remedy.map { String(repeating: " ", count: 9) + "to do: \($0)\n" } ?? "")
  }
}
