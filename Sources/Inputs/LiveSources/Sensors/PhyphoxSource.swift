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
    let experiment = opener.isForService ? known.source(address, make) : make()
    return LiveFeed(experiment, isForService: opener.isForService, waits: opener.finder.waits)
  }
}

extension LiveFeed {
  /// A phone with phyphox.
  /// - Parameters:
  ///   - isForService: whether the feed ends where the phone fails; otherwise it is waited for when it is lost.
  ///   - waits: whether it is waited for at the beginning, too.
  package init(_ experiment: PhyphoxExperiment, isForService: Bool, waits: Bool) {
    let uri = SourceURI.phyphox(experiment.address)
    self.init(
      uri: uri, profile: SensorProfile(name: "phyphox at \(experiment.address.url)", clock: .boottime),
      isForService: isForService, batches: { experiment.batches },
      following: {
        Reconnecting<SampleBatch>.radio(
          "\(uri)", waits: waits, open: { experiment.batches }, sleep: experiment.sleep,
          // The experiment goes on where it was, on a clock that rises.
          joint: { { batch, _ in batch } })
      })
  }
}
