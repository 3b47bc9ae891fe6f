/// One reading of a three-axis accelerometer.
///
/// The timestamp is kept in whole nanoseconds because that is what the kernel hands out (`in_timestamp` is an `s64` of
/// nanoseconds) and because comparing two `Int64` costs one instruction, while a `Duration` is a 128-bit number.
public struct AccelerationSample: Sendable, Hashable {
  /// x, y, z and a zero. Four lanes, because the compiler takes a vector of three apart and puts it together again at
  /// every operation, and a zero, so that sums over all lanes are sums over the axes.
  @usableFromInline
  package var lanes: SIMD4<Float>

  /// The sensor clock's reading in nanoseconds. Only differences mean something; the zero point is the source's.
  public var nanoseconds: Int64

  /// Specific force along the sensor's x, y and z axes, in g (1 g = 9.80665 m/s²). About 1 g long at rest, because
  /// an accelerometer feels the ground's push against gravity.
  @inlinable
  public var acceleration: SIMD3<Float> {
    get { SIMD3(lanes.x, lanes.y, lanes.z) }
    set { lanes = SIMD4(newValue, 0) }
  }

  /// Makes a sample from a sensor clock's reading in nanoseconds and an acceleration in g.
  @inlinable
  public init(nanoseconds: Int64, acceleration: SIMD3<Float>) {
    lanes = SIMD4(acceleration, 0)
    self.nanoseconds = nanoseconds
  }

  /// Makes a sample from a sensor clock's reading and an acceleration in g.
  @inlinable
  public init(timestamp: Duration, acceleration: SIMD3<Float>) {
    self.init(nanoseconds: timestamp.wholeNanoseconds, acceleration: acceleration)
  }

  /// The sensor clock's reading.
  @inlinable
  public var timestamp: Duration { .nanoseconds(nanoseconds) }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero; clamped where it exceeds ±292 years.
  @inlinable
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds, as nearly as a `Double` can say.
  @inlinable
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
