import Platform
import ServiceTransport

/// Delivers reports from the spool to the service, one after the other and in order.
///
/// A report leaves the spool when the service has acknowledged it, so it is sent again if the answer was lost; the
/// service recognises it by its `id`. Time and randomness are parameters.
public actor ReportDelivery {
  /// The result of one attempt.
  public enum Outcome: Sendable, Hashable {
    /// There is nothing to deliver.
    case empty
    /// One report was delivered.
    case delivered
    /// The service refused one report, and it was dropped.
    case refused
    /// The service is not reachable at present; the wait before the next attempt.
    case waits(Duration, reason: String)
    /// Nothing can be delivered until there is consent, or a (valid) token.
    case held(reason: String)

    /// Whether the next attempt may follow at once.
    fileprivate var goesOn: Bool { self == .delivered || self == .refused }
  }

  /// The interval for checking whether there is a token.
  public static let holdInterval = Duration.seconds(30)

  private let spool: ReportSpool
  private let client: AnalyticsClient
  private let chance: @Sendable () -> Double
  private let sleep: @Sendable (Duration) async throws -> Void
  private nonisolated let wakes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

  private var backoff = Backoff(first: .seconds(1), longest: .seconds(300))
  private var refusedAccess: AnalyticsAccess?
  /// The result of the last attempt while waiting, `nil` while delivering.
  private var rest: Outcome?
  private var watchers: [CheckedContinuation<Void, Never>] = []

  /// Creates a delivery that has not begun.
  /// - Parameters:
  ///   - spool: the queued reports.
  ///   - client: sends them.
  ///   - clock: the clock of the waits.
  ///   - chance: a random number from 0 to 1, called for each wait.
  public init(
    spool: ReportSpool, client: AnalyticsClient, clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    (self.spool, self.client, self.chance) = (spool, client, chance)
    sleep = { try await clock.sleep(for: $0) }
    wakes = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Wakes the delivery after reports were added.
  public nonisolated func wake() { wakes.continuation.yield() }

  /// Delivers reports until it is cancelled. Call it once.
  public func run() async {
    var wakes = wakes.stream.makeAsyncIterator()
    while !Task.isCancelled {
      rest = nil
      let outcome = await attempt()
      if outcome.goesOn { continue }
      rest = outcome
      announce()
      switch outcome {
      case .waits(let time, _): try? await sleep(time)
      case .held: try? await sleep(Self.holdInterval)
      default: if await wakes.next() == nil { return }
      }
    }
  }

  /// Delivers the queued reports, and stops at the first obstacle. Do not call it during ``run()``.
  /// - Returns: `empty` if all were delivered.
  @discardableResult
  public func drain() async -> Outcome {
    while !Task.isCancelled {
      let outcome = await attempt()
      if !outcome.goesOn { return outcome }
    }
    return .waits(.zero, reason: "cancelled")
  }

  /// Returns when ``run()`` has delivered everything or cannot continue at present.
  public func settle() async {
    while !Task.isCancelled {
      switch rest {
      case .waits, .held: return
      case nil: break
      default:
        if await spool.status().waiting == 0 { return }
        // Meanwhile, an attempt or the end of the wait may have been announced, and the next one may be hours away.
        guard rest == .empty, !Task.isCancelled else { continue }
        // Another process may have added reports. The next attempt is announced.
        wake()
      }
      await withCheckedContinuation { watchers.append($0) }
    }
  }

  /// Resumes the tasks in ``settle()``.
  public func announce() {
    let waiting = watchers
    watchers = []
    for watcher in waiting { watcher.resume() }
  }

  private func attempt() async -> Outcome {
    guard let report = await spool.first() else { return .empty }
    guard let access = client.access() else { return .held(reason: "\(RequestError.notSignedIn)") }
    if access == refusedAccess { return .held(reason: "the service rejected the token") }
    do {
      _ = try await client.logAnalytics(analytics: report, with: access)
      backoff.reset()
      refusedAccess = nil
      await spool.remove(report.id)
      return .delivered
    } catch { return await heed(error, report, access) }
  }

  private func heed(_ error: any Error, _ report: Report, _ access: AnalyticsAccess) async -> Outcome {
    var asked: Duration?
    if case .refused(let status, _, let retryAfter)? = error as? RequestError {
      switch status {
      case 400, 413, 415, 422:
        await spool.remove(report.id, isRefused: true)
        return .refused
      case 401, 403:
        refusedAccess = access
        return .held(reason: "\(error)")
      default: asked = retryAfter
      }
    }
    return .waits(Self.wait(backoff.next(), asked: asked, chance: chance()), reason: "\(error)")
  }

  /// A wait with jitter: up to half of it is random, so that many clients that lost a service at the same time do not all
  /// return at the same time.
  /// - Parameters:
  ///   - asked: the wait that the service requested; the result is never shorter, up to an hour.
  ///   - chance: from 0 to 1.
  static func wait(_ full: Duration, asked: Duration?, chance: Double) -> Duration {
    max(full * (0.5 + 0.5 * min(max(chance, 0), 1)), asked.map { min($0, .seconds(3600)) } ?? .zero)
  }
}
