import Analytics
import Platform
import Presentation
import ServiceTransport
import Terminals

/// The reports of this process: their queue, consent and delivery.
struct AnalyticsMachine: Sendable {
  var places: AnalyticsPlaces
  /// Read from files of the system.
  var environment: ReportEnvironment { .machine(appVersion: Version.current) }

  /// The machine of this user; `nil` for a process without a home folder.
  static var current: AnalyticsMachine? {
    let environment = ProcessEnvironment.current
    return AnalyticsPlaces { environment[$0] }.map { AnalyticsMachine(places: $0) }
  }

  /// The current settings; off if they cannot be read.
  func settings() -> AnalyticsSettings { (try? AnalyticsSettings.load(from: places.settings)) ?? AnalyticsSettings() }

  func spool() -> ReportSpool { ReportSpool(folder: places.spool) }

  /// Begins to take and deliver reports; `nil` without consent.
  func start() -> SpooledAnalytics? {
    guard settings().isOn else { return nil }
    // A spool on a disk with a size limit should fail without ending the game.
    signal(SIGXFSZ, SIG_IGN)
    let spool = spool()
    let client = AnalyticsClient(
      access: { settings().access() }, sender: TransportSender(transport: Network.transport))
    return SpooledAnalytics(spool: spool, delivery: ReportDelivery(spool: spool, client: client)) { settings().isOn }
  }

  /// The doctor's check, which writes nothing. Reports never prevent counting.
  func check(showsExample: Bool) -> HealthCheck {
    let name = "analytics"
    let settings: AnalyticsSettings
    do throws(AnalyticsSettings.Failure) { settings = try .load(from: places.settings) } catch {
      return .warning(name, "reporting is off because its settings cannot be read", remedy: "\(error)")
    }
    let report = Report.make(
      event: .chaseCompleted, type: .lifecycle, duration: .milliseconds(312_500), in: environment)
    let example = String(decoding: (try? report.json()) ?? [], as: UTF8.self)
    guard settings.isOn else {
      let off = "reporting is off: nothing is stored or sent"
      return .ok(name, showsExample ? "\(off); an example of a report: \(example)" : off)
    }
    let status = spool().statusNow()
    let finding =
      "reports are sent to \(settings.url ?? "nowhere")/\(AnalyticsClient.path)"
      + (showsExample ? ", such as \(example)" : "")
      + "; \(status.waiting) queued, \(status.dropped) dropped, \(status.refused) refused in \(places.spool)"
    if let failure = status.failure {
      return .warning(name, finding, remedy: "that folder cannot be read: \(failure); remove it")
    }
    guard settings.token() != nil else {
      return .warning(name, finding, remedy: "no token; put one into \(settings.tokenFile ?? "the token file")")
    }
    return .ok(name, finding)
  }
}
