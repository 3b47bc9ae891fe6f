import Accelerometry

/// Detects a sensor that is silent, or repeats one value.
///
/// Silence is measured on the monotonic clock, which excludes sleep. A coarse sensor at rest may repeat its value for hours,
/// but then reports about 1 g. A constant value of any other magnitude (all zeros, an end of the range) is not a measurement:
/// nothing falls for ten seconds.
package struct SensorWatch: Sendable {
  /// The magnitudes in g that a sensor at rest may report, with the worst plausible offset and scale.
  static let plausibleAtRest: ClosedRange<Float> = 0.5...1.5

  /// How long it may be silent.
  var silence: Duration
  private let path: String
  private let timeout: Int64
  private var heardAt = SensorClock.monotonic.now
  private var value: SIMD3<Float>?
  private var since: Int64 = 0
  private var latest: Int64 = 0

  /// - Parameters:
  ///   - path: the sensor's name for errors.
  ///   - timeout: how long it may be silent, and a value may stay constant.
  package init(path: String, timeout: Duration) {
    (self.path, silence, self.timeout) = (path, timeout, timeout.wholeNanoseconds)
  }

  mutating func heard() { heardAt = SensorClock.monotonic.now }

  /// - Throws: `.silent` if it has sent nothing for too long.
  func checkSilence() throws(SensorError) {
    let past = Duration.nanoseconds(SensorClock.monotonic.now - heardAt)
    if past > silence { throw .silent(path: path, after: past) }
  }

  package mutating func take(_ samples: [AccelerationSample]) {
    for sample in samples {
      if sample.acceleration != value {
        value = sample.acceleration
        since = sample.nanoseconds
      }
      latest = sample.nanoseconds
    }
  }

  /// How long the latest value has been constant.
  package var unchanged: Duration { .nanoseconds(latest &- since) }

  /// The value that has been constant for too long and cannot come from a sensor at rest.
  package var stuckValue: SIMD3<Float>? {
    guard let value, latest &- since > timeout else { return nil }
    return Self.plausibleAtRest.contains((value * value).sum().squareRoot()) ? nil : value
  }

  /// - Throws: `.nonsense` for such a value.
  func check() throws(SensorError) {
    guard let stuckValue else { return }
    throw .nonsense(
      path: path, text: "\(stuckValue.x), \(stuckValue.y), \(stuckValue.z) g for \(unchanged.formattedSeconds) s",
      expected: "about 1 g of gravity, or movement")
  }
}
