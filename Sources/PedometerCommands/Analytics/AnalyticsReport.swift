import Analytics
import Glibc
import JSONLines
import Presentation

/// What there is to say about reports: for `pedometer analytics status` and for the doctor. Looking writes nothing.
struct AnalyticsReport {
  private let machine: AnalyticsMachine
  private let settings: AnalyticsSettings
  private let failure: AnalyticsSettings.Failure?
  private let status: ReportSpool.Status

  /// Looks.
  init(_ machine: AnalyticsMachine) {
    self.machine = machine
    do throws(AnalyticsSettings.Failure) {
      settings = try AnalyticsSettings.load(from: machine.places.settings)
      failure = nil
    } catch {
      settings = AnalyticsSettings()
      failure = error
    }
    status = machine.spool().statusNow()
  }

  /// What would be sent, and what never is.
  private var example: String {
    let report = Report.make(
      event: .chaseCompleted, type: .lifecycle, duration: .milliseconds(312_500), in: machine.environment)
    return ((try? report.json()).map { String(decoding: $0, as: UTF8.self) }) ?? ""
  }

  private var target: String { settings.url.map { "\($0)/\(AnalyticsClient.path)" } ?? "nowhere" }

  private var counts: String {
    "\(status.waiting) waiting, \(status.dropped) dropped, \(status.refused) refused"
  }

  /// A few lines.
  var text: String {
    var lines = ["Reporting is \(settings.isOn ? "on" : "off")."]
    if settings.isOn {
      lines.append("  sent to  \(target)")
      lines.append("  token    \(settings.token() == nil ? "none yet" : "from") \(settings.tokenFile ?? "")")
    }
    lines.append("  spool    \(machine.places.spool): \(counts)")
    lines.append("  example  \(example)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// One object.
  var json: String {
    var line = JSONLine()
    line.add("on", settings.isOn)
    line.add("url", settings.url)
    line.add("tokenFile", settings.tokenFile)
    line.add("hasToken", settings.token() != nil)
    line.add("settings", machine.places.settings)
    line.add("spool", machine.places.spool)
    line.add("waiting", status.waiting)
    line.add("bytes", status.bytes)
    line.add("dropped", status.dropped)
    line.add("refused", status.refused)
    line.add("example", example)
    return line.line
  }

  /// What the doctor says of it. Nothing here keeps anything from counting.
  var check: HealthCheck {
    let name = "analytics"
    if let failure {
      return .warning(
        name, "reporting is off because its settings cannot be read", remedy: "\(failure)")
    }
    guard settings.isOn else {
      return .ok(
        name, "reporting is off: nothing is stored or sent; an example of a report: \(example)")
    }
    let finding = "reports are sent to \(target), such as \(example); \(counts) in \(machine.places.spool)"
    guard settings.token() != nil else {
      return .warning(
        name, finding, remedy: "no token; put one into \(settings.tokenFile ?? "the token file")")
    }
    return .ok(name, finding)
  }
}

/// Paths as they are from anywhere.
enum AbsolutePath {
  /// A path from the root, of one that may begin where this process is.
  static func of(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: 4096)
    guard let folder = unsafe getcwd(&buffer, buffer.count) else { return path }
    return unsafe String(cString: folder) + "/" + path
  }
}
