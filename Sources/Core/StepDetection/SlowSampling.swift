import Accelerometry

/// Sharpens slow samples, so that the same walk looks alike at 12.5 and at 100 Hz.
///
/// A sensor that reports 10 to 20 times a second reports means over its period, and a straight line between two such
/// samples attenuates peaks once more: a tenth of the amplitude of a quick step is lost at 12.5 Hz, none at 50. Both
/// losses grow with the square of the frequency, and so does the distance of a sample from the line between its
/// neighbours. Adding a quarter of that distance compensates for both.
///
/// Fast samples do not pass through here. A slow one is held until the next one arrives.
struct SlowSampling: Sendable {
  /// A slow sample whose successor is not known yet.
  var held: AccelerationSample?
  /// A sharpened sample whose line is being cut into cells.
  var ready: AccelerationSample?
  /// The latest slow sample, unchanged.
  private var latest: AccelerationSample?

  /// Whether a sample is slow, given the time since the previous one. An invalid sample is not.
  @inline(__always)
  static func applies(to sample: SIMD4<Float>, after elapsed: Int64) -> Bool {
    Tuning.slowNanoseconds.contains(elapsed) && sample.squaredLength < 0.5 * Tuning.largestAccelerationSquared
  }

  /// Prepares a sample by restoring the loss of slow sampling.
  /// - Parameters:
  ///   - sample: the sample.
  ///   - previous: the previous sample, as it was passed on.
  ///   - next: the next sample; `nil` at the end of a run.
  mutating func ready(
    _ sample: AccelerationSample, after previous: AccelerationSample, before next: AccelerationSample?
  ) {
    // A slow sample that was passed on has been sharpened.
    let before = latest.flatMap { $0.nanoseconds == previous.nanoseconds ? $0 : nil } ?? previous
    latest = sample
    held = nil
    ready = sample
    guard let next, Self.applies(to: next.lanes, after: next.nanoseconds &- sample.nanoseconds) else { return }
    let share = Float(sample.nanoseconds &- before.nanoseconds) / Float(next.nanoseconds &- before.nanoseconds)
    let chord = before.lanes + (next.lanes - before.lanes) * SIMD4(repeating: share)
    let sharp = sample.lanes + (sample.lanes - chord) * SIMD4(repeating: Tuning.sharpening)
    if sharp.squaredLength < 0.5 * Tuning.largestAccelerationSquared { ready?.lanes = sharp }
  }
}

extension Span<AccelerationSample> {
  /// The first sample from an index on that is later than another.
  func first(after sample: AccelerationSample, from index: Int) -> AccelerationSample? {
    for i in index..<count where self[i].nanoseconds > sample.nanoseconds { return self[i] }
    return nil
  }
}
