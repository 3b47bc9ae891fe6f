import Analytics
import JSONLines
import Presentation

/// The status of reports, for `pedometer analytics status` and for the doctor. Creating it writes nothing.
struct AnalyticsReport {
  private let machine: AnalyticsMachine
  private let settings: AnalyticsSettings
  private let failure: AnalyticsSettings.Failure?
  private let status: ReportSpool.Status

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

  /// An example of a report, and what reports never contain.
  private var example: String {
    let report = Report.make(
      event: .chaseCompleted, type: .lifecycle, duration: .milliseconds(312_500), in: machine.environment)
    return ((try? report.json()).map { String(decoding: $0, as: UTF8.self) }) ?? ""
  }

  private var target: String { settings.url.map { "\($0)/\(AnalyticsClient.path)" } ?? "nowhere" }

  private var counts: String { "\(status.waiting) queued, \(status.dropped) dropped, \(status.refused) refused" }

  var text: String {
    var lines = ["Reporting is \(settings.isOn ? "on" : "off")."]
    if settings.isOn {
      lines.append("  sent to  \(target)")
      lines.append("  token    \(settings.token() == nil ? "none yet" : "from") \(settings.tokenFile ?? "")")
    }
    lines.append("  queue    \(machine.places.spool): \(counts)")
    if let failure = status.failure { lines.append("  failure  \(failure)") }
    lines.append("  example  \(example)")
    return lines.joined(separator: "\n") + "\n"
  }

  var json: String {
    JSONLine([
      "on": settings.isOn, "url": settings.url, "tokenFile": settings.tokenFile, "hasToken": settings.token() != nil,
      "settings": machine.places.settings, "spool": machine.places.spool, "waiting": status.waiting,
      "bytes": status.bytes, "dropped": status.dropped, "refused": status.refused,
      "failure": status.failure.map { "\($0)" }, "example": example,
    ]).line
  }

  /// The doctor's check. Reports never prevent counting.
  func check(showsExample: Bool) -> HealthCheck {
    let name = "analytics"
    if let failure {
      return .warning(name, "reporting is off because its settings cannot be read", remedy: "\(failure)")
    }
    guard settings.isOn else {
      let off = "reporting is off: nothing is stored or sent"
      return .ok(name, showsExample ? "\(off); an example of a report: \(example)" : off)
    }
    let finding =
      "reports are sent to \(target)\(showsExample ? ", such as \(example)" : ""); \(counts) in \(machine.places.spool)"
    guard settings.token() != nil else {
      return .warning(name, finding, remedy: "no token; put one into \(settings.tokenFile ?? "the token file")")
    }
    return .ok(name, finding)
  }
}
