import Accelerometry

/// Notices a sensor that repeats one value.
///
/// A coarse sensor that lies still may do so for hours, and then says 1 g, because it lies on something. A value that
/// stands still anywhere else (all zeros, an end of the range) is no measurement: nothing falls for ten seconds.
public struct StuckWatch: Sendable {
  /// What a sensor that lies still may say, in g, with an offset and a scale as bad as they come.
  static let plausibleAtRest: ClosedRange<Float> = 0.5...1.5

  private let timeout: Int64
  private var value: SIMD3<Float>?
  private var since: Int64 = 0
  private var latest: Int64 = 0

  /// - Parameter timeout: how long a value may stand still.
  public init(timeout: Duration) { self.timeout = timeout.wholeNanoseconds }

  /// Takes samples in their order.
  public mutating func take(_ samples: [AccelerationSample]) {
    for sample in samples {
      if sample.acceleration != value {
        value = sample.acceleration
        since = sample.nanoseconds
      }
      latest = sample.nanoseconds
    }
  }

  /// For how long the latest value has stood still.
  public var unchanged: Duration { .nanoseconds(latest &- since) }

  /// The value that has stood still for too long where nothing can stand still.
  public var stuckValue: SIMD3<Float>? {
    guard let value, latest &- since > timeout else { return nil }
    return Self.plausibleAtRest.contains((value * value).sum().squareRoot()) ? nil : value
  }

  /// - Throws: `.nonsense` for such a value.
  func check(path: String) throws(SensorError) {
    guard let stuckValue else { return }
    throw .nonsense(
      path: path, text: "\(stuckValue.x), \(stuckValue.y), \(stuckValue.z) g for \(unchanged.formattedSeconds) s",
      expected: "about 1 g of gravity, or a movement")
  }
}
