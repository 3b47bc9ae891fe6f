import Accelerometry

/// Returns samples on request, without a clock: a recording or a synthetic walk.
///
/// It is deliberately synchronous: an offline count runs at memory speed on one thread per source, and a live source
/// wraps a reader and adds a clock.
public protocol SampleReader {
  /// The properties of the sensor; complete after the first read.
  var profile: SensorProfile { get }

  /// Replaces the content of `samples` with the next samples in order of time, at most a few thousand.
  /// - Returns: `false` at the end.
  /// - Throws: if the rest cannot be read. Earlier samples stay valid.
  mutating func read(into samples: inout [AccelerationSample]) throws -> Bool

  /// What the reader says about its samples, valid at the end; empty for a reader that has nothing to say.
  var verdict: SourceVerdict { get }
}

extension SampleReader {
  public var verdict: SourceVerdict { SourceVerdict() }
}
