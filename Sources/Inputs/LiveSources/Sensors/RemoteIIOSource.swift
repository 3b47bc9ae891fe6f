import Accelerometry
import Counting
import LinuxSensors
import SourceNames

/// An IIO accelerometer of another computer, which its iiod serves.
struct RemoteIIOSource: SourceKind {
  /// Waits between two attempts.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Makes a source, which connects when the first sample is requested.
  var makeSource: @Sendable (RemoteIIOAddress, SensorOptions) -> RemoteIIOAccelerometer = {
    RemoteIIOAccelerometer($0, options: $1)
  }

  func takes(_ uri: SourceURI?) -> Bool { if case .remoteIIO? = uri { true } else { false } }

  func open(_ uri: SourceURI?, for opener: LiveOpener) -> LiveFeed? {
    guard case .remoteIIO(let address)? = uri else { return nil }
    let source = makeSource(address, opener.options)
    let samples = Reconnecting<SampleBatch>.radio(
      "\(SourceURI.remoteIIO(address))", waits: opener.finder.waits, open: { source.batches() }, sleep: sleep,
      joint: TextFeed.joint)
    return LiveFeed(
      uri: .remoteIIO(address), profile: source.profile, isForService: opener.isForService,
      batches: { source.batches() }, following: { samples })
  }
}
