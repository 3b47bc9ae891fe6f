import Accelerometry

/// The evidence about the unit: for each second, the length of the mean vector and the motion around it.
///
/// The mean vector of a second is about as long as gravity, however hard the body moves: a limb's velocity changes by
/// at most 2 m/s in a second, which is 0.2 g. Without gravity, the mean is far shorter than the motion. Magnitudes
/// alone show neither: a runner's shank has a median of 2.2 g, a walk without gravity one of 2 m/s².
struct UnitEvidence: Equatable {
  private(set) var seconds: [SecondMeter.Second] = []
  private var meter = SecondMeter()
  private var (least, most) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
  private var hasNegative: Bool { least.min() < 0 }

  /// Takes a sample, in the recording's unit.
  mutating func add(nanoseconds: Int64, acceleration: SIMD3<Float>) {
    (least, most) = (pointwiseMin(least, acceleration), pointwiseMax(most, acceleration))
    if let second = meter.add(nanoseconds: nanoseconds, acceleration: acceleration) { seconds.append(second) }
  }

  /// Takes a part of a batch: that of a fast pipe has many seconds. A day of seconds is enough.
  mutating func addSome(of batch: [AccelerationSample]) {
    guard seconds.count < 86_400 else { return }
    for sample in batch.prefix(256) { add(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration) }
  }

  /// Ends a run of samples; its last second counts if it is at least half as long as the previous one.
  mutating func endStretch() {
    guard let last = meter.finish() else { return }
    if last.samples * 2 >= seconds.last?.samples ?? 0 { seconds.append(last) }
  }

  /// The same evidence with the zero of a converter subtracted.
  func shifted(by zero: Double) -> Self { shifted(by: SIMD3(repeating: zero)) }

  /// The same evidence without an axis that has one value for ten seconds, if the others show a unit and all three do not: a stuck
  /// axis has none.
  var withoutStuckAxis: Self {
    guard let first = seconds.first?.vector, seconds.count >= 10, !UnitGuess.isClear(self) else { return self }
    return (0..<3).lazy.filter { least[$0] == most[$0] }.map { axis in
      var stuck = SIMD3<Double>()
      stuck[axis] = first[axis]
      return shifted(by: stuck)
    }.first { UnitGuess.isClear($0) } ?? self
  }

  private func shifted(by zero: SIMD3<Double>) -> Self {
    var shifted = self
    for index in seconds.indices {
      let vector = seconds[index].vector - zero
      shifted.seconds[index].vector = vector
      shifted.seconds[index].mean = (vector * vector).sum().squareRoot()
      shifted.seconds[index].rest = nil
    }
    return shifted
  }

  /// Drops all seconds from the first that is many times as large as any before it.
  ///
  /// Garbage after damage in compressed data looks like this.
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

  /// No second of one unit exceeds the previous ones by this factor …
  private static let garbage = 16.0
  /// … unless these were rest without gravity.
  private static let leastSize = 1.0
}

/// Measures the acceleration second by second, in sample time.
///
/// A few invalid samples must not decide about the unit, but a mean or a root mean square follows the worst of them. A
/// second therefore ignores samples that are many times as large as its median, if they are few.
struct SecondMeter: Equatable {
  /// One second, in the unit of the samples.
  struct Second: Equatable {
    var vector: SIMD3<Double>
    /// Its length.
    var mean: Double
    /// The root mean square around the mean.
    var motion: Double
    /// The median magnitude.
    var size: Double
    /// The mean square of the change from one sample to the next, relative to that of unrelated samples.
    var roughness: Double
    /// The length of the mean vector of a half in which hardly anything moves: gravity, if it is there; `nil` if both move.
    var rest: Double?
    var samples: Int
    /// Its first sample's time, in nanoseconds.
    var start: Int64
  }

  private var start: Int64 = 0
  private var values: [SIMD3<Float>] = []

  /// The maximum number of samples per second, more than the fastest sensor delivers.
  private static let mostSamples = 131_072
  /// Samples beyond this many times the sum of the second's median magnitude and the median deviation from it are outliers.
  private static let farAway = 8.0
  /// Outliers are ignored if at most one in this many samples is one; more of them are motion.
  private static let rarity = 10

