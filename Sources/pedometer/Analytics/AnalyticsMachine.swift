import Analytics
import Dispatch
import Glibc
import LiveCounting
import ServiceTransport
import Synchronization

/// The reports of this process: where they wait, whether they are allowed, and how they get out.
struct AnalyticsMachine: Sendable {
  /// Where settings and the spool lie.
  var places: AnalyticsPlaces
  /// What the reports say of this computer.
  var environment = ReportEnvironment.machine(appVersion: Version.current)
  /// How requests get out.
  var transport: any Transport = NetworkTransport()

  /// This user's; `nil` for a process without a home.
  static var current: AnalyticsMachine? {
    let environment = ProcessEnvironment.current
    return AnalyticsPlaces { environment[$0] }.map { AnalyticsMachine(places: $0) }
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

/// Lets a command without `async` wait for something that has it.
enum Waiting {
  /// Runs it to its end, or until the time is over; then it is cancelled, and not waited for any more.
  /// - Returns: what it gave, if it came to its end.
  @discardableResult
  static func atMost<Result: Sendable>(
    _ time: Duration, _ body: @escaping @Sendable () async -> Result
  ) -> Result? {
    let (done, result) = (DispatchSemaphore(value: 0), Box<Result>())
    let task = Task.detached {
      let value = await body()
      result.value.withLock { $0 = value }
      done.signal()
    }
    let (seconds, attoseconds) = time.components
    let limit = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    if done.wait(timeout: limit) == .timedOut { task.cancel() }
    return result.value.withLock { $0 }
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
