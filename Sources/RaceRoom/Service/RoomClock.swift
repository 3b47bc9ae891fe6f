import FoundationEssentials

/// The time of a service or a client, and how to wait for it. Tests give one that they turn by hand.
public struct RoomClock: Sendable {
  /// What the time is: since 2001-01-01 UTC.
  public var now: @Sendable () -> Duration
  /// Returns after so long; throws `CancellationError` when cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Makes a clock.
  public init(
    now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's clock, as dates go by it: for a service.
  public static let wall = RoomClock(
    now: { .seconds(Date().timeIntervalSinceReferenceDate) }, sleep: { try await Task.sleep(for: $0) })

  /// The system's clock as it was when the process first asked, and from then on monotonic, even if the clock is set: for a client,
  /// which measures what the service's clock says against it.
  public static let steady: RoomClock = {
    let clock = ContinuousClock()
    let beginning = clock.now
    let offset = Duration.seconds(Date().timeIntervalSinceReferenceDate)
    return RoomClock(
      now: { offset + beginning.duration(to: clock.now) },
      sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: .milliseconds(1)) })
  }()
}
