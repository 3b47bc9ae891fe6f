/// The analytics of a program: what is reported goes into the spool, and from there to the service, behind the back of
/// whoever reports.
public final class SpooledAnalytics: AnalyticsAPI {
  /// Where reports wait.
  public let spool: ReportSpool
  private let delivery: ReportDelivery
  private let isOn: @Sendable () -> Bool
  private let task: Task<Void, Never>

  /// Begins to deliver, what waited from before as well.
  /// - Parameters:
  ///   - spool: where reports wait.
  ///   - delivery: takes them from there to the service.
  ///   - isOn: whether there is consent still, asked for each report before it is written.
  public init(spool: ReportSpool, delivery: ReportDelivery, isOn: @escaping @Sendable () -> Bool) {
    self.spool = spool
    self.delivery = delivery
    self.isOn = isOn
    task = Task.detached(priority: .utility) { await delivery.run() }
  }

  deinit { task.cancel() }

  /// Takes a report and returns at once.
  public func sendReport(report: Report) {
    spool.append(report, if: isOn) { [delivery] in delivery.wake() }
  }

  /// Gives what was reported a little time to arrive, and then stops. The rest stays in the spool.
  /// - Parameters:
  ///   - time: how long at most; less when everything has arrived or nothing can at present.
  ///   - clock: by which it waits.
  public func finish(within time: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
    // Behind this, all that was reported is in the spool.
    _ = await spool.status()
    let settling = Task { await delivery.settle() }
    let limit = Task {
      try? await clock.sleep(for: time)
      settling.cancel()
      await delivery.announce()
    }
    await settling.value
    limit.cancel()
    task.cancel()
  }
}
