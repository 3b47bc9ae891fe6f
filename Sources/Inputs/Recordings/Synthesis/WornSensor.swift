import Accelerometry
import Platform

/// How the body's movement reaches a sensor at one place. The sources give the movement's form and order of magnitude;
/// a person's own figures may be half or twice these.
///
/// | place | what moves it, besides the trunk | source |
/// | --- | --- | --- |
/// | wrist | the arm, a pendulum of 0.55 m, swung once a stride against the leg of its side, ±10° at 110 steps/min | Kuhtz-Buschbeck and Jing, Human Movement Science 2012 |
/// | hand | held before the body: the trunk, softened by the elbow | |
/// | pocket | the thigh, ±17° about the hip, 0.20 m from it | Winter, Biomechanics of Human Movement, 1991 |
/// | lower back | nothing; ±2° of tilt | Moe-Nilssen, Clinical Biomechanics 1998 |
/// | foot | still for half a stride, then thrown forward by a stride, 3 g, turned by 60°, and stopped by the ground | Perry, Gait Analysis, 1992 |
///
/// Impact: sharp and high at the foot, weaker and slower the more joints lie between (Lafortune, Journal of
/// Biomechanics 1991: 2-3 g at the shin in walking, more than 5 g in running).
struct WornSensor: Sendable {
  /// The impact of a heel: height in g at 110 steps/min, ringing in Hz, decay in seconds, and the share that arrives
  /// from the other side's heel.
  private struct Impact {
    var height: Double
    var frequency: Double
    var decay: Double
    var otherSide: Double
  }

  let position: SensorPlacement
  /// The amplitude in radians at 110 steps/min.
  private let armSwing: Double
  private let poseNoise: (SmoothNoise, SmoothNoise)
  private let sway: (SmoothNoise, SmoothNoise, SmoothNoise)
  private let irregularity: (SmoothNoise, SmoothNoise, SmoothNoise)

  init(_ walk: SyntheticWalk) {
    position = walk.position
    armSwing = walk.armSwing * Double.pi / 180
    let noise = { (stream: UInt64, rate: Double) in SmoothNoise(seed: walk.seed, stream: stream, rate: rate) }
    poseNoise = (noise(11, 0.25), noise(12, 0.2))
    sway = (noise(13, 1.2), noise(14, 1.2), noise(15, 1.5))
    irregularity = (noise(16, 7), noise(17, 7), noise(18, 7))
  }

  /// The part that does not repeat from stride to stride, as a fraction of the bounce: with the spread of step times
  /// and of vigour it reduces the autocorrelation of the magnitude at the stride to 0.9, that of a steady walker (the
  /// measure is that of Moe-Nilssen and Helbostad, Journal of Biomechanics 2004).
  private static let irregularShare = 0.20

  /// Walking, running or standing upright.
  func upright(at time: Double, gait: GaitState?, isRunning: Bool) -> Motion {
    let body = trunk(at: time, gait: gait)
    switch position {
    case .wrist: return wrist(at: time, body, gait, isRunning: isRunning)
    case .hand: return hand(at: time, body, gait)
    case .pocket: return pocket(at: time, body, gait)
    case .foot: return foot(at: time, gait)
    case .lowerBack, .unknown: return lowerBack(at: time, body, gait)
    }
  }

  /// The trunk with the impact that reaches this position, and a standing person's sway of some thousandths of a g.
  private func trunk(at time: Double, gait: GaitState?) -> SIMD3<Double> {
    let rest = 0.003 * SIMD3(sway.0.value(at: time), sway.1.value(at: time), 0.5 * sway.2.value(at: time))
    guard let gait else { return rest }
    let impact = self.impact
    let share = gait.isOwnSide ? 1 : impact.otherSide
    let height = impact.height * gait.bounce / 0.243
    let ringing = share * height * gait.ringing(frequency: impact.frequency, decay: impact.decay)
    let irregular =
      Self.irregularShare * gait.bounce * gait.amplitude
      * SIMD3(irregularity.0.value(at: time), irregularity.1.value(at: time), irregularity.2.value(at: time))
    return rest + gait.trunk + irregular + ringing * SIMD3(-0.4, gait.isOwnSide ? 0.15 : -0.15, 1)
  }

  private var impact: Impact {
    switch position {
    case .wrist: Impact(height: 0.10, frequency: 8, decay: 0.050, otherSide: 0.8)
    case .hand: Impact(height: 0.08, frequency: 7, decay: 0.050, otherSide: 0.9)
    case .pocket: Impact(height: 0.45, frequency: 11, decay: 0.035, otherSide: 0.45)
    case .lowerBack, .unknown: Impact(height: 0.25, frequency: 12, decay: 0.030, otherSide: 0.9)
    case .foot: Impact(height: 3.0, frequency: 20, decay: 0.018, otherSide: 0.03)
    }
  }

  /// The end of a limb that swings about a joint: tangential and centripetal acceleration, and gravity turned away.
  /// - Parameters:
  ///   - angle: radians forward of hanging down.
  ///   - velocity, acceleration: its derivatives, per second and per second squared.
  ///   - length: metres from the joint.
  private func swung(_ joint: SIMD3<Double>, angle: Double, velocity: Double, acceleration: Double, length: Double)
    -> Motion
  {
    var motion = Motion(linear: joint, up: [0, 0, 1]).pitched(by: angle)
    motion.linear += SIMD3(length * acceleration, 0, length * velocity * velocity) / standardGravity
    return motion
  }

