import Accelerometry
import LinuxSensors
import ServiceTransport
import SourceNames

/// A phone with the app phyphox, by the address that it shows when it allows remote access.
package struct PhyphoxSource: SourceKind {
  var transport: any Transport = PlainTransport()

  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .phyphox(let address)? = uri else { return nil }
    return Self.way(to: PhyphoxExperiment(address, for: sources, transport: transport))
  }

  /// The experiment continues where it was read last.
  static func way(to experiment: PhyphoxExperiment) -> SourceWay {
    let profile = SensorProfile(name: "phyphox at \(experiment.address.url)", clock: .boottime)
    return SourceWay(.radio) { _ in
      SourceConnection(uri: .phyphox(experiment.address), profile: profile) { experiment.batches }
    }
  }
}
