/// The analytics of a program: reports go into the spool, and are delivered from there in the background.
public final class SpooledAnalytics: AnalyticsAPI {
  /// The queued reports.
  public let spool: ReportSpool
  private let delivery: ReportDelivery
  private let isOn: @Sendable () -> Bool
  private let task: Task<Void, Never>

  /// Begins to deliver, including reports that were queued before.
  /// - Parameters:
  ///   - spool: the queued reports.
  ///   - delivery: delivers them to the service.
  ///   - isOn: whether the user still consents, checked for each report before it is written.
  public init(spool: ReportSpool, delivery: ReportDelivery, isOn: @escaping @Sendable () -> Bool) {
    (self.spool, self.delivery, self.isOn) = (spool, delivery, isOn)
    task = Task.detached(priority: .utility) { await delivery.run() }
  }

  deinit { task.cancel() }

  /// Takes a report and returns at once.
  public func sendReport(report: Report) { spool.append(report, if: isOn) { [delivery] in delivery.wake() } }

  /// Waits a short time for the delivery of the reports, and stops. The rest stays in the spool.
  /// - Parameters:
  ///   - time: the longest wait; shorter if everything was delivered or nothing can be at present.
  ///   - clock: the clock of the wait.
  public func finish(within time: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
    // After this, all reports are in the spool.
    _ = await spool.status()
    await delivery.end()
    let limit = Task { [task] in
      if (try? await clock.sleep(for: time)) != nil { task.cancel() }
    }
    await task.value
    limit.cancel()
  }
}
