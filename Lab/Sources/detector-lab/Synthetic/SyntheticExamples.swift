import Glibc

@testable import Accelerometry
@testable import Platform
@testable import Recordings

/// Synthetic recordings for the fit: movements that are rare in the real ones, and movements that are certainly not
/// walking.
///
/// Strokes of 3 to 7 Hz in any direction, as of a toothbrush, a comb, a rasp or a machine; slow lifts and pulls, for
/// the gate of slow walks; the generator's typing, tooth brushing and driving; and its walks and runs, including the
/// slowest and fastest, those just faster than the slow ones, and bouts of a few steps, in every position; the simplest simulation
/// of a walk; and gaits of random harmonics.
enum SyntheticExamples {
  /// A recording, and whether it contains walking.
  struct Example {
    var name: String
    var isWalking: Bool
    var samples: [AccelerationSample]
    /// The times of the foot strikes, in seconds since the first sample, of a walk.
    var strikes: [Double]?
    /// Whether it needs the longer window.
    var isSlow = false
    /// Whether it is easily confused, and weighs more.
    var isHard = false

    init(
      name: String, isWalking: Bool, samples: [AccelerationSample], strikes: [Double]? = nil, isSlow: Bool = false,
      isHard: Bool = false
    ) {
      (self.name, self.isWalking, self.samples) = (name, isWalking, samples)
      (self.strikes, self.isSlow, self.isHard) = (strikes, isSlow, isHard)
    }

    /// The recording of a synthetic walk or other activity.
    init(_ name: String, of walk: SyntheticWalk, isWalking: Bool = true, isSlow: Bool = false) throws {
      var reader = try walk.reader()
      var (all, samples) = ([AccelerationSample](), [AccelerationSample]())
      while reader.read(into: &samples) { all += samples }
      let strikes =
        try isWalking
        ? walk.steps.map { Double($0.components.seconds) + Double($0.components.attoseconds) * 1e-18 } : nil
      self.init(name: name, isWalking: isWalking, samples: all, strikes: strikes, isSlow: isSlow)
    }
  }

  private static let positions: [SensorPlacement] = [.wrist, .hand, .pocket, .lowerBack, .foot]

  static func all() throws -> [Example] {
    var examples: [Example] = []
    for seed in 1...24 as ClosedRange<UInt64> { examples.append(shaking(seed: seed)) }
    for seed in 1...48 as ClosedRange<UInt64> { examples.append(repetitions(seed: seed)) }
    for seed in 1...64 as ClosedRange<UInt64> { examples.append(simulated(seed: seed)) }
    for number in 0..<240 as Range<UInt64> {
      let gait = HarmonicGait(seed: 1, number: number, seconds: 12...30)
      examples.append(
        Example(
          name: "harmonic \(gait.isRun ? "run" : "walk") \(number % 8)", isWalking: true, samples: gait.samples,
          strikes: gait.strikes, isHard: true))
    }
    for (i, position) in positions.enumerated() {
      for activity in [SyntheticWalk.Activity.brushingTeeth, .typing, .driving] {
        for seed in 1...2 as ClosedRange<UInt64> {
          examples.append(
            try made(activity.rawValue, isWalking: false) {
              ($0.activity, $0.position, $0.seed) = (activity, position, 100 * seed + UInt64(i))
            })
        }
      }
      for cadence in stride(from: 41.0, through: 69, by: 2) {
        var walk = try made("slow walking, \(position.rawValue)", isWalking: true) {
          ($0.activity, $0.position, $0.cadence, $0.seed) = (
            .walking, position, cadence, 300 + UInt64(cadence) + UInt64(i)
          )
        }
        walk.isSlow = true
        examples.append(walk)
      }
      for (cadence, activity) in [(88, .walking), (110, .walking), (128, .walking), (165, .running), (185, .running)]
        as [(Double, SyntheticWalk.Activity)]
      {
        examples.append(
          try made(activity.rawValue, isWalking: true) {
            ($0.activity, $0.position, $0.cadence, $0.seed) = (activity, position, cadence, 200 + UInt64(i))
          })
      }
      examples += try leisurely(position) + shortBouts(position) + slowestAndFastest(position)
    }
    return examples
  }

  /// Walks at which a gate fitted to usual ones fails: only two strides fit its window.
  private static func leisurely(_ position: SensorPlacement) throws -> [Example] {
    try [68.0, 70, 72, 75, 78, 82].flatMap { cadence in
      try [77, 84].map { seed in
        try made("leisurely walking, \(position.rawValue)", isWalking: true) {
          ($0.position, $0.cadence, $0.seed) = (position, cadence, seed + UInt64(cadence))
        }
      }
    }
  }

