import Logging
import ServiceLifecycle

/// Gives the service manager signs of life, as long as everybody who should make progress does.
struct Watchdog: Service {
  let notifier: ServiceNotifier
  let clock: ServiceClock
  let logger: Logger
  /// What hangs at a time of the service's; empty when all is well.
  let stuck: @Sendable (Duration) -> [String]

  func run() async throws {
    guard let patience = notifier.watchdog else {
      try? await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      var former: [String] = []
      while !Task.isCancelled {
        former = beat(former)
        try? await clock.sleep(patience / 3)
      }
    }
  }

  /// One sign of life, if it is true.
  /// - Returns: what hangs.
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
