import Accelerometry

/// The latest of what a sensor measures, for a picture: the magnitude of the acceleration, at most 25 values a second.
///
/// A pure value of a bounded size, 3 kB. Samples between two values are left out, so it is for looking at, not for counting.
struct MagnitudeTrace: Sendable {
  /// The number of values that are kept: eight seconds, or more of a sensor that is slower.
  static let capacity = 200
  private static let spacing: Int64 = 40_000_000
  private static let longestGap: Int64 = 1_000_000_000

  /// In g, oldest first; about 1 at rest.
  private(set) var values: [Float] = []
  /// The times of the values on the service's clock, in nanoseconds.
  private var times: [Int64] = []
  private var due = Int64.min

  init() {}

  /// The time of the latest value on the service's clock; `nil` before the first.
  var end: Duration? { times.last.map { .nanoseconds($0) } }

  /// The mean time between two values.
  var interval: Duration {
    guard let first = times.first, let last = times.last, times.count > 1 else { return .nanoseconds(Self.spacing) }
    return .nanoseconds((last - first) / Int64(times.count - 1))
  }

  /// Takes samples.
  /// - Parameter shift: how far the service's clock is ahead of the samples'.
  mutating func take(_ samples: [AccelerationSample], shift: Duration) {
    let ahead = shift.wholeNanoseconds
    for sample in samples {
      let time = sample.nanoseconds + ahead
      if let last = times.last, !(0...Self.longestGap).contains(time - last) {
        values.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        due = .min
      }
      // A quarter early is in time, so that 25 Hz with jitter gives every sample.
      guard due == .min || time >= due - Self.spacing / 4 else { continue }
      due = max(due == .min ? time : due, time - Self.spacing / 2) + Self.spacing
      if values.count == Self.capacity {
        values.removeFirst()
        times.removeFirst()
      }
      let acceleration = sample.acceleration
      values.append((acceleration * acceleration).sum().squareRoot())
      times.append(time)
    }
  }
}