  /// Walks and runs at both ends of the range of cadences, where there are few recordings, and altered copies of other
  /// movements speak against them. Every other run is clipped at ±2 g.
  private static func slowestAndFastest(_ position: SensorPlacement) throws -> [Example] {
    let slow = [62.0, 64, 66, 68, 70, 73, 76].filter { position != .foot || $0 >= 70 }
    let fast = [140.0, 150, 157, 165, 172, 178, 183, 188, 193, 198]
    return try (slow + fast).flatMap { cadence in
      try (0..<4).map { number in
        let stratum = number % 2
        let name = "\(cadence < 100 ? "slowest" : "fastest") walking \(stratum), \(position.rawValue)"
        return try made(name, isWalking: true) {
          ($0.position, $0.cadence, $0.seed) = (position, cadence, UInt64(700 + 31 * number) + UInt64(cadence))
          guard cadence > 150 else { return }
          $0.activity = .running
          if stratum == 1 { ($0.range, $0.rate) = (2, 100) }
        }
      }
    }
  }

  /// Six bouts of six to ten steps each, whose windows contain rest as well.
  private static func shortBouts(_ position: SensorPlacement) throws -> [Example] {
    try (6...10).flatMap { steps in
      try [(95.0, 3.0), (110, 6), (125, 12), (105, 3), (118, 4)].enumerated().map { number, walk in
        let (cadence, pause) = walk
        return try made("short bouts, \(position.rawValue)", isWalking: true) {
          ($0.position, $0.seed) = (position, UInt64(500 + 10 * steps + number))
          $0.program = (0..<6).flatMap { _ in
            [
              SyntheticWalk.Segment(.walking, .seconds(60 * Double(steps) / cadence), cadence: cadence),
              SyntheticWalk.Segment(.standing, .seconds(pause)),
            ]
          }
        }
      }
    }
  }

  private static func made(
    _ name: String, isWalking: Bool, _ change: (inout SyntheticWalk) -> Void
  ) throws -> Example {
    var walk = SyntheticWalk()
    walk.duration = .seconds(40)
    change(&walk)
    return try Example(name, of: walk, isWalking: isWalking)
  }

  /// Forty seconds of strokes whose rate, size and direction vary.
  private static func shaking(seed: UInt64) -> Example {
    var random = SplitMix64(seed: 7000 + seed)
    let number = { (range: ClosedRange<Double>) in Double.random(in: range, using: &random) }
    let (rate, size) = (number(3...7), exp2(number(-3.5...0.5)))
    let (gravity, first, second) = (direction(number), direction(number), direction(number))
    let (wander, drift) = (number(0.2...0.5), number(0.05...0.2))
    let samples = (0..<2000).map { i in
      let time = Double(i) * 0.02
      var phase = 2 * Double.pi * rate * time
      phase += 2 * sin(wander * time) + 0.7 * sin(5.1 * wander * time)
      let vigour = size * (1 + 0.4 * sin(1.7 * wander * time + 1))
      let turn = drift * time
      let along = first * cos(turn) + second * sin(turn)
      let stroke = vigour * (sin(phase) + 0.2 * sin(2 * phase + 0.7))
      let noise = SIMD3(number(-1...1), number(-1...1), number(-1...1)) * 0.01
      return AccelerationSample(
        nanoseconds: Int64(i) * 20_000_000, acceleration: SIMD3<Float>(gravity + along * stroke + noise))
    }
    return Example(name: "shaking", isWalking: false, samples: samples)
  }

