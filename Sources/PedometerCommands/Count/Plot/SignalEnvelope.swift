import Accelerometry

/// A signal of any length in bounded memory: what it was at least and at most in each of some thousand equal intervals.
///
/// Intervals begin at 5 ms and double when they no longer suffice, so a minute is kept in detail and a week in 37 s.
struct SignalEnvelope {
  /// What happened in one interval.
  struct Bin {
    /// In g; the first is above the second where there was no sample.
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

  /// - Parameter time: since the beginning, in nanoseconds; earlier is left out.
  mutating func add(_ magnitude: Float, at time: Int64) {
    guard magnitude.isFinite, let place = place(time) else { return }
    bins[place].low = min(bins[place].low, magnitude)
    bins[place].high = max(bins[place].high, magnitude)
  }

  mutating func addStep(at time: Int64) {
    if let place = place(max(0, time)) { bins[place].steps += 1 }
  }

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

  /// All that begins within a time, in nanoseconds, as one.
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

  /// A value that so large a share of the intervals stays below; `nil` without any.
  func quantile(_ share: Double, of value: KeyPath<Bin, Float>) -> Double? {
    let values = bins.filter { !$0.isEmpty }.map { $0[keyPath: value] }.sorted()
    if values.isEmpty { return nil }
    return Double(values[Int((Double(values.count - 1) * share).rounded())])
  }
}
