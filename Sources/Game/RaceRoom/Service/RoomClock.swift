import FoundationEssentials

/// The time of a service or a client, and how to wait for it. Tests control it manually.
public struct RoomClock: Sendable {
  /// The time since 2001-01-01 UTC.
  public var now: @Sendable () -> Duration
  /// Returns after a duration; throws `CancellationError` when cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Creates a clock.
  public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    (self.now, self.sleep) = (now, sleep)
  }

  /// The system's wall clock, for a service.
  public static let wall = RoomClock(
    now: { .seconds(Date().timeIntervalSinceReferenceDate) }, sleep: { try await Task.sleep(for: $0) })

  /// The wall clock at its first use, and monotonic from then on, even if the clock is set: for a client, which
  /// measures the offset of the service's clock.
  public static let steady: RoomClock = {
    let clock = ContinuousClock()
    let beginning = clock.now
    let offset = Duration.seconds(Date().timeIntervalSinceReferenceDate)
    return RoomClock(
      now: { offset + beginning.duration(to: clock.now) },
      sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: .milliseconds(1)) })
  }()
}
