import Accelerometry
import Pedometry

/// What a step counting chip said at one moment.
public struct StepCounterReading: Sendable, Hashable {
  /// The time since boot, in nanoseconds.
  public var nanoseconds: Int64
  /// The chip's own number, since it was powered or reset.
  public var register: UInt64
  /// Steps since reading began. Never decreases.
  public var steps: Int
  /// Steps since the reading before.
  public var newSteps: Int
  /// Metres since reading began, for a chip that knows.
  public var distance: Double?
  /// What the chip takes the wearer to be doing, for a chip that knows.
  public var activity: WearerActivity?
  /// For how long nothing came before this reading, though there may have been steps.
  public var gap: Duration?
  /// What the source found wrong since the previous reading: a sentence for people.
  public var warning: String?

  /// Makes a reading.
  public init(
    nanoseconds: Int64, register: UInt64, steps: Int, newSteps: Int, distance: Double? = nil,
    activity: WearerActivity? = nil
  ) {
    self.nanoseconds = nanoseconds
    self.register = register
    self.steps = steps
    self.newSteps = newSteps
    self.distance = distance
    self.activity = activity
  }
}

/// What a chip takes its wearer to be doing.
public enum WearerActivity: String, Sendable, Hashable, CaseIterable {
  case still, walking, jogging, running
}

/// Makes a walk out of a chip's readings: when each step was, how far, how fast.
public struct StepCounterWalk: Sendable {
  /// Seconds a step is given where nothing says more: 110 steps a minute.
  static let usualInterval = 60.0 / StepLengthModel.usualCadence
  /// Seconds between two steps at least: 240 steps a minute.
  static let leastInterval = 0.25
  /// Nanoseconds that a step may lie ahead of its reading.
  static let mostAhead: Int64 = 5_000_000_000

  private var tracker: WalkTracker
  private var start: Int64?

  /// The steps of the latest reading, told apart; of a register that leaps by millions, the first of them.
  public private(set) var newSteps: [Step] = []

  /// Begins at zero.
  public init(stepLength: StepLengthModel = .walkRatio()) { tracker = WalkTracker(stepLength: stepLength) }

  /// Takes a reading; the totals with it. A chip tells of several steps at once, so they are spread evenly over the
  /// time since the step before, but not further back than such a walk would take. Steps that come late, with hardly any
  /// time since the step before, are told as fast as anybody runs; the last of them then lie a moment ahead.
  public mutating func take(_ reading: StepCounterReading) -> WalkSample {
    let now = reading.nanoseconds
    let start = start ?? now
    self.start = start
    let longest = Int64(Double(reading.newSteps) * Self.usualInterval * 1e9)
    let from = max(tracker.latestStep?.wholeNanoseconds ?? Int64.min, now - longest)
    let told = min(reading.newSteps, Self.mostToldApart)
    let most = max(now, min(from + Int64(Double(told) * Self.leastInterval * 1e9), now + Self.mostAhead))
    let interval = max(Double(most - from) / Double(max(1, told)), 1)
    newSteps.removeAll(keepingCapacity: true)
    for index in 0..<told {
      let time = from + Int64(interval * Double(index + 1))
      newSteps.append(Step(timestamp: .nanoseconds(time)))
    }
    for step in newSteps { tracker.record(step) }
    var sample = tracker.sample(
      at: .nanoseconds(now), since: .nanoseconds(start), confirmationDelay: .seconds(2))
    sample.steps = reading.steps
    if let distance = reading.distance { sample.distanceTravelled = distance }
    return sample
  }

  /// A register that leaps by millions (a chip's fault) must not hold anybody up.
  private static let mostToldApart = 100_000
}