  /// Takes a sample.
  /// - Returns: the previous second, if the sample begins a new one.
  mutating func add(nanoseconds: Int64, acceleration: SIMD3<Float>) -> Second? {
    var finished: Second?
    if !values.isEmpty, nanoseconds < start || nanoseconds &- start >= 1_000_000_000 { finished = finish() }
    if values.isEmpty { start = nanoseconds }
    if values.count < Self.mostSamples { values.append(acceleration) }
    return finished
  }

  /// Ends the current second; `nil` if it is empty. Sorts its samples by magnitude.
  mutating func finish() -> Second? {
    guard !values.isEmpty else { return nil }
    defer { values.removeAll(keepingCapacity: true) }
    let vectors = values.map { SIMD3<Double>($0) }
    let magnitudes = vectors.map { ($0 * $0).sum().squareRoot() }
    let median = magnitudes.median
    let limit = Self.farAway * (median + magnitudes.map { abs($0 - median) }.median)
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
    let changes = zip(vectors, vectors.dropFirst()).reduce(0.0) { sum, pair in
      let change = pair.1 - pair.0
      return sum + (change * change).sum()
    }
    let roughness = motion > 0 ? changes / Double(max(1, vectors.count - 1)) / (2 * motion * motion) : 0
    return Second(
      vector: mean, mean: square.squareRoot(), motion: motion, size: median, roughness: roughness,
      rest: Self.rest(vectors[..<(vectors.count / 2)]) ?? Self.rest(vectors[(vectors.count / 2)...]),
      samples: values.count, start: start)
  }

  /// The length of the mean vector if hardly anything moves around it. A few samples do not show that.
  private static func rest(_ vectors: ArraySlice<SIMD3<Double>>) -> Double? {
    guard vectors.count >= fewestAtRest else { return nil }
    let count = Double(vectors.count)
    let mean = vectors.reduce(SIMD3()) { $0 + $1 } / count
    let square = (mean * mean).sum()
    let motion = vectors.reduce(0.0) { $0 + ($1 * $1).sum() } / count - square
    return motion < UnitEvidence.motionAtRest * UnitEvidence.motionAtRest * square ? square.squareRoot() : nil
  }

  private static let fewestAtRest = 4
}

extension UnitEvidence {
  var change: UnitChange? { UnitChange(means: seconds.map(\.mean), times: seconds.map(\.start)) }

  /// The median length of a second's mean vector: gravity, if it is present.
  var gravity: Double { Self.quantile(seconds.map(\.mean), 0.5) }

  /// Gravity as the half seconds show it in which nothing moves: the median length of their mean vectors; `nil` if there are
  /// none, or if a second is as still without it.
  ///
  /// An arm that boxes turns so much that its mean vectors are as short as without gravity, but it pauses. Without
  /// gravity, 0 of 150 recordings have a rest within a tenth of one unit, and of 700 from which a filter took it, one.
  var rest: Double? {
    let rests = seconds.compactMap(\.rest)
    guard !rests.isEmpty else { return nil }
    let rest = Self.quantile(rests, 0.5)
    return seconds.contains { max($0.mean, $0.motion) < Self.motionAtRest * rest } ? nil : rest
  }

  /// Relative to the length of the mean vector.
  static let motionAtRest = 0.15

  /// Whether the values are as large as activity counts, magnitudes or other sizes: nothing is below zero, although the
  /// values change as much as they are large.
  ///
  /// Of 2,404 recordings of acceleration 34 have no value below zero, and their ``steadiness`` is 2.6 or more.
  var isSizes: Bool {
    !hasNegative && seconds.count >= Self.secondsOfSizes && steadiness < 1.5
      && Self.quantile(seconds.map(\.motion), 0.8) > UnitGuess.stillness
  }

  private static let secondsOfSizes = 5

