import Accelerometry
import Platform

/// The measurements during activities that must not be counted.
///
/// Typing is 3 to 6 light taps a second with an occasional reach for the mouse; brushing teeth is strokes of 3.5-5.5 Hz
/// at about half a g, with a change of quadrant every few seconds; driving is a car's body on its springs (1-2 Hz), the
/// road and the engine above that, bends and braking of 0.1-0.2 g, and a hand on the wheel.
struct OtherActivities: Sendable {
  private let position: SensorPlacement
  private let seed: UInt64
  private let slow: (SmoothNoise, SmoothNoise, SmoothNoise)
  private let reach: SmoothNoise
  private let springs: (SmoothNoise, SmoothNoise)
  private let road: (SmoothNoise, SmoothNoise, SmoothNoise)
  private let strokeWandering: SmoothNoise

  init(_ walk: SyntheticWalk) {
    position = walk.position
    seed = SplitMix64.mix(walk.seed &+ 0x7461_7073)
    let noise = { (stream: UInt64, rate: Double) in SmoothNoise(seed: walk.seed, stream: stream, rate: rate) }
    slow = (noise(21, 0.15), noise(22, 0.12), noise(23, 0.2))
    reach = noise(24, 0.5)
    springs = (noise(25, 3.5), noise(26, 2.5))
    road = (noise(27, 31), noise(28, 37), noise(29, 29))
    strokeWandering = noise(30, 0.4)
  }

  private var isOnArm: Bool { position == .wrist || position == .hand }

  /// The orientation of the limb of a sitting wearer: forearm and thigh level, back and foot upright.
  private var seated: Motion {
    switch position {
    case .wrist, .pocket: Motion.still.pitched(by: 1.45)
    case .hand: Motion.still.pitched(by: 0.5)
    case .lowerBack, .unknown: Motion.still.pitched(by: -0.25)
    case .foot: .still
    }
  }

  /// Taps on keys, and occasionally a hand that moves to the mouse.
  func typing(at time: Double) -> Motion {
    let pose = seated
    guard isOnArm else { return Motion(linear: .zero, up: pose.up).pitched(by: 0.01 * slow.0.value(at: time)) }
    let reaching = max(0, reach.value(at: time) - 1.4)
    var motion = pose.pitched(by: 0.05 * slow.0.value(at: time)).rolled(by: 0.10 * slow.1.value(at: time) + reaching)
    motion.linear = SIMD3(0.10, 0.15, 0.05) * reaching * springs.0.value(at: time) + taps(at: time)
    return motion
  }

  /// One tap in most cells of a fifth of a second, at a random moment and of a random strength.
  private func taps(at time: Double) -> SIMD3<Double> {
    let cell = 0.2
    var sum = 0.0
    let index = Int64((time / cell).rounded(.down))
    for n in (index - 1)...index {
      let bits = SplitMix64.mix(seed &+ UInt64(bitPattern: n) &* SplitMix64.increment)
      guard bits & 3 != 0 else { continue }
      let age = time - (Double(n) + Double((bits >> 8) & 0xFFFF) / 65_536) * cell
      guard age > 0, age < 0.2 else { continue }
      let strength = 0.02 + 0.05 * Double((bits >> 24) & 0xFFFF) / 65_536
      sum += strength * exp(-age / 0.02) * sin(2 * Double.pi * 14 * age)
    }
    return [0.3 * sum, 0.2 * sum, sum]
  }

  /// Strokes along the brush, with the forearm raised; at other positions only a slight shaking.
  func brushingTeeth(at time: Double, standing: Motion) -> Motion {
    // The stroke's phase is the integral of its rate plus a bounded variation, so it stays continuous.
    let phase = 2 * Double.pi * (4.4 * time + 0.9 * strokeWandering.value(at: time))
    let vigour = 0.45 * max(0.1, 1 + 0.5 * slow.2.value(at: time))
    let stroke = vigour * (sin(phase) + 0.2 * sin(2 * phase + 0.7))
    guard isOnArm else {
      var motion = standing
      motion.linear += SIMD3(0.01, 0.02, 0.005) * stroke
      return motion
    }
    let direction = SIMD3(0.8, 0.45 * slow.0.value(at: time), 0.35 * slow.1.value(at: time))
    var motion = Motion.still.pitched(by: 1.9 + 0.25 * slow.0.value(at: time)).rolled(by: 0.5 * slow.1.value(at: time))
    motion = motion.pitched(by: 0.10 * stroke)
    motion.linear = direction * stroke
    return motion
  }

  /// The car's body, the road, bends and braking; a wrist also turns with the wheel.
  func driving(at time: Double) -> Motion {
    let bends = SIMD3(0.06 * slow.0.value(at: time), 0.08 * slow.1.value(at: time), 0)
    let body = SIMD3(
      0.006 * springs.1.value(at: time), 0.008 * springs.1.value(at: time + 7), 0.02 * springs.0.value(at: time))
    let rough = max(0.2, 1 + 0.6 * slow.2.value(at: time))
    let shaking =
      0.02 * rough * SIMD3(road.0.value(at: time), 0.7 * road.1.value(at: time), 1.3 * road.2.value(at: time))
    let wheel = isOnArm ? 0.5 * max(0, abs(slow.1.value(at: time)) - 0.8) + 0.03 * reach.value(at: time) : 0
    var motion = seated.rolled(by: wheel)
    // The car's axes turned into the limb's, so that a bend has the right direction at every position.
    let up = motion.up
    motion.linear = bends + body + shaking
    if isOnArm || position == .pocket {
      motion.linear = SIMD3(motion.linear.z * up.x, motion.linear.y, motion.linear.x)
    }
    return motion
  }
}
