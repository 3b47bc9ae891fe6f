import Accelerometry

/// What a recording's acceleration shows of its unit: for each second the length of the mean vector and the motion
/// around it.
///
/// A second's mean vector is as long as gravity, however hard the body moves: a limb's velocity changes by no more than
/// some 2 m/s in a second, so motion adds 0.2 g at most. Where gravity has been removed the mean is far shorter than the
/// motion. Magnitudes alone tell neither: a runner's shank has a median of 2.2 g, a walk without gravity one of 2 m/s².
struct UnitEvidence: Equatable {
  /// The seconds seen so far.
  private(set) var seconds: [SecondMeter.Second] = []
  private var meter = SecondMeter()

  /// Takes a sample, in the recording's unit.
  mutating func add(nanoseconds: Int64, acceleration: SIMD3<Float>) {
    if let second = meter.add(nanoseconds: nanoseconds, acceleration: acceleration) { seconds.append(second) }
  }

  /// Ends a stretch of samples; its last second counts when it is at least half as long as the one before.
  mutating func endStretch() {
    guard let last = meter.finish() else { return }
    if last.samples * 2 >= seconds.last?.samples ?? 0 { seconds.append(last) }
  }
}

/// Measures the acceleration second by second, by the samples' own time.
struct SecondMeter: Equatable {
  /// One second, in the unit of the samples.
  struct Second: Equatable {
    /// The length of the mean vector.
    var mean: Double
    /// The root mean square of what is around it.
    var motion: Double
    /// How many samples it had.
    var samples: Int
  }

  private var start: Int64 = 0
  private var count = 0
  private var sum = SIMD3<Double>()
  private var squares = 0.0

  /// Takes a sample.
  /// - Returns: the second before it, when the sample begins another.
  mutating func add(nanoseconds: Int64, acceleration: SIMD3<Float>) -> Second? {
    var finished: Second?
    if count > 0, nanoseconds < start || nanoseconds &- start >= 1_000_000_000 { finished = finish() }
    if count == 0 { start = nanoseconds }
    let value = SIMD3<Double>(acceleration)
    count += 1
    sum += value
    squares += (value * value).sum()
    return finished
  }

  /// Ends the second that is open; nothing when there is none.
  mutating func finish() -> Second? {
    guard count > 0 else { return nil }
    let mean = sum / Double(count)
    let square = (mean * mean).sum()
    let motion = max(0, squares / Double(count) - square).squareRoot()
    defer { (count, sum, squares) = (0, SIMD3(), 0) }
    return Second(mean: square.squareRoot(), motion: motion, samples: count)
  }
}

extension UnitEvidence {
  /// The median length of a second's mean vector: gravity, where it is there.
  var gravity: Double { Self.quantile(seconds.map(\.mean), 0.5) }

  /// The motion in the louder seconds; a recording may be quiet for most of its time.
  var motion: Double { Self.quantile(seconds.map(\.motion), 0.95) }

  /// How much of the quieter seconds' mean vector there is for the motion of the louder ones.
  ///
  /// Of 770 walks and runs of thirteen public data sets it is 0.29 at the least; without gravity 0.16 in 98 of 100 and
  /// 0.27 at the most.
  var steadiness: Double {
    let motion = Self.quantile(seconds.map(\.motion), 0.8)
    let mean = Self.quantile(seconds.map(\.mean), 0.2)
    return motion > 0 ? mean / motion : .infinity
  }

  private static func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
