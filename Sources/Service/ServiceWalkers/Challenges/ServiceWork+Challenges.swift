import Logging
import Platform
import ServiceCore

extension ServiceWork {
  /// Looks once a minute for periods to close, and for walkers who were removed.
  package static func challenges(
    _ registry: ChallengeRegistry, _ homes: WalkerHomes, clock: ServiceClock, logger: Logger
  ) -> ServiceWork {
    ServiceWork {
      var former: String?
      while !Task.isCancelled {
        do {
          try await homes.closeFormer()
          try await homes.lane.run {
            registry.histories.keep(only: Set(try registry.walkers.list().everybody.map(\.id)))
            try registry.closePeriods()
          }
          former = nil
        } catch { if former.changes(to: "\(error)") { logger.error("challenges: \(error)") } }
        try? await clock.sleep(.seconds(60))
      }
    }
  }
}
