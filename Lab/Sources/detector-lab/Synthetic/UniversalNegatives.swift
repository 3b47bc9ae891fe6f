import Glibc

@testable import Accelerometry
@testable import StepDetection

/// Movements that repeat as walks do and are no gait: a description of everything else.
///
/// The labelled recordings contain a few dozen kinds of movement without steps, and a gate that was fitted to them
/// rejects little else: with a kind left out it counted 138 false steps an hour, with these movements in the fit 48. So
/// each family has a mechanism (a crank, a limb, blows, a vehicle) whose frequency, size, direction and regularity are
/// random over all that a body or a machine can do. Harmonics of any shape are no family: walks have them, too
/// (``HarmonicGait``).
enum UniversalNegatives {
  enum Family: String, CaseIterable {
    /// A pedal, a handle, a stirring spoon: an ellipse, with the limb turning.
    case crank
    /// A limb that swings about an axis and back.
    case repetitions
    /// Blows in any direction, with or without the swing between them.
    case hammer
    /// Strokes of one to seven a second.
    case shake
    /// A vehicle: resonances driven by noise.
    case band
    /// A hand to the mouth, the head, the table.
    case gesture
    /// Clapping, punching: blows in the rhythm and the size of steps, across gravity.
    case claps
    /// A dribbled ball: a sharp upward jerk in each stroke.
    case ball
    /// A tooth brush, a comb, a cloth: strokes along one line, while gravity stays.
    case brushing
    /// Quick breathing and coughing, felt at the chest.
    case breathing
    /// Noise of any colour, up to the range of a sensor.
    case noise
    /// A crank of 14 to 40 turns a minute, for the gate of slow walks.
    case slowCrank
    /// Strokes of a rowing machine, lifts, pulls, as slow.
    case slowStrokes

    /// Whether only the longer window concerns it.
    var isSlow: Bool { self == .slowCrank || self == .slowStrokes }
  }

  private typealias Vector = MovementSketch.Vector

  /// Some movements of each family. The same number gives the same movements, and a larger one adds to them.
  static func all(ofEach count: Int) -> [SyntheticExamples.Example] {
    Family.allCases.flatMap { family in (0..<UInt64(count)).map { example(family, number: $0) } }
  }

  /// One movement: 20 s, if slow 40 s.
  static func example(_ family: Family, number: UInt64) -> SyntheticExamples.Example {
    let seed = family.rawValue.utf8.reduce(UInt64(5)) { $0 &* 257 &+ UInt64($1) }
    var sketch = MovementSketch(seed: seed, stream: number, seconds: family.isSlow ? 40 : 20)
    let felt = movement(family, &sketch)
    return SyntheticExamples.Example(
      name: "universal \(family.rawValue)", isWalking: false, samples: sketch.samples(felt), isSlow: family.isSlow)
  }

  /// The steps that a gate counts in an hour of each family.
  static func stepsPerHour(countedBy models: GateModels, ofEach count: Int) -> [(family: Family, rate: Double)] {
    Family.allCases.map { family in
      var (steps, seconds) = (0, 0.0)
      for number in 0..<UInt64(count) {
        let run = DetectorRun(example(family, number: number).samples, models: models)
        steps += run.steps.count
        seconds += run.duration
      }
      return (family, seconds > 0 ? 3600 * Double(steps) / seconds : 0)
    }
  }

  private static func movement(_ family: Family, _ sketch: inout MovementSketch) -> [MovementSketch.Vector] {
    switch family {
    case .crank: crank(&sketch, turns: 0.5...2.3)
    case .repetitions: repetitions(&sketch, rate: 0.2...2.2)
    case .hammer: hammer(&sketch)
    case .shake: shake(&sketch)
    case .band: band(&sketch)
    case .gesture: gesture(&sketch)
    case .claps: claps(&sketch)
    case .ball: ball(&sketch)
    case .brushing: brushing(&sketch)
    case .breathing: breathing(&sketch)
    case .noise: noise(&sketch)
    case .slowCrank: crank(&sketch, turns: 0.24...0.66)
    case .slowStrokes: repetitions(&sketch, rate: 0.24...0.9)
    }
  }

  /// - Parameter turns: a second.
  private static func crank(_ sketch: inout MovementSketch, turns: ClosedRange<Double>) -> [Vector] {
    let phase = sketch.phase(sketch.scale(turns), drift: 0...0.08, jitter: 0...0.04)
    let level = sketch.level()
    let first = sketch.chance(0.3) ? sketch.direction() : level
    let (radius, roundness) = (sketch.scale(0.01...0.25), sketch.number(0...1))
    let lead = sketch.chance(0.5) ? sketch.angle() : 0
    let (wobble, wobbleLead, aside) = (sketch.number(0...0.25), sketch.angle(), sketch.direction())
    let path = phase.map { p in
      let round = first * cos(p) + MovementSketch.up * (roundness * sin(p + lead))
      return (round + aside * (wobble * sin(2 * p + wobbleLead))) * radius
    }
    let share = sketch.number(0...1)
    let (turn, turnLead, second, secondLead) = (
      0.9 * share * share, sketch.angle(), sketch.number(0...0.1), sketch.angle()
    )
    let axis =
      sketch.chance(0.6) ? MovementSketch.cross(MovementSketch.up, level) : sketch.direction()
    let angles = phase.map { turn * sin($0 + turnLead) + second * sin(2 * $0 + secondLead) }
    return sum(
      MovementSketch.felt(MovementSketch.acceleration(path), turning: angles, about: axis), sketch.noise())
  }

