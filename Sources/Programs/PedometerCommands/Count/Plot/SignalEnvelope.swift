import Accelerometry

/// A signal of any length in bounded memory: its minimum and maximum in each of some thousand equal intervals.
///
/// Intervals are 5 ms at first and double when there are too many, so a minute is kept in detail and a week in
/// intervals of 37 s.
struct SignalEnvelope {
  struct Bin {
    /// In g; the first is above the second if there was no sample.
    var low = Float.infinity
    var high = -Float.infinity
    var steps: Int32 = 0

    var isEmpty: Bool { low > high }

    mutating func join(_ other: Bin) {
      low = min(low, other.low)
      high = max(high, other.high)
      steps += other.steps
    }
  }

  private(set) var bins: [Bin] = []
  /// An interval's length in nanoseconds.
  private(set) var width: Int64 = 5_000_000

  /// 16 per pixel of a row, and 384 kB.
  private static let mostBins = 32_768

  /// - Parameter time: since the beginning, in nanoseconds; negative times are ignored.
  mutating func add(_ magnitude: Float, at time: Int64) {
    guard magnitude.isFinite, let place = place(time) else { return }
    bins[place].low = min(bins[place].low, magnitude)
    bins[place].high = max(bins[place].high, magnitude)
  }

  mutating func addStep(at time: Int64) { if let place = place(max(0, time)) { bins[place].steps += 1 } }

  private mutating func place(_ time: Int64) -> Int? {
    guard time >= 0 else { return nil }
    while time / width >= Int64(Self.mostBins) { double() }
    let place = Int(time / width)
    if place >= bins.count { bins.append(contentsOf: repeatElement(Bin(), count: place + 1 - bins.count)) }
    return place
  }

  private mutating func double() {
    width *= 2
    for i in 0..<(bins.count + 1) / 2 {
      var joined = bins[2 * i]
      if 2 * i + 1 < bins.count { joined.join(bins[2 * i + 1]) }
      bins[i] = joined
    }
    bins.removeLast(bins.count / 2)
  }

  /// The union of all intervals that begin within a time, in nanoseconds.
  func joined(from begin: Int64, to end: Int64) -> Bin {
    var result = Bin()
    let first = max(0, (begin + width - 1) / width)
    var place = Int(first)
    while place < bins.count, Int64(place) * width < end {
      result.join(bins[place])
      place += 1
    }
    return result
  }

  /// The quantile of a value over the intervals; `nil` without any.
  func quantile(_ share: Double, of value: KeyPath<Bin, Float>) -> Double? {
    let values = bins.filter { !$0.isEmpty }.map { $0[keyPath: value] }.sorted()
    if values.isEmpty { return nil }
    return Double(values[Int((Double(values.count - 1) * share).rounded())])
  }
}
