import Foundation

/// The time as the service needs it: what the calendar says, what has passed, and waiting.
///
/// Wall time may jump; everything that is due after a while goes by the time that has passed.
struct ServiceClock: Sendable {
  /// Wall time.
  var now: @Sendable () -> Date
  /// Time since some moment before the service began; it never jumps, and goes on while the machine sleeps.
  var elapsed: @Sendable () -> Duration
  /// Waits; throws when the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void

  /// The machine's clocks.
  static var machine: ServiceClock {
    let clock = ContinuousClock()
    let beginning = clock.now
    return ServiceClock(
      now: { Date() }, elapsed: { beginning.duration(to: clock.now) },
      sleep: { try await Task.sleep(for: $0, clock: clock) })
  }
}

extension Duration {
  /// For Foundation.
  var timeInterval: TimeInterval { self / .seconds(1) }
}
