import Glibc

@testable import Accelerometry
@testable import Platform
@testable import Recordings

/// A walk or a run of random harmonics: a second maker of gait beside ``SyntheticWalk``, and independent of it.
///
/// ``SyntheticWalk`` has the mean curves of the literature, so whatever is fitted to it knows one shape of a step. Here every
/// shape is drawn: the harmonics of the step and their phases, sway, surge, the swing of a limb, impacts, how regular the
/// steps are, the sensor and its direction. What all have in common is what makes a gait: a bounce in every step, from
/// 1.45 to 2.9 a second, from a stroll to a sprint. The same seed and number give the same samples.
struct HarmonicGait: Sendable {
  private(set) var samples: [AccelerationSample] = []
  /// The times of the foot strikes, in seconds since the first sample.
  private(set) var strikes: [Double] = []
  let isRun: Bool
  /// Steps a second.
  let cadence: Double

  private typealias Vector = SIMD3<Double>

  /// A periodic movement: the height and the phase of each harmonic.
  private struct Wave {
    var parts: [(height: Double, phase: Double)]

    /// - Parameter fall: the power of the frequency with which the harmonics become weaker.
    init(_ count: Int, fall: Double, _ random: inout SplitMix64) {
      parts = (1...count).map { harmonic in
        let height = harmonic == 1 ? 1 : random.uniform(in: 0...1) * pow(Double(harmonic), -fall)
        return (height, random.uniform(in: 0...(2 * .pi)))
      }
    }

    /// - Parameter every: 1 for all harmonics, 2 for the odd ones.
    func value(at phase: Double, every: Int = 1) -> Double {
      var (sum, order) = (0.0, 1.0)
      for part in parts {
        sum += part.height * cos(order * phase + part.phase)
        order += Double(every)
      }
      return sum
    }
  }

  private struct Body {
    var up, side, ahead: Wave
    var bounce = 0.0
    /// Shares of the bounce.
    var limp = 0.0
    var sway = 0.0
    var surge = 0.0
    var strideLead = 0.0
    /// In g, Hz and seconds.
    var impact = (height: 0.0, frequency: 10.0, decay: 0.03)
    /// Of a limb: radians, metres, and the share of its second harmonic.
    var swing = (angle: 0.0, length: 0.0, second: 0.0)
    var isRun = false
  }

  /// - Parameters:
  ///   - number: which of many independent walks of the same seed.
  ///   - seconds: the duration of walking.
  init(seed: UInt64, number: UInt64, seconds: ClosedRange<Double> = 40...90) {
    var random = SplitMix64(seed: seed &+ 0x6761_6974, stream: number)
    isRun = random.uniform() < 0.3
    cadence = random.uniform(in: isRun ? 2.2...2.9 : 1.45...2.3)
    let body = Self.body(isRun: isRun, cadence: cadence, &random)
    let lead = random.uniform() < 0.25 ? 0 : random.uniform(in: 0.5...12)
    let times = Self.stepTimes(cadence: cadence, seconds: random.uniform(in: seconds), &random)
    strikes = times.map { $0.time + lead }
    makeSamples(of: body, times, lead: lead, tail: random.uniform(in: 0.5...5), &random)
  }

  private static func scale(_ range: ClosedRange<Double>, _ random: inout SplitMix64) -> Double {
    exp(random.uniform(in: log(range.lowerBound)...log(range.upperBound)))
  }

  private static func body(isRun: Bool, cadence: Double, _ random: inout SplitMix64) -> Body {
    let fall = random.uniform(in: 0.6...2.5)
    let wave = { (count: Int, random: inout SplitMix64) in Wave(count, fall: fall, &random) }
    // As plain as a sine, or as rich as a heel on stone.
    let richness = Int(random.uniform() * 6)
    let isPlain = richness < 2
    var body = Body(
      up: wave(1 + richness, &random), side: wave(1 + richness / 2, &random), ahead: wave(1 + richness / 2, &random))
    body.isRun = isRun
    body.bounce =
      isRun ? scale(0.35...1.4, &random) : min(0.6, scale(0.09...0.4, &random) * pow(cadence / 1.85, 1.5))
    body.limp = random.uniform(in: 0...0.25)
    body.sway = random.uniform(in: 0.05...0.7)
    body.surge = random.uniform(in: 0...0.7)
    body.strideLead = random.uniform(in: 0...(2 * .pi))
    if !isPlain, random.uniform() < 0.5 {
      body.impact = (
        body.bounce * scale(0.2...2.5, &random), random.uniform(in: 5...15), random.uniform(in: 0.015...0.05)
      )
    }
    // Half of the sensors are on a limb; the others on the trunk or on what it carries.
    let angle = !isPlain && random.uniform() < 0.6 ? scale(0.05...0.6, &random) : random.uniform(in: 0...0.05)
    body.swing = (angle, random.uniform(in: 0.1...0.6), random.uniform(in: -0.3...0.3))
    return body
  }

