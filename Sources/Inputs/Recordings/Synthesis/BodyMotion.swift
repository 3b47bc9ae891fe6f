import Platform

/// The ideal measurement at one moment, in the frame of the limb with the sensor: forward, left, up while the wearer stands.
struct Motion {
  /// Acceleration without gravity, in g.
  var linear: SIMD3<Double>
  /// The direction away from the ground, of length 1.
  var up: SIMD3<Double>

  static let still = Motion(linear: .zero, up: [0, 0, 1])

  /// The limb turned forward by an angle in radians.
  func pitched(by angle: Double) -> Motion {
    let (s, c) = (sin(angle), cos(angle))
    let turn = { (v: SIMD3<Double>) in SIMD3(v.x * c + v.z * s, v.y, v.z * c - v.x * s) }
    return Motion(linear: turn(linear), up: turn(up))
  }

  /// The limb turned to the side by an angle in radians.
  func rolled(by angle: Double) -> Motion {
    let (s, c) = (sin(angle), cos(angle))
    let turn = { (v: SIMD3<Double>) in SIMD3(v.x, v.y * c + v.z * s, v.z * c - v.y * s) }
    return Motion(linear: turn(linear), up: turn(up))
  }

  func blended(with other: Motion, weight: Double) -> Motion {
    let mixed = up + (other.up - up) * weight
    let length = (mixed * mixed).sum().squareRoot()
    return Motion(linear: linear + (other.linear - linear) * weight, up: length > 1e-6 ? mixed / length : other.up)
  }
}

/// The state of a walker between two foot strikes.
struct GaitState {
  /// 0 at rest, 1 in steady walking.
  var amplitude: Double
  /// Steps per second.
  var frequency: Double
  /// Metres.
  var stepLength: Double
  /// 0 at a foot's strike, 1 at the other's.
  var stepPhase: Double
  /// 0 when the foot on the sensor's side strikes, 0.5 when the other does, 1 when it strikes again.
  var stridePhase: Double
  /// Seconds since the last strike, and its vigour; `nil` before a bout's first.
  var strike: (age: Double, vigour: Double)?
  var isOwnSide: Bool
  var isRunning: Bool

  /// The amplitude of the trunk's vertical acceleration in g: that of a sinusoid of 1.8 cm at a step length of 0.70 m
  /// (3.6 cm from lowest to highest: Zijlstra and Hof, Gait & Posture 2003; 0.24 g at 110 steps/min, root mean square
  /// 0.17 g: Menz, Lord and Fitzpatrick, Gait & Posture 2003). It grows with the third power of the cadence.
  var bounce: Double {
    let omega = 2 * Double.pi * frequency
    return 0.018 * (stepLength / 0.70) * omega * omega / 9.80665
  }

  /// Acceleration of the trunk forward, to the left and up, in g, without the impacts of the heels.
  var trunk: SIMD3<Double> { (isRunning ? runningTrunk : walkingTrunk) * amplitude }

  /// The trunk falls onto the leg and rises over it once a step; it sways from side to side once a stride. Shapes after
  /// the mean curves of Menz et al. 2003 and Zijlstra and Hof 2003: highest while both feet push, which is around the
  /// strike; braking after it, push-off before the next.
  private var walkingTrunk: SIMD3<Double> {
    let step = 2 * Double.pi * stepPhase
    let stride = 2 * Double.pi * stridePhase
    let b = bounce
    let up = cos(step) + 0.30 * cos(2 * step - 0.5) + 0.06 * cos(stride)
    let forward = -0.45 * sin(step + 0.3) + 0.15 * sin(2 * step) + 0.04 * sin(stride)
    let left = 0.40 * sin(stride) + 0.12 * sin(3 * stride + 0.4)
    return SIMD3(forward, left, up) * b
  }

  /// The part of a step during which a runner's foot is on the ground; flight is free fall (Blickhan, Journal of
  /// Biomechanics 1989: the spring-mass model; half a sine of force whose mean carries the weight).
  private static let contact = 0.70

  private var runningTrunk: SIMD3<Double> {
    let stride = 2 * Double.pi * stridePhase
    let left = 0.15 * sin(stride) + 0.05 * sin(3 * stride)
    let phase = stepPhase / Self.contact
    guard phase > 0, phase < 1 else { return [0, left, -1] }
    let push = Double.pi / (2 * Self.contact) * sin(Double.pi * phase)
    return [-0.25 * sin(2 * Double.pi * phase), left, push - 1]
  }

  /// The ringing after a heel's impact, as a multiple of its height: zero at the strike, highest a quarter of a period
  /// later, then decaying.
  func ringing(frequency: Double, decay: Double) -> Double {
    guard let strike, strike.age >= 0, strike.age < 8 * decay else { return 0 }
    return strike.vigour * exp(-strike.age / decay) * sin(2 * Double.pi * frequency * strike.age)
  }
}
