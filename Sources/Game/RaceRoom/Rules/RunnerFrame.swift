import ChaseEngine

/// The progress of one runner, as reported to the room and sent to all members.
public struct RunnerFrame: Sendable, Hashable, Codable {
  /// The runner's name.
  public var user: String
  /// The state of the runner's chase.
  public var state: AppState
  /// Steps walked.
  public var steps: Int
  /// Steps to reach; `nil` without a goal.
  public var goal: Int?
  /// Metres walked.
  public var distance: Double
  /// Metres that Nessie has swum.
  public var nessieDistance: Double
  /// The share of the goal that is walked, 0 to 1.
  public var runner: Double
  /// The share of the way to the walker that Nessie has swum, 0 to 1.
  public var nessie: Double
  /// The runner's number of the frame. A frame whose number does not rise is late and ignored, except 0, which starts
  /// again.
  public var seq: Int
  /// The place in the race, from 1; assigned by the room when the runner reaches the goal.
  public var place: Int?

  /// Creates a frame from single figures.
  public init(
    user: String, state: AppState, steps: Int, goal: Int?, distance: Double, nessieDistance: Double, runner: Double,
    nessie: Double, seq: Int, place: Int? = nil
  ) {
    (self.user, self.state, self.steps, self.goal) = (user, state, steps, goal)
    (self.distance, self.nessieDistance, self.runner) = (distance, nessieDistance, runner)
    (self.nessie, self.seq, self.place) = (nessie, seq, place)
  }

  /// Creates a frame from the current figures of a chase.
  public init(user: String, frame: ChaseFrame, seq: Int) {
    self.init(
      user: user, state: frame.state, steps: frame.steps, goal: frame.goal, distance: frame.distance,
      nessieDistance: frame.nessieDistance, runner: frame.runner, nessie: frame.nessie, seq: seq)
  }

  /// The key of the first impossible figure; `nil` if all are possible.
  var impossibleKey: String? {
    if steps < 0 { return "steps" }
    if let goal, goal < 1 { return "goal" }
    if !(distance.isFinite && distance >= 0) { return "distance" }
    if !(nessieDistance.isFinite && nessieDistance >= 0) { return "nessieDistance" }
    if !(0...1).contains(runner) { return "runner" }
    if !(0...1).contains(nessie) { return "nessie" }
    return seq < 0 ? "seq" : nil
  }

  /// The order of the standings: first those who reached the goal, by place; then the others, the furthest first; then
  /// the caught.
  public static func standings(_ frames: some Sequence<RunnerFrame>) -> [RunnerFrame] {
    func group(_ frame: RunnerFrame) -> Int {
      switch frame.state {
      case .completed: 0
      case .inProgress, .paused: 1
      case .notStarted: 2
      case .caught: 3
      }
    }
    return frames.sorted { a, b in
      let (first, second) = (group(a), group(b))
      if first != second { return first < second }
      if a.place != b.place { return (a.place ?? .max) < (b.place ?? .max) }
      return a.runner != b.runner ? a.runner > b.runner : a.user < b.user
    }
  }
}