  private func wrist(at time: Double, _ body: SIMD3<Double>, _ gait: GaitState?, isRunning: Bool) -> Motion {
    // A runner's elbow is bent: the forearm is nearly level and closer to the shoulder.
    let rest = (isRunning ? 1.1 : 0.15) + 0.05 * poseNoise.0.value(at: time)
    let roll = 0.12 + 0.06 * poseNoise.1.value(at: time)
    guard let gait else { return Motion(linear: body, up: [0, 0, 1]).pitched(by: rest).rolled(by: roll) }
    let swing = gait.amplitude * (isRunning ? 0.35 : armSwing * min(1.5, gait.frequency / 1.83))
    let phase = 2 * Double.pi * gait.stridePhase - 0.9
    let rate = Double.pi * gait.frequency
    let motion = swung(
      body, angle: rest - swing * cos(phase), velocity: swing * rate * sin(phase),
      acceleration: swing * rate * rate * cos(phase), length: isRunning ? 0.30 : 0.55)
    return motion.rolled(by: roll + 0.25 * swing * cos(phase + 0.8))
  }

  private func hand(at time: Double, _ body: SIMD3<Double>, _ gait: GaitState?) -> Motion {
    let pitch = 0.70 + 0.05 * poseNoise.0.value(at: time)
    let wobble = gait.map { 0.03 * $0.amplitude * sin(2 * Double.pi * $0.stridePhase) } ?? 0
    return Motion(linear: 0.95 * body, up: [0, 0, 1]).pitched(by: pitch).rolled(
      by: wobble + 0.04 * poseNoise.1.value(at: time))
  }

  private func lowerBack(at time: Double, _ body: SIMD3<Double>, _ gait: GaitState?) -> Motion {
    let wobble = gait.map { 0.035 * $0.amplitude * sin(2 * Double.pi * $0.stridePhase + 0.5) } ?? 0
    return Motion(linear: body, up: [0, 0, 1]).pitched(by: 0.08 + 0.02 * poseNoise.0.value(at: time)).rolled(by: wobble)
  }

  private func pocket(at time: Double, _ body: SIMD3<Double>, _ gait: GaitState?) -> Motion {
    let rest = 0.05 + 0.02 * poseNoise.0.value(at: time)
    guard let gait else { return Motion(linear: body, up: [0, 0, 1]).pitched(by: rest) }
    // Most flexed shortly before its heel strikes; the second harmonic is the bending of the loaded knee.
    let swing = gait.amplitude * (gait.isRunning ? 0.45 : 0.30 * min(1.15, gait.stepLength / 0.70))
    let phase = 2 * Double.pi * (gait.stridePhase + 0.06)
    let rate = Double.pi * gait.frequency
    let motion = swung(
      body, angle: rest + 0.10 * gait.amplitude + swing * (cos(phase) + 0.15 * cos(2 * phase + 0.8)),
      velocity: -swing * rate * (sin(phase) + 0.30 * sin(2 * phase + 0.8)),
      acceleration: -swing * rate * rate * (cos(phase) + 0.60 * cos(2 * phase + 0.8)), length: 0.20)
    return motion.rolled(by: 0.2 + 0.03 * poseNoise.1.value(at: time))
  }

  private func foot(at time: Double, _ gait: GaitState?) -> Motion {
    guard let gait else { return .still }
    let phase = gait.stridePhase
    // Swung forward from half a stride (a third when running) to the next strike.
    let begin = gait.isRunning ? 0.35 : 0.50
    let w = max(0, (phase - begin) / (1 - begin))
    let duration = (1 - begin) * 2 / gait.frequency
    let throwing = 2 * gait.stepLength * 2 * Double.pi / (duration * duration) / standardGravity
    let lift = 0.6 * throwing / 3
    let swing = SIMD3(throwing * sin(2 * Double.pi * w), 0, lift * (cos(2 * Double.pi * w) - cos(4 * Double.pi * w)))
    let impact = self.impact
    let share = gait.isOwnSide ? 1 : impact.otherSide
    let strength = gait.isRunning ? 2 : gait.bounce / 0.243
    let ringing = share * strength * impact.height * gait.ringing(frequency: impact.frequency, decay: impact.decay)
    return Motion(linear: gait.amplitude * swing + ringing * SIMD3(-0.5, 0.1, 1), up: [0, 0, 1])
      .pitched(by: gait.amplitude * Self.footPitch(phase)).rolled(by: 0.05)
  }

  /// The foot's angle over a stride in radians, toes up positive: lands on the heel, lies flat, rises on the toes,
  /// swings forward.
  private static func footPitch(_ phase: Double) -> Double {
    let knots: [5 of (at: Double, angle: Double)] = [(0, 0.35), (0.08, 0), (0.36, 0), (0.62, -1.05), (0.96, 0.38)]
    var index = 0
    while index < 4, phase >= knots[index + 1].at { index += 1 }
    let (from, to) = (knots[index], index < 4 ? knots[index + 1] : (at: 1, angle: 0.35))
    let x = min(1, (phase - from.at) / (to.at - from.at))
    return from.angle + (to.angle - from.angle) * x * x * x * (x * (6 * x - 15) + 10)
  }
}
