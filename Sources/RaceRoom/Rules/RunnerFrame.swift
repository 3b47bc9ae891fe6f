import ChaseEngine

/// How far one runner is: what he tells the room, and the room everybody.
public struct RunnerFrame: Sendable, Hashable {
  /// Who runs.
  public var user: String
  /// Where his chase stands.
  public var state: AppState
  /// Steps walked.
  public var steps: Int
  /// Steps to reach; `nil` without a goal.
  public var goal: Int?
  /// Metres walked.
  public var distance: Double
  /// Metres that Nessie has swum.
  public var nessieDistance: Double
  /// How much of the goal is walked, 0 to 1.
  public var runner: Double
  /// How much of the way to the walker Nessie has swum, 0 to 1.
  public var nessie: Double
  /// The runner's own count of frames. One that is not above the last is late and ignored, except 0, which begins anew.
  public var seq: Int
  /// As which he came in, from 1; given by the room when he has reached the goal of a race.
  public var place: Int?

  /// Makes a frame of single figures.
  public init(
    user: String, state: AppState, steps: Int, goal: Int?, distance: Double, nessieDistance: Double, runner: Double,
    nessie: Double, seq: Int, place: Int? = nil
  ) {
    self.user = user
    self.state = state
    self.steps = steps
    self.goal = goal
    self.distance = distance
    self.nessieDistance = nessieDistance
    self.runner = runner
    self.nessie = nessie
    self.seq = seq
    self.place = place
  }

  /// Makes a frame of a chase's present figures.
  public init(user: String, frame: ChaseFrame, seq: Int) {
    self.init(
      user: user, state: frame.state, steps: frame.steps, goal: frame.goal, distance: frame.distance,
      nessieDistance: frame.nessieDistance, runner: frame.runner, nessie: frame.nessie, seq: seq)
  }

  /// The key of the first figure that cannot be; `nil` when all can.
  var impossibleKey: String? {
    if steps < 0 { return "steps" }
    if let goal, goal < 1 { return "goal" }
    if !(distance.isFinite && distance >= 0) { return "distance" }
    if !(nessieDistance.isFinite && nessieDistance >= 0) { return "nessieDistance" }
    if !(0...1).contains(runner) { return "runner" }
    if !(0...1).contains(nessie) { return "nessie" }
    return seq < 0 ? "seq" : nil
  }
}

extension RunnerFrame {
  /// Who is ahead: those who came in, in their order; then those on their way, the furthest first; then the caught.
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

extension RunnerFrame: Codable {
  private enum CodingKeys: String, CodingKey {
    case user, state, steps, goal, distance, nessieDistance, runner, nessie, seq, place
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .state)
    guard let state = AppState(rawValue: name) else {
      throw DecodingError.dataCorruptedError(forKey: .state, in: values, debugDescription: "no such state: \(name)")
    }
    self.init(
      user: try values.decode(String.self, forKey: .user), state: state,
      steps: try values.decode(Int.self, forKey: .steps), goal: try values.decodeIfPresent(Int.self, forKey: .goal),
      distance: try values.decode(Double.self, forKey: .distance),
      nessieDistance: try values.decode(Double.self, forKey: .nessieDistance),
      runner: try values.decode(Double.self, forKey: .runner), nessie: try values.decode(Double.self, forKey: .nessie),
      seq: try values.decode(Int.self, forKey: .seq), place: try values.decodeIfPresent(Int.self, forKey: .place))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(user, forKey: .user)
    try values.encode(state.rawValue, forKey: .state)
    try values.encode(steps, forKey: .steps)
    try values.encodeIfPresent(goal, forKey: .goal)
    try values.encode(distance, forKey: .distance)
    try values.encode(nessieDistance, forKey: .nessieDistance)
    try values.encode(runner, forKey: .runner)
    try values.encode(nessie, forKey: .nessie)
    try values.encode(seq, forKey: .seq)
    try values.encodeIfPresent(place, forKey: .place)
  }
}
