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
/// A sample costs about 6 ns, a minute 40 bytes.
struct MotionTable: Sendable {
  struct Minute: Sendable {
    var samples = 0
    /// Sums, in g.
    var enmo = 0.0
    var deviation = 0.0
    var deviations = 0
  }

  /// One element per minute since ``firstMinute``.
  private(set) var minutes: [Minute] = []
  /// Minutes since 1970-01-01T00:00, of the shifted clock.
  private(set) var firstMinute: Int64 = 0
  /// Detects non-wear.
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
  init(shift: Int64, includesMAD: Bool) {
    self.shift = shift
    self.includesMAD = includesMAD
  }

  /// Takes samples in order of time.
  /// - Returns: `false` if the recording is too long.
  mutating func take(_ samples: Span<AccelerationSample>) -> Bool {
    for i in samples.indices {
      let sample = samples[i]
      let time = sample.nanoseconds &+ shift
      if time >= minuteEnd, !beginMinute(at: time) { return false }
      let value = sample.lanes
      let magnitude = (value * value).sum3.squareRoot()
      guard magnitude < 1e5 else { continue }
      minutes[minute].samples &+= 1
      minutes[minute].enmo += Double(max(0, magnitude - 1))
      if includesMAD { deviate(magnitude, at: time) }
    }
    wear.add(samples)
    return true
  }

  /// Ends the recording.
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

  private mutating func deviate(_ magnitude: Float, at time: Int64) {
    if time >= magnitudesEnd {
      endDeviation()
      magnitudesEnd = (time.floored(by: Self.deviationLength) + 1) * Self.deviationLength
    }
    magnitudes.append(magnitude)
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

extension SIMD4<Float> {
  /// The sum of the first three lanes.
  var sum3: Float { x + y + z }
}

extension Int64 {
  /// The quotient, rounded down.
  func floored(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
