import ChaseEngine

/// Turns the figures of a chase, which jump with each report of a sensor and each stroke of Nessie, into a motion
/// without jerks.
struct ChaseMotion {
  /// A value that follows another one at a speed that hardly changes, and never backwards.
  struct Follower {
    private(set) var value = 0.0

    /// The time in which a lag is caught up, in seconds.
    private static let lag = 2.0
    /// A larger jump is a new chase or a replay, so the value jumps too.
    private static let longest = 30.0

    /// Follows for so many seconds of the chase.
    /// - Parameter speed: the presumed speed of the target per second.
    mutating func follow(_ target: Double, speed: Double, seconds: Double) {
      guard target >= value - Self.longest / 2, target - value < Self.longest, target.isFinite else {
        value = target.isFinite ? target : 0
        return
      }
      let share = seconds / (Self.lag + seconds)
      value += max(0, speed * seconds + (target - value - speed * seconds) * share)
    }

    mutating func jump(to target: Double) { value = target.isFinite ? target : 0 }
  }

  /// Another walker, whose distance is told about once a second, without a speed.
  private struct Other {
    private(set) var follower = Follower()
    private var told: Double
    /// Metres per second, from the last two reports.
    private var speed = 0.0
    /// Seconds since the last report of another distance.
    private var age = 0.0

    /// A walker who has not reported for so long stands, in seconds.
    private static let silence = 4.0
    /// The fastest walker, in metres per second; a larger jump is a new race.
    private static let fastest = 6.0

    init(at distance: Double) {
      told = distance
      follower.jump(to: distance)
    }

    mutating func take(_ distance: Double, seconds: Double) {
      age += seconds
      if distance != told {
        let latest = age > 0 ? min(max((distance - told) / age, 0), Self.fastest) : 0
        speed = speed == 0 ? latest : (speed + latest) / 2
        (told, age) = (distance, 0)
      } else if age > Self.silence {
        speed = 0
      }
      // Where they are by now, so that the picture is not behind the race by the time between two reports.
      follower.follow(told + speed * age, speed: speed, seconds: seconds)
    }
  }

  /// Whether nothing moves except by a step of at least a second.
  let isCalm: Bool
  private var walker = Follower()
  private var nessie = Follower()
  private var others: [String: Other] = [:]
  private var last: ChaseFrame?
  private var clock = 0.0
  private var stride = 0.0

  init(isCalm: Bool) { self.isCalm = isCalm }

  /// The picture of a frame in which nothing moves.
  static func still(_ frame: ChaseFrame) -> ChaseScene {
    var motion = ChaseMotion(isCalm: true)
    motion.advance(to: frame, by: .zero)
    return motion.scene()
  }

  /// Advances the picture.
  /// - Parameters:
  ///   - frame: the figures of the chase.
  ///   - time: the time since the last call, in real time: waves and legs do not become faster in a replay.
  ///   - opponents: the names and metres of the others.
  mutating func advance(to frame: ChaseFrame, by time: Duration, opponents: [(name: String, distance: Double)] = []) {
    let seconds = max(0, (frame.time - (last?.time ?? frame.time)) / .seconds(1))
    let isSame = last?.state == frame.state && frame.state == .inProgress
    if isCalm || !isSame {
      walker.jump(to: frame.distance)
      nessie.jump(to: frame.nessieDistance)
    } else {
      walker.follow(frame.distance, speed: frame.velocity, seconds: seconds)
      nessie.follow(frame.nessieDistance, speed: frame.nessieVelocity, seconds: seconds)
    }
    for opponent in opponents {
      var other = others[opponent.name].flatMap { isCalm ? nil : $0 } ?? Other(at: opponent.distance)
      other.take(opponent.distance, seconds: time / .seconds(1))
      others[opponent.name] = other
    }
    last = frame
    // The waves rest with the chase: a picture that is drawn again shows the same.
    guard !isCalm, frame.state == .inProgress else { return }
    clock += min(time / .seconds(1), 1)
    stride += min(frame.cadence, 4) * min(time / .seconds(1), 1)
  }

  /// The present picture.
  /// - Parameter headstart: metres between Nessie and the walker before the first step.
  func scene(opponents: [(name: String, state: AppState)] = []) -> ChaseScene {
    guard let frame = last else { return ChaseScene() }
    var scene = ChaseScene()
    scene.state = frame.state
    scene.walked = isCalm ? 0 : walker.value
    let headstart = frame.gap + frame.nessieDistance - frame.distance
    scene.gap = max(0, walker.value + headstart - nessie.value)
    scene.toldGap = max(0, frame.gap)
    scene.stride = !isCalm && frame.cadence > 0 ? stride : nil
    scene.clock = clock
    scene.marks = marks(of: frame)
    scene.companions = opponents.map {
      .init(name: $0.name, ahead: (others[$0.name]?.follower.value ?? 0) - walker.value, state: $0.state)
    }
    return scene
  }

  /// Metres to each quarter, by the walker's mean step.
  private func marks(of frame: ChaseFrame) -> [Double] {
    guard let goal = frame.goal else { return [] }
    let step = frame.steps > 0 && frame.distance > 0 ? frame.distance / Double(frame.steps) : Self.usualStep
    // While the picture lags behind the figures, so do the marks.
    let lag = frame.distance - walker.value
    return [0.25, 0.5, 0.75, 1].map { ($0 * Double(goal) - Double(frame.steps)) * step + lag }
  }

  /// Metres; before the first step.
  private static let usualStep = 0.7
}
