import Accelerometry
import Recordings

/// Motion per minute, and wear.
///
/// ENMO is the mean of max(|a| − 1 g, 0): van Hees V. T. et al. "Separating movement and gravity components in an
/// acceleration signal and implications for the assessment of human daily physical activity". PLoS ONE 8 (2013) e61691.
/// MAD is the mean amplitude deviation, the mean of ||a| − mean |a|| over 5 s: Vähä-Ypyä H. et al. "A universal,
/// accurate intensity-based classification of different physical activities using raw data of accelerometer". Clinical
/// Physiology and Functional Imaging 35 (2015) 64–70.
///
/// A sample costs about 3 ns, a minute 40 bytes.
struct MotionTable: Sendable {
  struct Minute: Sendable {
    var samples = 0
    /// Sums, in g.
    var enmo = 0.0
    var deviation = 0.0
    var deviations = 0

    /// Adds a sample and those that follow before a time. The sums are in registers meanwhile.
    /// - Returns: the index of the next sample.
    fileprivate mutating func add(_ all: Span<AccelerationSample>, from place: Int, before end: Int64) -> Int {
      var (count, sum) = (samples, enmo)
      var i = place
      while i < all.count {
        if i > place, all[i].nanoseconds >= end { break }
        if let magnitude = all[i].magnitude {
          count &+= 1
          sum += Double(max(0, magnitude - 1))
        }
        i &+= 1
      }
      (samples, enmo) = (count, sum)
      return i
    }
  }

  /// One element per minute since ``firstMinute``.
  private(set) var minutes: [Minute] = []
  /// Minutes since 1970-01-01T00:00, of the shifted clock.
  private(set) var firstMinute: Int64 = 0
  private(set) var wear = WearTime()

  private let shift: Int64
  private let includesMAD: Bool
  private var first: Int64?

  /// The shifted time of the first sample, in nanoseconds.
  var start: Int64 { first ?? 0 }
  private var minuteEnd = Int64.min
  private var minute = 0
  /// The magnitudes of the current five seconds, and their end.
  private var magnitudes: [Float] = []
  private var magnitudesEnd = Int64.min

  private static let minuteLength: Int64 = 60_000_000_000
  private static let deviationLength: Int64 = 5_000_000_000
  /// Ten years; a longer recording has a broken clock.
  static let mostMinutes = 5_270_400

  /// - Parameter shift: added to timestamps, in nanoseconds.
  init(shift: Int64, includesMAD: Bool) { (self.shift, self.includesMAD) = (shift, includesMAD) }

  /// Takes samples in order of time.
  /// - Returns: `false` if the recording is too long.
  mutating func take(_ samples: Span<AccelerationSample>) -> Bool {
    var i = 0
    while i < samples.count {
      let time = samples[i].nanoseconds &+ shift
      if time >= minuteEnd, !beginMinute(at: time) { return false }
      i = minutes[minute].add(samples, from: i, before: minuteEnd &- shift)
    }
    if includesMAD { deviate(samples) }
    wear.add(samples)
    return true
  }

  mutating func finish() { endDeviation() }

  private mutating func beginMinute(at time: Int64) -> Bool {
    let number = time.floored(by: Self.minuteLength)
    if first == nil { (first, firstMinute) = (time, number) }
    minute = Int(number - firstMinute)
    if minute >= Self.mostMinutes { return false }
    while minutes.count <= minute { minutes.append(Minute()) }
    minuteEnd = (number + 1) * Self.minuteLength
    return true
  }

  private mutating func deviate(_ samples: Span<AccelerationSample>) {
    for i in samples.indices {
      guard let magnitude = samples[i].magnitude else { continue }
      let time = samples[i].nanoseconds &+ shift
      if time >= magnitudesEnd {
        endDeviation()
        magnitudesEnd = (time.floored(by: Self.deviationLength) + 1) * Self.deviationLength
      }
      magnitudes.append(magnitude)
    }
  }

  private mutating func endDeviation() {
    defer { magnitudes.removeAll(keepingCapacity: true) }
    guard !magnitudes.isEmpty else { return }
    let mean = magnitudes.reduce(0.0) { $0 + Double($1) } / Double(magnitudes.count)
    let deviation = magnitudes.reduce(0.0) { $0 + abs(Double($1) - mean) } / Double(magnitudes.count)
    let place = Int((magnitudesEnd - 1).floored(by: Self.minuteLength) - firstMinute)
    guard minutes.indices.contains(place) else { return }
    minutes[place].deviation += deviation
    minutes[place].deviations += 1
  }
}

extension AccelerationSample {
  /// The magnitude in g; `nil` if it is not a number or absurd.
  fileprivate var magnitude: Float? {
    let squares = lanes * lanes
    let magnitude = (squares.x + squares.y + squares.z).squareRoot()
    return magnitude < 1e5 ? magnitude : nil
  }
}
