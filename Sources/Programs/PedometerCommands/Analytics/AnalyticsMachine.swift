import Analytics
import Platform
import Presentation
import ServiceTransport
import Terminals

/// The reports of this process: their queue, consent and delivery.
struct AnalyticsMachine: Sendable {
  var places: AnalyticsPlaces
  var environment = ReportEnvironment.machine(appVersion: Version.current)
  var transport: any Transport = Network.transport

  /// The machine of this user; `nil` for a process without a home folder.
  static var current: AnalyticsMachine? {
    let environment = ProcessEnvironment.current
    return AnalyticsPlaces { environment[$0] }.map { AnalyticsMachine(places: $0) }
  }

  /// This user's settings, read without examining the machine; `nil` if there are none.
  static var currentSettings: AnalyticsSettings? {
    let environment = ProcessEnvironment.current
    return AnalyticsPlaces { environment[$0] }.flatMap { try? AnalyticsSettings.load(from: $0.settings) }
  }

  /// The current settings; off if they cannot be read.
  func settings() -> AnalyticsSettings { (try? AnalyticsSettings.load(from: places.settings)) ?? AnalyticsSettings() }

  func spool() -> ReportSpool { ReportSpool(folder: places.spool) }

  func delivery(of spool: ReportSpool) -> ReportDelivery {
    let machine = self
    return ReportDelivery(
      spool: spool,
      client: AnalyticsClient(
        access: { machine.settings().access() }, sender: TransportSender(transport: transport)))
  }

  /// Begins to take and deliver reports; `nil` without consent.
  func start() -> SpooledAnalytics? {
    guard settings().isOn else { return nil }
    // A spool on a disk with a size limit should fail without ending the game.
    signal(SIGXFSZ, SIG_IGN)
    let (machine, spool) = (self, spool())
    return SpooledAnalytics(spool: spool, delivery: delivery(of: spool)) { machine.settings().isOn }
  }
}