  /// - Parameter rate: strokes a second.
  private static func repetitions(_ sketch: inout MovementSketch, rate: ClosedRange<Double>) -> [Vector] {
    let frequency = sketch.scale(rate)
    let phase = sketch.phase(frequency, drift: 0...0.2, jitter: 0...0.12)
    let vigour = sketch.vigour()
    let (isPressed, power) = (sketch.chance(0.4), sketch.number(0.4...3))
    let (skew, skewLead) = (sketch.number(0...0.8), sketch.angle())
    let length = sketch.scale(0.05...0.7)
    let pace = 2 * Double.pi * frequency
    // Muscles reach about 2 g at the end of a limb.
    let swing = min(sketch.scale(0.05...1.4), 2.2 * 9.81 / (length * pace * pace))
    let raw = phase.map { p in
      isPressed ? copysign(pow(abs(sin(p)), power), sin(p)) : sin(p + skew * sin(p + skewLead))
    }
    let angles = zip(averaged(raw, 5), vigour).map { swing * $0 * $1 }
    let axis = sketch.direction()
    let arm = MovementSketch.unit(MovementSketch.cross(axis, sketch.direction())) * length
    let (slide, slideLead, aside) = (sketch.number(0...0.2) * length, sketch.angle(), sketch.direction())
    let path = angles.indices.map { i in
      MovementSketch.turned(arm, about: axis, by: angles[i]) + aside * (slide * vigour[i] * sin(phase[i] + slideLead))
    }
    let felt = MovementSketch.felt(MovementSketch.acceleration(path), turning: angles, about: axis)
    let knocks =
      sketch.chance(0.3)
      ? sketch.blows(
        sketch.chance(0.5) ? phase : phase.map { 2 * $0 }, size: sketch.number(0.05...0.8), along: sketch.direction())
      : []
    return sum(sum(felt, knocks), sketch.noise())
  }

  private static func hammer(_ sketch: inout MovementSketch) -> [Vector] {
    let phase = sketch.phase(sketch.scale(0.6...4.5), drift: 0...0.15, jitter: 0...0.2)
    let gravity = sketch.direction()
    let blows = scaled(sketch.blows(phase, size: sketch.scale(0.05...1.5), along: sketch.direction()), sketch.vigour())
    let swing = sketch.chance(0.6) ? stroke(&sketch, phase, size: sketch.scale(0.02...0.6)) : []
    return sum(sum(blows, swing), sketch.noise()).map { $0 + gravity }
  }

  private static func shake(_ sketch: inout MovementSketch) -> [Vector] {
    let phase = sketch.phase(sketch.scale(1...7), drift: 0...0.2, jitter: 0...0.2)
    let (gravity, axis, direction) = (sketch.direction(), sketch.direction(), sketch.direction())
    let (size, vigour) = (sketch.scale(0.03...1.2), sketch.vigour())
    let (second, secondLead) = (sketch.number(0...0.4), sketch.angle())
    let (third, thirdLead) = (sketch.number(0...0.2), sketch.angle())
    // Half of them go back and forth over a longer path.
    let (depth, parts) = (sketch.chance(0.5) ? sketch.number(0...0.8) : 0, Double(sketch.whole(2...4)))
    let wander = sketch.number(0...1)
    var turn = 0.0
    let drift = sketch.smooth(100).map { pace in
      turn += 0.2 * wander * pace / MovementSketch.frequency
      return turn
    }
    let felt = phase.indices.map { i in
      let p = phase[i]
      let wave = sin(p) + second * sin(2 * p + secondLead) + third * sin(3 * p + thirdLead)
      let along = direction * (size * vigour[i] * wave * (1 + depth * sin(p / parts)))
      return MovementSketch.turned(gravity + along, about: axis, by: drift[i])
    }
    return sum(felt, sketch.noise())
  }

  private static func band(_ sketch: inout MovementSketch) -> [Vector] {
    let gravity = sketch.direction()
    var felt = [Vector](repeating: gravity, count: sketch.count)
    for _ in 0..<sketch.whole(1...3) {
      let (frequency, quality) = (sketch.scale(0.4...8), sketch.scale(1...25))
      let (size, vigour, roundness) = (sketch.scale(0.01...0.5), sketch.vigour(), sketch.number(0...0.7))
      let (along, across) = (sketch.direction(), sketch.direction() * roundness)
      let first = resonance(&sketch, frequency, quality)
      let second = resonance(&sketch, frequency, quality)
      for i in felt.indices { felt[i] += size * vigour[i] * (along * first[i] + across * second[i]) }
    }
    return sum(felt, sketch.noise())
  }

  private static func gesture(_ sketch: inout MovementSketch) -> [Vector] {
    let width = Int(sketch.number(0.3...1.6) * MovementSketch.frequency)
    let reach = sketch.number(0.1...0.8)
    let posture = smoothVectors(&sketch, width).map { MovementSketch.unit(MovementSketch.up + $0 * reach) }
    let distance = sketch.number(0.01...0.15)
    let path = smoothVectors(&sketch, Int(sketch.number(0.16...0.8) * MovementSketch.frequency)).map { $0 * distance }
    let pushes = MovementSketch.acceleration(averaged(path, 7))
    let energy = pushes.reduce(0) { $0 + ($1 * $1).sum() } / Double(pushes.count)
    let limit = sketch.number(0.05...0.6)
    let scale = min(1, limit / max(1e-9, energy.squareRoot()))
    let strokes =
      sketch.chance(0.5)
      ? stroke(
        &sketch, sketch.phase(sketch.scale(0.8...4), drift: 0...0.2, jitter: 0...0.2), size: sketch.scale(0.03...0.6))
      : []
    return sum(sum(zip(posture, pushes).map { $0 + $1 * scale }, strokes), sketch.noise())
  }
}
