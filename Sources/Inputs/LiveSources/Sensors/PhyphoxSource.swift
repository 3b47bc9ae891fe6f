import Accelerometry
import Counting
import LinuxSensors
import Platform
import Recordings
import ServiceTransport
import SourceNames

/// A phone with the app phyphox, by the address that it shows when it allows remote access.
package struct PhyphoxSource: SourceKind {
  /// Sends the requests.
  var transport: any Transport = PlainTransport()
  /// Waits between two requests, and between two attempts.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The service continues an experiment where it was read last.
  private let known = OpenedSources<PhyphoxAddress, PhyphoxExperiment>()

  package init() {}

  package func takes(_ uri: SourceURI?) -> Bool { if case .phyphox? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    guard case .phyphox(let address)? = uri else { return nil }
    let make = { PhyphoxExperiment(address, for: opener, transport: transport, sleep: sleep) }
    if opener.isForService { return LiveFeed(known.source(address, make)) }
    return LiveFeed(following: make(), waits: opener.finder.waits)
  }
}

extension LiveFeed {
  /// A phone with phyphox that ends where it fails.
  package init(_ experiment: PhyphoxExperiment) {
    self.init(experiment) { experiment.batches.map { SourceEvent.element($0) } }
  }

  /// A phone with phyphox that is waited for when it is lost.
  /// - Parameter waits: whether it is waited for at the beginning, too.
  package init(following experiment: PhyphoxExperiment, waits: Bool) {
    let name = "\(SourceURI.phyphox(experiment.address))"
    self.init(experiment) {
      Reconnecting<SampleBatch>.radio(
        name, waits: waits, open: { experiment.batches }, sleep: experiment.sleep,
        // The experiment goes on where it was, on a clock that rises.
        joint: { { batch, _ in batch } })
    }
  }

  private init<Batches: AsyncSequence & Sendable>(
    _ experiment: PhyphoxExperiment, batches: @escaping @Sendable () -> Batches
  ) where Batches.Element == SourceEvent<SampleBatch>, Batches.Failure == any Error {
    self.init(
      uri: .phyphox(experiment.address), walk: SampleWalk(batches), samples: { batches() },
      profile: SensorProfile(name: "phyphox at \(experiment.address.url)", clock: .boottime))
  }
}
