import Analytics
import ChaseEngine
import ChaseTerminal
import LiveSources

/// The reports of one chase of a command, until shortly after its end.
struct Reporting {
  let reports: ChaseReports
  let room: RoomReports
  private let analytics: SpooledAnalytics

  /// How long a finished chase waits for the delivery of its last reports. The rest stays in the spool.
  private static let timeout = Duration.seconds(1)

  /// Begins to report; `nil` without consent.
  init?(of model: AppModel) {
    guard let machine = AnalyticsMachine.current, let analytics = machine.start() else { return nil }
    self.analytics = analytics
    let environment = machine.environment
    reports = ChaseReports(of: model, in: environment, analytics: analytics)
    room = RoomReports(in: environment)
    room.analytics = analytics
  }

  func finish() {
    let analytics = analytics
    Waiting.atMost(Self.timeout) { await analytics.finish(within: Self.timeout) }
  }
}