  /// Whether the readings are those of an analogue-digital converter whose zero is not 0, such as 0 to 1023 around 512.
  ///
  /// All axes are then positive and nearly equal, and the motion is small compared with them. Gravity has such a direction in 9
  /// of 2,404 recordings, and in 2 of these the motion is as small.
  var isOffset: Bool {
    let near = seconds.count { second in
      second.vector.min() > 0 && second.vector.sum() > 0.955 * 3.0.squareRoot() * second.mean
    }
    return near > 0 && near * 5 >= seconds.count * 4 && Self.quantile(seconds.map(\.motion), 0.8) < 0.12 * gravity
  }

  /// Whether neighbouring samples are unrelated, in seconds of motion. In no recording with 60 samples per second or more is the
  /// median ``SecondMeter/Second/roughness`` above 0.7; fewer samples a second may be of blows, such as clapping hands.
  var isSparse: Bool {
    let moving = seconds.filter { $0.motion > 0.1 * $0.size }
    return moving.count >= 3 && Self.quantile(moving.map(\.roughness), 0.5) > 0.8
      && Self.quantile(moving.map { Double($0.samples) }, 0.5) >= 60
  }

  /// A converter whose zero is not 0.
  struct Converter: Equatable {
    /// The reading of an axis without acceleration.
    var zero: Double
    var countsPerG: Double
  }

  /// The converter, if the readings show where its zero is: half the range of 8, 10, 12, 14 or 16 bits, or the centre of the
  /// sphere on which gravity moves as the sensor turns.
  var converter: Converter? {
    // A range of 2 g has half of its zero for each g.
    let half = Self.halfRanges.lazy.compactMap {
      converter(zero: $0, countsPerG: 0.03...0.3) ?? converter(zero: $0, countsPerG: 0.45...0.55)
    }.first
    return half ?? centre.flatMap { converter(zero: $0, countsPerG: 0.03...0.7) }
  }

  private static let halfRanges = [128.0, 512, 2048, 8192, 32_768]

  /// - Parameter counts: the possible counts per g, as a share of the zero.
  private func converter(zero: Double, countsPerG counts: ClosedRange<Double>) -> Converter? {
    let lengths = seconds.map { second in
      let vector = second.vector - SIMD3(repeating: zero)
      return (vector * vector).sum().squareRoot()
    }
    let middle = Self.quantile(lengths, 0.5)
    guard counts.contains(middle / zero), Self.quantile(lengths, 0.2) >= 0.7 * Self.quantile(lengths, 0.8) else {
      return nil
    }
    return Converter(zero: zero, countsPerG: middle)
  }

  /// The zero z that all axes share, by linear regression: |v − z|² = g² is |v|² = 2 z (x + y + z) + g² − 3 z².
  private var centre: Double? {
    guard seconds.count >= Self.secondsOfCentre else { return nil }
    let sums = seconds.map { $0.vector.sum() }
    let squares = seconds.map { $0.mean * $0.mean }
    let count = Double(seconds.count)
    let (sum, square) = (sums.reduce(0, +) / count, squares.reduce(0, +) / count)
    let variance = sums.reduce(0) { $0 + ($1 - sum) * ($1 - sum) }
    let covariance = zip(sums, squares).reduce(0) { $0 + ($1.0 - sum) * ($1.1 - square) }
    guard variance > 0 else { return nil }
    let centre = covariance / variance / 2
    guard centre > 0, let found = converter(zero: centre, countsPerG: 0.03...0.7) else { return nil }
    // A sensor that hardly turns shows the direction of gravity, and not where it begins.
    return (variance / count).squareRoot() >= 0.4 * found.countsPerG ? centre : nil
  }

  private static let secondsOfCentre = 10

  /// The motion in the louder seconds; a recording may be quiet most of the time.
  var motion: Double { Self.quantile(seconds.map(\.motion), 0.95) }

  /// The mean vector of the quieter seconds relative to the motion of the louder ones.
  ///
  /// In 770 walks and runs of thirteen public data sets it is at least 0.29; without gravity, it is below 0.16 in 98 of
  /// 100 and at most 0.27.
  var steadiness: Double {
    let motion = Self.quantile(seconds.map(\.motion), 0.8)
    return motion > 0 ? leastMean / motion : .infinity
  }

  /// The length of the mean vector that a fifth of the seconds do not exceed.
  var leastMean: Double { Self.quantile(seconds.map(\.mean), 0.2) }

  private static func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
