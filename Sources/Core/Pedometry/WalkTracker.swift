/// Derives totals, cadence, pace and walking time from steps.
///
/// A pure value: it takes steps and times, and returns a ``WalkTotals``. A *bout* is a run of steps no further apart than
/// ``boutGap``. Each step accounts for the time since the previous step; the first step of a bout for as much as the second.
///
///     var tracker = WalkTracker(stepLength: .walkRatio(height: 1.72))
///     for second in 1...10 { tracker.record(Step(timestamp: .seconds(second))) }
///     print(tracker.steps, tracker.meanCadence ?? 0)
public struct WalkTracker: Sendable {
  /// Two steps further apart than this belong to different bouts. Slow walking has a step at least every 1.2 s.
  public static let boutGap = Duration.seconds(2)
  /// The number of latest steps that determine the current cadence.
  public static let cadenceSteps = 6

  /// How the length of a step is computed.
  public let stepLength: StepLengthModel
  /// The number of steps so far.
  public private(set) var steps = 0
  /// The distance so far, in metres.
  public private(set) var distanceTravelled = 0.0
  /// The walking time so far.
  public private(set) var walkingDuration = Duration.zero
  /// The time of the latest foot strike.
  public private(set) var latestStep: Duration?

  private var boutSteps = 0
  /// The times between the latest steps of this bout, the newest last; at most ``cadenceSteps`` − 1.
  private var intervals: [Duration] = []

  /// Creates a tracker at zero.
  public init(stepLength: StepLengthModel = .walkRatio()) {
    self.stepLength = stepLength
    intervals.reserveCapacity(Self.cadenceSteps)
  }

  /// Takes the next step, later than all before it.
  /// - Returns: the step with its length and its walking time.
  @discardableResult
  public mutating func record(_ step: Step) -> Step {
    var step = step
    let interval = latestStep.map { step.timestamp - $0 }
    latestStep = step.timestamp
    steps += 1
    if let interval, interval <= Self.boutGap {
      if intervals.count == Self.cadenceSteps - 1 { intervals.removeFirst() }
      intervals.append(interval)
      boutSteps += 1
      step.activeTime = boutSteps == 2 ? interval * 2 : interval
    } else {
      intervals.removeAll(keepingCapacity: true)
      boutSteps = 1
      step.activeTime = .zero
    }
    step.length = stepLength.length(atCadence: latestCadence)
    walkingDuration += step.activeTime
    distanceTravelled += step.length
    return step
  }

  /// The cadence in steps a second over the latest steps of the bout; `nil` for its first one.
  private var latestCadence: Double? {
    guard !intervals.isEmpty else { return nil }
    return Double(intervals.count) / max(intervals.reduce(.zero, +).seconds, 1e-3)
  }

  /// The mean cadence in steps a second over the walking time; `nil` before two consecutive steps.
  public var meanCadence: Double? {
    let duration = walkingDuration.seconds
    return duration > 0 ? Double(steps) / duration : nil
  }

  /// The walking time of a walk that began at `start`, at most the time since then: the first step of somebody who
  /// walks already at the beginning accounts for some time before it.
  public func walkingDuration(at now: Duration, since start: Duration) -> Duration {
    min(walkingDuration, max(.zero, now - start))
  }

  /// The totals at `now` of a walk that began at `start`, both on the sensor's clock.
  /// - Parameters:
  ///   - now: the time of the totals.
  ///   - start: the start of the walk.
  ///   - confirmationDelay: how long after a step the detector may report it; for this long the walker is not reported
  ///     as standing.
  public func totals(at now: Duration, since start: Duration, confirmationDelay: Duration = .seconds(6)) -> WalkTotals {
    let isWalking = latestStep.map { now - $0 <= Self.boutGap + confirmationDelay } ?? false
    let cadence = isWalking ? latestCadence : nil
    return WalkTotals(
      steps: steps, distanceTravelled: distanceTravelled, elapsed: now - start, currentCadence: cadence,
      currentPace: cadence.map { 1 / ($0 * stepLength.length(atCadence: $0)) },
      averageActivePace: WalkTotals.pace(distanceTravelled, in: walkingDuration),
      activeTime: walkingDuration(at: now, since: start))
  }
}