  /// The walk that programs and virtual sensors make if they make one: a sinusoidal bounce a step and a sway a stride.
  ///
  /// No person walks like this, and some ``UniversalNegatives`` nearly do: without these examples, a developer's first
  /// simulated walk is not counted. Hard, and in eight strata, so that they weigh as much as several data sets; rests
  /// between bouts.
  private static func simulated(seed: UInt64) -> Example {
    var random = SplitMix64(seed: 11_000 + seed)
    let number = { (range: ClosedRange<Double>) in Double.random(in: range, using: &random) }
    let (rate, bounce, harmonic) = (number(1.3...2.4), exp2(number(-3.3...(-0.7))), max(0, number(-0.3...0.3)))
    let (sway, push, noise) = (number(0.15...0.45), number(0...0.35), max(0, number(-0.02...0.02)))
    let (start, offset) = (number(0...1) < 0.5 ? -Double.pi / 2 : 0, number(0...(2 * .pi)))
    let up = direction(number)
    let other = cross(up, direction(number))
    let side = other / max(1e-9, (other * other).sum().squareRoot())
    let ahead = cross(up, side)
    let first = (Double.pi / 2 - start) / (2 * .pi * rate)
    // Two bouts, of whole numbers of steps.
    let lengths = (0..<2).map { _ in (rate * number(6...15)).rounded() / rate }
    let begins = [number(2...4), 22]
    let samples = (0..<2000).map { i in
      var value = up
      for (begin, length) in zip(begins, lengths) {
        let time = Double(i) * 0.02 - begin
        guard time >= 0, time < length else { continue }
        let phase = 2 * Double.pi * rate * time + start
        let rise: Double = bounce * (sin(phase) + harmonic * sin(2 * phase + offset))
        let lean: Double = sway * bounce * sin(phase / 2)
        let thrust: Double = push * bounce * sin(phase + 1.6)
        value += up * rise
        value += side * lean
        value += ahead * thrust
      }
      let error = SIMD3(number(-1...1), number(-1...1), number(-1...1))
      value += error * noise
      return AccelerationSample(nanoseconds: Int64(i) * 20_000_000, acceleration: SIMD3<Float>(value))
    }
    let strikes = zip(begins, lengths).flatMap { begin, length in
      (0..<Int((rate * length).rounded())).map { begin + first + Double($0) / rate }
    }
    return Example(
      name: "simulated walk \(seed % 8)", isWalking: true, samples: samples, strikes: strikes, isHard: true)
  }

  /// Forty seconds of slow movements back and forth, 14 to 52 a minute: lifts, pulls, bends.
  ///
  /// The limb turns relative to gravity and rests for a moment at either end, where some weights touch something.
  /// Without these, twice as many steps were counted in the lifts of a data set that was excluded from the fit.
  private static func repetitions(seed: UInt64) -> Example {
    var random = SplitMix64(seed: 9000 + seed)
    let number = { (range: ClosedRange<Double>) in Double.random(in: range, using: &random) }
    let (gravity, axis, along) = (direction(number), direction(number), direction(number))
    let (period, turn, size) = (exp2(number(0.2...2.1)), number(0...1.5), exp2(number(-5...(-1))))
    let (rest, rise, impact) = (number(0...0.35), number(0.35...0.65), max(0, number(-0.3...0.3)))
    var (begin, length, vigour) = (0.0, period, 1.0)
    let samples = (0..<2000).map { i in
      let time = Double(i) * 0.02
      if time >= begin + length {
        begin += length
        length = period * number(0.9...1.1)
        vigour = number(0.85...1.15)
      }
      let (place, push, sinceEnd) = repetition(at: (time - begin) / length, rest: rest, rise: rise)
      let angle = turn * vigour * place
      let turned =
        gravity * cos(angle) + cross(axis, gravity) * sin(angle) + axis * ((axis * gravity).sum() * (1 - cos(angle)))
      let noise = SIMD3(number(-1...1), number(-1...1), number(-1...1)) * 0.012
      let seconds = sinceEnd * length
      let jolt = impact * vigour * exp(-seconds * seconds / 0.002)
      return AccelerationSample(
        nanoseconds: Int64(i) * 20_000_000,
        acceleration: SIMD3<Float>(turned + along * (size * vigour * push / 16 + jolt) + noise))
    }
    return Example(name: "repetitions", isWalking: false, samples: samples, isSlow: true)
  }

  /// The position of a repetition, from 0 to 1 and back, its acceleration there, and the distance from the nearest end.
  /// - Parameters:
  ///   - phase: 0 to 1, as is the distance that is returned.
  ///   - rest: the share of the two rests.
  ///   - rise: the share of the way up in the remainder.
  private static func repetition(
    at phase: Double, rest: Double, rise: Double
  ) -> (place: Double, push: Double, sinceEnd: Double) {
    let (up, down) = ((1 - rest) * rise, (1 - rest) * (1 - rise))
    let turn = up + rest / 2
    let sinceEnd = min(abs(phase - up), abs(phase - turn - down))
    if phase < up { return (0.5 - 0.5 * cos(.pi * phase / up), cos(.pi * phase / up) / (up * up), sinceEnd) }
    if phase < turn { return (1, 0, sinceEnd) }
    if phase < turn + down {
      let share = (phase - turn) / down
      return (0.5 + 0.5 * cos(.pi * share), -cos(.pi * share) / (down * down), sinceEnd)
    }
    return (0, 0, sinceEnd)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// A unit vector.
  private static func direction(_ number: (ClosedRange<Double>) -> Double) -> SIMD3<Double> {
    let (z, angle) = (number(-1...1), number(0...(2 * .pi)))
    let r = (1 - z * z).squareRoot()
    return SIMD3(r * cos(angle), r * sin(angle), z)
  }
}
