import Logging
import ServiceCore
import ServiceLifecycle

/// Sends watchdog notifications to the service manager, while all parts of the service make progress.
struct Watchdog: Service {
  let notifier: ServiceNotifier
  let clock: ServiceClock
  let logger: Logger
  /// The hung parts at a time of the service; empty if there are none.
  let stuck: @Sendable (Duration) -> [String]

  func run() async throws {
    guard let timeout = notifier.watchdog else {
      try? await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      var former: [String] = []
      while !Task.isCancelled {
        former = beat(former)
        try? await clock.sleep(timeout / 3)
      }
    }
  }

  /// One notification, unless a part hangs.
  /// - Returns: the hung parts.
  func beat(_ former: [String] = []) -> [String] {
    let present = stuck(clock.elapsed())
    if present.isEmpty {
      notifier.alive()
    } else if present != former {
      logger.error("the watchdog was not notified: \(present.joined(separator: ", ")) hangs")
    }
    return present
  }
}
