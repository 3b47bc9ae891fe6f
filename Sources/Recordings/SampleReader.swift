import Accelerometry

/// A reader that returns samples on request, without a clock: a recording, a synthetic walk.
///
/// It is deliberately synchronous: an offline count runs at memory speed on one thread for each source, and a live one
/// wraps a reader in a source with a clock.
public protocol SampleReader {
  /// The properties of the sensor; complete after the first read.
  var profile: SensorProfile { get }

  /// Replaces the content of `samples` by the next samples in order of time, a few thousand at most.
  /// - Returns: whether there were any; `false` is the end.
  /// - Throws: if the rest cannot be read. Earlier samples stay valid.
  mutating func read(into samples: inout [AccelerationSample]) throws -> Bool
}
