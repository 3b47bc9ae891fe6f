/// The figures of a chase at one instant: all that a screen, an event line or a race room shows.
public struct ChaseFrame: Sendable, Hashable {
  /// Since the model was made.
  public var time: Duration
  /// How long the run has been in progress, without pauses.
  public var elapsed: Duration
  /// Where the chase stands.
  public var state: AppState
  /// Steps walked.
  public var steps: Int
  /// Steps to reach; `nil` without a goal.
  public var goal: Int?
  /// Metres walked.
  public var distance: Double
  /// Metres swum.
  public var nessieDistance: Double
  /// Metres from Nessie to the walker; 0 or less once she is there.
  public var gap: Double
  /// How much of the goal is walked, 0 to 1.
  public var runner: Double
  /// How much of the way to the walker Nessie has swum, 0 to 1; 1 exactly when she is there.
  public var nessie: Double
  /// Steps a second over the last ``RecentWalk/presentWindow`` seconds of the chase.
  public var cadence: Double
  /// Metres a second of the walker over the same time.
  public var velocity: Double
  /// Metres a second of Nessie in her latest stroke; a constant pursuer's also before the first one.
  public var nessieVelocity: Double
  /// Whether Nessie is after the walker, and neither sleeps nor rests.
  public var isHunted: Bool
  /// When Nessie will be there if both keep their present pace; `nil` if never, or if the chase is not on.
  public var timeUntilCaught: Duration?

  /// Makes a frame of figures that come from elsewhere, as from another runner's machine.
  public init(
    time: Duration, state: AppState, steps: Int, goal: Int?, distance: Double, nessieDistance: Double, gap: Double,
    runner: Double, nessie: Double, cadence: Double = 0, velocity: Double = 0, nessieVelocity: Double = 0,
    isHunted: Bool = false, timeUntilCaught: Duration? = nil, elapsed: Duration = .zero
  ) {
    self.time = time
    self.elapsed = elapsed
    self.state = state
    self.steps = steps
    self.goal = goal
    self.distance = distance
    self.nessieDistance = nessieDistance
    self.gap = gap
    self.runner = runner
    self.nessie = nessie
    self.cadence = cadence
    self.velocity = velocity
    self.nessieVelocity = nessieVelocity
    self.isHunted = isHunted
    self.timeUntilCaught = timeUntilCaught
  }
}

extension ChaseFrame {
  /// Reads the present figures off a chase.
  public init(of model: AppModel) {
    let data = model.dataModel
    self.init(
      time: model.now, state: model.appState, steps: data.steps, goal: data.goal, distance: data.distance,
      nessieDistance: data.nessie.distance, gap: data.gap, runner: data.runnerFraction, nessie: data.nessieFraction,
      cadence: data.recentWalk.cadence(), velocity: data.recentWalk.velocity(),
      nessieVelocity: data.nessie.velocity, isHunted: data.nessie.isHunting, elapsed: model.elapsed)
    if state == .inProgress { timeUntilCaught = Self.time(closing: gap, at: nessieVelocity - velocity) }
  }

  private static func time(closing gap: Double, at closingVelocity: Double) -> Duration? {
    guard closingVelocity > 0 else { return nil }
    let seconds = max(gap, 0) / closingVelocity
    // A week is never: nobody plays that long, and a tiny difference must not overflow.
    return seconds <= 604_800 ? .seconds(seconds) : nil
  }
}
