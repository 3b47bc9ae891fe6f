import Analytics
import Glibc
import Presentation
import ServiceTransport

/// The reports of this process: where they wait, whether they are allowed, and how they get out.
struct AnalyticsMachine: Sendable {
  /// Where settings and the spool lie.
  var places: AnalyticsPlaces
  /// What the reports say of this computer.
  var environment = ReportEnvironment.machine(appVersion: Version.current)
  /// How requests get out, where they do.
  var transport: any Transport = Network.transport

  /// This user's; `nil` for a process without a home.
  static var current: AnalyticsMachine? {
    let environment = ProcessEnvironment.current
    return AnalyticsPlaces { environment[$0] }.map { AnalyticsMachine(places: $0) }
  }

  /// This user's settings, read without looking at the machine; `nil` where there are none.
  static var currentSettings: AnalyticsSettings? {
    let environment = ProcessEnvironment.current
    return AnalyticsPlaces { environment[$0] }.flatMap { try? AnalyticsSettings.load(from: $0.settings) }
  }

  /// What the user allows at this moment; settings that cannot be read allow nothing.
  func settings() -> AnalyticsSettings { (try? AnalyticsSettings.load(from: places.settings)) ?? AnalyticsSettings() }

  /// Where reports wait.
  func spool() -> ReportSpool { ReportSpool(folder: places.spool) }

  /// Brings the spool's reports to the service.
  func delivery(of spool: ReportSpool) -> ReportDelivery {
    let machine = self
    return ReportDelivery(
      spool: spool,
      client: AnalyticsClient(
        access: { machine.settings().access() }, sender: TransportSender(transport: transport)))
  }

  /// Begins to take and deliver reports; nothing without consent.
  func start() -> SpooledAnalytics? {
    guard settings().isOn else { return nil }
    // A spool on a disk with a limit is to fail, not to end the game.
    signal(SIGXFSZ, SIG_IGN)
    let (machine, spool) = (self, spool())
    return SpooledAnalytics(spool: spool, delivery: delivery(of: spool)) { machine.settings().isOn }
  }
}
