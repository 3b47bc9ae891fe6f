import Logging
import ServiceCore
import ServiceLifecycle

/// Looks once a minute for periods to close, and for walkers who were removed.
package struct ChallengeKeeper: Service {
  let desk: ChallengeDesk
  let homes: WalkerHomes
  let clock: ServiceClock
  let lane: WorkLane
  let logger: Logger

  package init(desk: ChallengeDesk, homes: WalkerHomes, clock: ServiceClock, lane: WorkLane, logger: Logger) {
    (self.desk, self.homes, self.clock) = (desk, homes, clock)
    (self.lane, self.logger) = (lane, logger)
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown {
      var former: String?
      while !Task.isCancelled {
        let failure = await look()
        if let failure, failure != former { logger.error("challenges: \(failure)") }
        former = failure
        try? await clock.sleep(.seconds(60))
      }
    }
  }

  /// - Returns: why something could not be done.
  private func look() async -> String? {
    do {
      try await homes.closeFormer()
      try await lane.run { [desk] in
        desk.histories.keep(only: Set(try desk.walkers.list().everybody.map(\.id)))
        try desk.closePeriods()
      }
      return nil
    } catch { return "\(error)" }
  }
}
