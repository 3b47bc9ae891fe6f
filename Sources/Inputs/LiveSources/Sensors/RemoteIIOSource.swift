import Accelerometry
import LinuxSensors
import SourceNames

/// An IIO accelerometer of another computer, which its iiod serves.
struct RemoteIIOSource: SourceKind {
  /// Makes a source, which connects when the first sample is requested.
  var makeSource: @Sendable (RemoteIIOAddress, SensorOptions) -> RemoteIIOAccelerometer = {
    RemoteIIOAccelerometer($0, options: $1)
  }

  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .remoteIIO(let address)? = uri else { return nil }
    let source = makeSource(address, sources.options)
    return SourceWay(.radio) { _ in
      SourceConnection(uri: .remoteIIO(address), profile: source.profile) { source.batches() }
    }
  }
}
