import Accelerometry
import Pedometry
import Platform

/// A reading of a step counting chip.
public struct StepCounterReading: Sendable, Hashable {
  /// The time since boot, in nanoseconds.
  public var nanoseconds: Int64
  /// Steps since reading began. Never decreases.
  public var steps: Int
  /// Steps since the previous reading.
  public var newSteps: Int
  /// Metres since reading began, if the chip measures the distance.
  public var distance: Double?
  /// The time without data before this reading, in which steps may have been missed.
  public var gap: Duration?
  /// A warning about the source since the previous reading.
  public var warning: String?

  /// Creates a reading.
  public init(nanoseconds: Int64, steps: Int, newSteps: Int, distance: Double? = nil) {
    (self.nanoseconds, self.steps, self.newSteps, self.distance) = (nanoseconds, steps, newSteps, distance)
  }
}

/// Converts a chip's readings to steps with times, distance and cadence.
public struct StepCounterWalk: Sendable {
  /// The default time of a step in seconds: 110 steps per minute.
  static let usualInterval = 60.0 / StepLengthModel.usualCadence
  /// The minimum time between two steps in seconds: 240 steps per minute.
  static let leastInterval = 0.25
  /// How far a step may lie ahead of its reading, in nanoseconds.
  static let mostAhead: Int64 = 5_000_000_000

  private var tracker: WalkTracker
  private var start: Int64?
  /// The metres of the steps so far, if the chip measures the distance.
  private var metres = 0.0

  /// The steps of the latest reading, with the metres that the chip measured. If the register jumps by millions, only the
  /// first of them.
  public private(set) var newSteps: [Step] = []

  /// Starts at zero.
  public init(stepLength: StepLengthModel = .walkRatio()) { tracker = WalkTracker(stepLength: stepLength) }

  /// Processes a reading and returns the totals. A chip reports several steps at once, so they are spread evenly over
  /// the time since the previous step, but not further back than such a walk would take, nor before the first reading
  /// unless the chip must have held them back. If hardly any time has passed since the previous step, they are spaced at
  /// the fastest plausible cadence, and the last of them lie slightly ahead.
  public mutating func take(_ reading: StepCounterReading) -> WalkTotals {
    let now = reading.nanoseconds
    let start = start ?? now
    self.start = start
    let told = min(max(0, reading.newSteps), Self.mostToldApart)
    let longest = Int64(bounded: Double(told) * Self.usualInterval * 1e9)
    let earliest = tracker.latestStep?.wholeNanoseconds ?? (couldWalk(told, from: start, to: now) ? start : .min)
    let from = max(earliest, now &- longest)
    let most = max(now, min(from &+ Int64(bounded: Double(told) * Self.leastInterval * 1e9), now &+ Self.mostAhead))
    let interval = max(Double(most &- from) / Double(max(1, told)), 1)
    newSteps.removeAll(keepingCapacity: true)
    for index in 0..<told {
      let time = from &+ Int64(bounded: interval * Double(index + 1))
      newSteps.append(Step(timestamp: .nanoseconds(time)))
    }
    for index in newSteps.indices { newSteps[index] = tracker.record(newSteps[index]) }
    if let distance = reading.distance, told > 0 {
      for index in newSteps.indices { newSteps[index].length = (distance - metres) / Double(told) }
      metres = distance
    }
    var totals = tracker.totals(at: .nanoseconds(now), since: .nanoseconds(start), confirmationDelay: .seconds(2))
    totals.steps = reading.steps
    if let distance = reading.distance { totals.distanceTravelled = distance }
    return totals
  }

  private func couldWalk(_ steps: Int, from start: Int64, to end: Int64) -> Bool {
    Double(end &- start) >= Double(steps) * Self.leastInterval * 1e9
  }

  /// Limits the work if a faulty register jumps by millions.
  private static let mostToldApart = 100_000
}
