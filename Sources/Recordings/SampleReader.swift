import Accelerometry

/// Anything that hands out samples when asked, without waiting for a clock: a dump, a made-up walk.
///
/// Synchronous on purpose: an offline count runs at memory speed on one thread for each source, and a live one wraps a
/// reader in a source that knows about time.
public protocol SampleReader {
  /// What is known about the sensor; complete after the first read.
  var profile: SensorProfile { get }

  /// Replaces the content of `samples` by the next samples in the order of time, a few thousand at most.
  /// - Returns: whether there were any; `false` is the end.
  /// - Throws: when the rest cannot be read. What was handed out before stays good.
  mutating func read(into samples: inout [AccelerationSample]) throws -> Bool
}
