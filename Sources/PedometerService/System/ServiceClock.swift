import Foundation
import History

/// The time as the service needs it: what the calendar says, what has passed, and waiting.
///
/// Wall time may jump; everything that is due after a while goes by the time that has passed.
struct ServiceClock: Sendable {
  /// Wall time.
  var now: @Sendable () -> Date
  /// Time since the machine was booted: it never jumps, and goes on while the machine sleeps and over a restart.
  var elapsed: @Sendable () -> Duration
  /// Waits; throws when the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void

  /// The machine's clocks.
  static var machine: ServiceClock {
    ServiceClock(
      now: { Date() }, elapsed: HistoryClock.systemUptime, sleep: { try await Task.sleep(for: $0, clock: .continuous) })
  }
}

extension Duration {
  /// For Foundation.
  var timeInterval: TimeInterval { self / .seconds(1) }
}
