import Analytics
import ChaseEngine
import LiveSources

/// The reports of one chase of a command, from its beginning to a little behind its end.
struct Reporting {
  /// What the chase reports.
  let reports: ChaseReports
  /// What its room reports, if it has one.
  let room: RoomReports
  private let analytics: SpooledAnalytics

  /// How long a chase that is over waits for its last reports to arrive. What has not arrived by then stays in the spool.
  private static let patience = Duration.seconds(1)

  /// Begins to report; nothing without consent.
  init?(of model: AppModel, on machine: AnalyticsMachine? = .current) {
    guard let machine, let analytics = machine.start() else { return nil }
    self.analytics = analytics
    reports = ChaseReports(of: model, in: machine.environment, analytics: analytics)
    room = RoomReports(in: machine.environment)
    room.analytics = analytics
  }

  /// The chase is over.
  func finish() {
    let analytics = analytics
    Waiting.atMost(Self.patience) { await analytics.finish(within: Self.patience) }
  }
}
