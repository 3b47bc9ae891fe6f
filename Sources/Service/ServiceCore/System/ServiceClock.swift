import Foundation
import History

/// The time for the service: the calendar, elapsed time, and waiting.
///
/// Wall time may jump; everything scheduled uses elapsed time.
package struct ServiceClock: Sendable {
  /// Wall time.
  package var now: @Sendable () -> Date
  /// Time since boot: it never jumps, and continues during sleep and across restarts of the service.
  package var elapsed: @Sendable () -> Duration
  /// Waits; throws when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// Changes with each boot.
  var bootID = HistoryClock.systemBootID

  package var history: HistoryClock { HistoryClock(now: now, uptime: elapsed, bootID: bootID) }

  package static var machine: ServiceClock {
    ServiceClock(
      now: { Date() }, elapsed: HistoryClock.systemUptime, sleep: { try await Task.sleep(for: $0, clock: .continuous) })
  }
}

extension Duration {
  /// For Foundation.
  var timeInterval: TimeInterval { self / .seconds(1) }
}
