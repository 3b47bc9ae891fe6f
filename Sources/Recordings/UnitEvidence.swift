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

  /// Leaves out all from the first second on that is many times as large as any before it.
  ///
  /// That is what the digits behind the damage in compressed data look like.
  mutating func dropGarbage() {
    var largest = seconds.first?.size ?? 0
    for (index, second) in seconds.enumerated().dropFirst() {
      if second.size > Self.garbage * max(largest, Self.leastSize) {
        seconds.removeSubrange(index...)
        return
      }
      largest = max(largest, second.size)
    }
  }

  /// So many times as large as before nothing becomes that is in one unit …
  private static let garbage = 16.0
  /// … unless it was rest without gravity.
  private static let leastSize = 1.0
}

/// Measures the acceleration second by second, by the samples' own time.
///
/// A few bad samples must not decide about the unit, and a mean or a root mean square follows the worst of them. So a
/// second leaves out samples that are many times as large as its median, as long as they are few.
struct SecondMeter: Equatable {
  /// One second, in the unit of the samples.
  struct Second: Equatable {
    /// The mean vector.
    var vector: SIMD3<Double>
    /// Its length.
    var mean: Double
    /// The root mean square of what is around it.
    var motion: Double
    /// The median magnitude.
    var size: Double
    /// How many samples it had.
    var samples: Int
  }

  private var start: Int64 = 0
  private var values: [SIMD3<Float>] = []

  /// More samples of a second than the fastest sensor gives are not kept.
  private static let mostSamples = 131_072
  /// A magnitude beyond this many times the second's median and the spread around it is far away.
  private static let farAway = 8.0
  /// Samples that are far away are bad ones when at most one in so many is; more of them are motion.
  private static let rarity = 10

  /// Takes a sample.
  /// - Returns: the second before it, when the sample begins another.
  mutating func add(nanoseconds: Int64, acceleration: SIMD3<Float>) -> Second? {
    var finished: Second?
    if !values.isEmpty, nanoseconds < start || nanoseconds &- start >= 1_000_000_000 { finished = finish() }
    if values.isEmpty { start = nanoseconds }
    if values.count < Self.mostSamples { values.append(acceleration) }
    return finished
  }

  /// Ends the second that is open; nothing when there is none. Sorts its samples by magnitude.
  mutating func finish() -> Second? {
    guard !values.isEmpty else { return nil }
    defer { values.removeAll(keepingCapacity: true) }
    let vectors = values.map { SIMD3<Double>($0) }
    let magnitudes = vectors.map { ($0 * $0).sum().squareRoot() }
    let median = Self.median(magnitudes)
    let limit = Self.farAway * (median + Self.median(magnitudes.map { abs($0 - median) }))
    let far = magnitudes.count { $0 > limit }
    let leavesOut = magnitudes.count >= 3 && far <= max(1, magnitudes.count / Self.rarity)
    var count = 0.0
    var sum = SIMD3<Double>()
    var squares = 0.0
    for (vector, magnitude) in zip(vectors, magnitudes) where !leavesOut || magnitude <= limit {
      count += 1
      sum += vector
      squares += magnitude * magnitude
    }
    let mean = sum / count
    let square = (mean * mean).sum()
    let motion = max(0, squares / count - square).squareRoot()
    return Second(
      vector: mean, mean: square.squareRoot(), motion: motion, size: median, samples: values.count)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension UnitEvidence {
  /// The median length of a second's mean vector: gravity, where it is there.
  var gravity: Double { Self.quantile(seconds.map(\.mean), 0.5) }

  /// Half the range of an analogue-digital converter of 10, 12 or 16 bits, where all three axes stay near it: what an
  /// accelerometer with analogue outputs gives, whose zero is half its supply. Gravity lies along all axes alike in one of 300
  /// orientations only.
  var halfRange: Double? {
    Self.halfRanges.first { half in
      let near = seconds.count { second in
        (0..<3).allSatisfy { (0.75 * half...1.25 * half).contains(second.vector[$0]) }
      }
      return near > 0 && near * 5 >= seconds.count * 4
    }
  }

  private static let halfRanges = [512.0, 2048, 32_768]

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
