/// One reading of a three-axis accelerometer.
///
/// The timestamp is in whole nanoseconds because the kernel reports it so (`in_timestamp` is an `s64` of nanoseconds)
/// and because comparing two `Int64` takes one instruction, while a `Duration` is a 128-bit number.
public struct AccelerationSample: Sendable, Hashable {
  /// x, y, z and a zero. Four lanes, because the compiler splits and reassembles a vector of three at every operation,
  /// and a zero, so that sums over all lanes are sums over the axes.
  @usableFromInline
  package var lanes: SIMD4<Float>

  /// The time on the sensor clock in nanoseconds. Only differences are meaningful; the source chooses the zero point.
  public var nanoseconds: Int64

  /// Specific force along the sensor's x, y and z axes, in g (1 g = 9.80665 m/s²). Its length is about 1 g at rest,
  /// because an accelerometer measures the support force against gravity.
  @inlinable
  public var acceleration: SIMD3<Float> {
    get { SIMD3(lanes.x, lanes.y, lanes.z) }
    set { lanes = SIMD4(newValue, 0) }
  }

  /// Creates a sample from a time on the sensor clock in nanoseconds and an acceleration in g.
  @inlinable
  public init(nanoseconds: Int64, acceleration: SIMD3<Float>) {
    lanes = SIMD4(acceleration, 0)
    self.nanoseconds = nanoseconds
  }

  /// Creates a sample from a time on the sensor clock and an acceleration in g.
  @inlinable
  public init(timestamp: Duration, acceleration: SIMD3<Float>) {
    self.init(nanoseconds: timestamp.wholeNanoseconds, acceleration: acceleration)
  }

  /// The time on the sensor clock.
  @inlinable
  public var timestamp: Duration { .nanoseconds(nanoseconds) }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero and clamped to ±292 years.
  @inlinable
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds, to the precision of a `Double`.
  @inlinable
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
