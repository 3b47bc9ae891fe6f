import Logging
import Platform
import ServiceCore
import ServiceLifecycle

/// Looks once a minute for periods to close, and for walkers who were removed.
package struct ChallengeMaintenance: Service {
  let registry: ChallengeRegistry
  let homes: WalkerHomes
  let clock: ServiceClock
  let lane: WorkLane
  let logger: Logger

  package init(registry: ChallengeRegistry, homes: WalkerHomes, clock: ServiceClock, lane: WorkLane, logger: Logger) {
    (self.registry, self.homes, self.clock) = (registry, homes, clock)
    (self.lane, self.logger) = (lane, logger)
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown {
      var former: String?
      while !Task.isCancelled {
        let failure = await look()
        if former.changes(to: failure), let failure { logger.error("challenges: \(failure)") }
        try? await clock.sleep(.seconds(60))
      }
    }
  }

  /// - Returns: why something could not be done.
  private func look() async -> String? {
    do {
      try await homes.closeFormer()
      try await lane.run { [registry] in
        registry.histories.keep(only: Set(try registry.walkers.list().everybody.map(\.id)))
        try registry.closePeriods()
      }
      return nil
    } catch { return "\(error)" }
  }
}