  /// The times of the steps since the first, and how vigorous each is.
  private static func stepTimes(
    cadence: Double, seconds: Double, _ random: inout SplitMix64
  ) -> [(time: Double, vigour: Double)] {
    let (spread, lag, strength) = (
      scale(0.005...0.04, &random), random.uniform(in: -0.04...0.04), random.uniform(in: 0.02...0.15)
    )
    let drift = SmoothNoise(seed: random.next(), stream: 1, rate: 0.06)
    let drifting = random.uniform(in: 0...0.03)
    var (time, times) = (0.0, [(time: Double, vigour: Double)]())
    while time < seconds {
      times.append((time, max(0.3, 1 + strength * random.gaussianPair().0)))
      let side = times.count.isMultiple(of: 2) ? lag : -lag
      let slower = min(max(spread * random.gaussianPair().0, -0.15), 0.15)
      time += (1 + side + slower) / (cadence * (1 + drifting * drift.value(at: time)))
    }
    return times
  }

  /// - Parameters:
  ///   - lead: seconds before the first step.
  ///   - tail: seconds after the last one.
  private mutating func makeSamples(
    of body: Body, _ steps: [(time: Double, vigour: Double)], lead: Double, tail: Double, _ random: inout SplitMix64
  ) {
    let rates = [20.0, 25, 31.25, 40, 50, 50, 64, 100, 100, 128, 200]
    let rate = rates[Int(random.uniform() * Double(rates.count))]
    let noise = Self.scale(0.002...0.03, &random)
    let range = body.isRun || random.uniform() < 0.8 ? [4.0, 8, 16][Int(random.uniform() * 3)] : 2
    let (x, y) = (Self.direction(&random), Self.direction(&random))
    let other = Self.cross(x, y)
    let side = other / max(1e-9, (other * other).sum().squareRoot())
    let axes = (x, side, Self.cross(x, side))
    let unrest = SmoothNoise(seed: random.next(), stream: 2, rate: 0.7)
    var index = 0
    let end = lead + (steps.last?.time ?? 0) + tail
    samples = (0..<Int(end * rate)).map { i in
      let time = Double(i) / rate - lead
      while index + 1 < steps.count, steps[index + 1].time <= time { index += 1 }
      let felt = Self.felt(body, steps, index, time) + Vector(1, 0.6, 0.3) * (0.004 * unrest.value(at: time))
      let turned = Vector((axes.0 * felt).sum(), (axes.1 * felt).sum(), (axes.2 * felt).sum())
      let error = Vector(random.gaussianPair().0, random.gaussianPair().0, random.gaussianPair().0) * noise
      let clipped = (turned + error).clamped(
        lowerBound: Vector(repeating: -range), upperBound: Vector(repeating: range))
      return AccelerationSample(
        nanoseconds: Int64((Double(i) / rate * 1e9).rounded()), acceleration: SIMD3<Float>(clipped))
    }
  }

  /// What the sensor measures before it is turned: ahead, to the side, up, in g.
  private static func felt(
    _ body: Body, _ steps: [(time: Double, vigour: Double)], _ index: Int, _ time: Double
  ) -> Vector {
    let from = steps[index]
    let until = index + 1 < steps.count ? steps[index + 1] : (time: from.time + 0.5, vigour: 0)
    let share = (time - from.time) / (until.time - from.time)
    // The body begins half a step before the first strike, and stops within a step after the last.
    if share < -0.5 || share > 1 { return [0, 0, 1] }
    let vigour = share < 0 ? from.vigour * (1 + 2 * share) : from.vigour + (until.vigour - from.vigour) * share
    let phase = 2 * Double.pi * (Double(index) + share)
    var up = body.bounce * (body.up.value(at: phase) + body.limp * cos(phase / 2 + body.strideLead))
    let age = time - from.time
    if age >= 0 {
      up += body.impact.height * exp(-age / body.impact.decay) * sin(2 * .pi * body.impact.frequency * age)
    }
    if body.isRun { up = max(up, -1) }
    let linear =
      Vector(
        body.surge * body.bounce * body.ahead.value(at: phase),
        body.sway * body.bounce * body.side.value(at: phase / 2, every: 2), up) * vigour
    // A limb swings about the axis to the side.
    let pace = Double.pi / (until.time - from.time)
    let (angle, length, second) = body.swing
    let (s, c) = (sin(phase / 2 + body.strideLead), cos(phase / 2 + body.strideLead))
    let turn = vigour * angle * (s + second * sin(phase))
    let (turning, accelerated) = (
      vigour * angle * pace * (c + 2 * second * cos(phase)),
      -vigour * angle * pace * pace * (s + 4 * second * sin(phase))
    )
    let all = linear + Vector(0, 0, 1)
    return Vector(
      all.x * cos(turn) + all.z * sin(turn) + length * accelerated / 9.80665, all.y,
      all.z * cos(turn) - all.x * sin(turn) + length * turning * turning / 9.80665)
  }

  private static func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// A unit vector in any direction.
  private static func direction(_ random: inout SplitMix64) -> Vector {
    let (z, angle) = (random.uniform(in: -1...1), random.uniform(in: 0...(2 * .pi)))
    let radius = (1 - z * z).squareRoot()
    return Vector(radius * cos(angle), radius * sin(angle), z)
  }
}
