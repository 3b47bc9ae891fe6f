import Platform
import ServiceTransport

/// Delivers reports from the spool to the service, one after the other and in order.
///
/// A report leaves the spool when the service has acknowledged it, so it is sent again if the answer was lost; the
/// service recognises it by its `id`. Time and randomness are parameters.
public actor ReportDelivery {
  /// The result of one attempt.
  package enum Outcome: Sendable, Hashable {
    /// There is nothing to deliver.
    case empty
    /// One report was delivered, or refused and dropped; the next attempt may follow at once.
    case settled
    /// The service is not reachable at present; the wait before the next attempt.
    case waits(Duration)
    /// Nothing can be delivered until there is consent, or a (valid) token.
    case held
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
  private var isEnding = false
  /// The wait after a failure.
  private var rest: Task<Void, Never>?

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
      switch await attempt() {
      case .settled: continue
      case .empty:
        if await wakes.next() == nil { return }
        continue
      case .waits(let time): await rest(for: time)
      case .held: await rest(for: Self.holdInterval)
      }
      if isEnding { return }
    }
  }

  /// Lets ``run()`` return once everything is delivered or nothing can be at present.
  public func end() {
    isEnding = true
    rest?.cancel()
    wakes.continuation.finish()
  }

  private func rest(for time: Duration) async {
    if isEnding { return }
    let rest = Task { [sleep] in _ = try? await sleep(time) }
    self.rest = rest
    await withTaskCancellationHandler {
      await rest.value
    } onCancel: {
      rest.cancel()
    }
  }

  /// Tries to deliver the oldest report. Do not call it during ``run()``.
  package func attempt() async -> Outcome {
    guard let report = await spool.first() else { return .empty }
    guard let access = client.access(), access != refusedAccess else { return .held }
    do {
      _ = try await client.logAnalytics(analytics: report, with: access)
      backoff.reset()
      refusedAccess = nil
      await spool.remove(report.id)
      return .settled
    } catch { return await heed(error, report, access) }
  }

  private func heed(_ error: any Error, _ report: Report, _ access: AnalyticsAccess) async -> Outcome {
    var asked: Duration?
    if case .refused(let status, _, let retryAfter)? = error as? RequestError {
      switch status {
      case 400, 413, 415, 422:
        await spool.remove(report.id, isRefused: true)
        return .settled
      case 401, 403:
        refusedAccess = access
        return .held
      default: asked = retryAfter
      }
    }
    return .waits(Self.wait(backoff.next(), asked: asked, chance: chance()))
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
