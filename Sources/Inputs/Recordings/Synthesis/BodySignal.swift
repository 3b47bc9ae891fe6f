/// The ideal measurement over the whole script, continuous in time; evaluate it at rising times.
struct BodySignal: Sendable {
  private var script: GaitScript
  private var current: GaitScript.Knot
  private var next: GaitScript.Knot
  private let sensor: WornSensor
  private let others: OtherActivities

  /// The duration of a change from one posture to another, in seconds.
  private static let transition = 1.0

  init(_ walk: SyntheticWalk) {
    script = GaitScript(walk)
    sensor = WornSensor(walk)
    others = OtherActivities(walk)
    let end = GaitScript.Knot(time: 0, activity: .standing, previous: .standing, since: -10, isEnd: true)
    current = script.next() ?? end
    next = script.next() ?? current
  }

  /// The measurement at a time in seconds, which must not be before that of an earlier call.
  mutating func motion(at time: Double) -> Motion {
    advance(to: time)
    let motion = self.motion(of: current.activity, at: time, gait: gait(at: time))
    let elapsed = time - current.since
    guard elapsed < Self.transition, !isSamePosture(current.previous, current.activity) else { return motion }
    let x = max(0, elapsed / Self.transition)
    return self.motion(of: current.previous, at: time, gait: nil).blended(with: motion, weight: x * x * (3 - 2 * x))
  }

  private mutating func advance(to time: Double) {
    while !current.isEnd, time >= next.time {
      current = next
      if let following = script.next() { next = following }
    }
  }

  private func isSamePosture(_ a: SyntheticWalk.Activity, _ b: SyntheticWalk.Activity) -> Bool {
    let isUpright = { (x: SyntheticWalk.Activity) in x == .walking || x == .standing }
    return a == b || (isUpright(a) && isUpright(b))
  }

  private func motion(of activity: SyntheticWalk.Activity, at time: Double, gait: GaitState?) -> Motion {
    switch activity {
    case .walking, .standing: sensor.upright(at: time, gait: gait, isRunning: false)
    case .running: sensor.upright(at: time, gait: gait, isRunning: true)
    case .typing: others.typing(at: time)
    case .brushingTeeth: others.brushingTeeth(at: time, standing: sensor.upright(at: time, gait: nil, isRunning: false))
    case .driving: others.driving(at: time)
    }
  }

  private func gait(at time: Double) -> GaitState? {
    guard current.frequency > 0 else { return nil }
    let length = next.time - current.time
    let x = length > 0 ? min(1, max(0, (time - current.time) / length)) : 0
    let goesOn = next.frequency > 0 && next.phase == 0
    let frequency = goesOn ? current.frequency + (next.frequency - current.frequency) * x : current.frequency
    let amplitude = current.amplitude + ((goesOn ? next.amplitude : 0) - current.amplitude) * x
    let phase = current.phase + (time - current.time) / current.period
    let stride = (current.isOwnSide ? 0 : 0.5) + 0.5 * phase
    return GaitState(
      amplitude: max(0, amplitude), frequency: frequency, stepLength: current.stepLength,
      stepPhase: phase - phase.rounded(.down), stridePhase: stride - stride.rounded(.down),
      strike: current.isStrike ? (time - current.time, current.amplitude) : nil, isOwnSide: current.isOwnSide,
      isRunning: current.activity == .running)
  }
}
