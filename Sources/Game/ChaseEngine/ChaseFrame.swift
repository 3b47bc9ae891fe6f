/// The figures of a chase at one instant, for a screen, an event line or a race room.
public struct ChaseFrame: Sendable, Hashable {
  /// The time since the model was created.
  public var time: Duration
  /// How long the run has been in progress, without pauses.
  public var elapsed: Duration
  /// The state of the chase.
  public var state: AppState
  /// Steps walked.
  public var steps: Int
  /// Steps to reach; `nil` without a goal.
  public var goal: Int?
  /// Metres walked.
  public var distance: Double
  /// Metres swum by Nessie.
  public var nessieDistance: Double
  /// Metres from Nessie to the walker; 0 or less once she has arrived.
  public var gap: Double
  /// The share of the goal that is walked, 0 to 1.
  public var runner: Double
  /// The share of the way to the walker that Nessie has swum, 0 to 1; 1 exactly when she has arrived.
  public var nessie: Double
  /// Steps a second: the pedometer's present cadence, or if it reports none, the mean of the last
  /// ``RecentWalk/presentWindow`` seconds of the chase.
  public var cadence: Double
  /// The walker's speed in metres a second, in the same way.
  public var velocity: Double
  /// Nessie's speed in metres a second.
  public var nessieVelocity: Double
  /// The time until Nessie arrives if both keep their speed; `nil` if she does not, or if the chase is not in progress.
  public var timeUntilCaught: Duration?

  /// Creates a frame from external figures, such as those of another runner's machine.
  public init(
    time: Duration, state: AppState, steps: Int, goal: Int?, distance: Double, nessieDistance: Double, gap: Double,
    runner: Double, nessie: Double, cadence: Double = 0, velocity: Double = 0, nessieVelocity: Double = 0,
    timeUntilCaught: Duration? = nil, elapsed: Duration = .zero
  ) {
    (self.time, self.elapsed, self.state, self.steps) = (time, elapsed, state, steps)
    (self.goal, self.distance, self.nessieDistance) = (goal, distance, nessieDistance)
    (self.gap, self.runner, self.nessie, self.cadence) = (gap, runner, nessie, cadence)
    (self.velocity, self.nessieVelocity) = (velocity, nessieVelocity)
    self.timeUntilCaught = timeUntilCaught
  }
}

extension ChaseFrame {
  /// The current figures of a chase.
  public init(of model: AppModel) {
    let data = model.dataModel
    self.init(
      time: model.now, state: model.appState, steps: data.steps, goal: data.goal, distance: data.distance,
      nessieDistance: data.nessie.distance, gap: data.gap, runner: data.runnerFraction, nessie: data.nessieFraction,
      cadence: data.cadence, velocity: data.velocity,
      nessieVelocity: data.nessie.velocity, elapsed: model.elapsed)
    if state == .inProgress { timeUntilCaught = Self.time(closing: gap, at: nessieVelocity - velocity) }
  }

  private static func time(closing gap: Double, at closingVelocity: Double) -> Duration? {
    guard closingVelocity > 0 else { return nil }
    let seconds = max(gap, 0) / closingVelocity
    // Times above a week count as never, and a tiny difference must not overflow.
    return seconds <= 604_800 ? .seconds(seconds) : nil
  }
}
