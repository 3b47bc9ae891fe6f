/// Adds steps up to what a walker wants to know: totals, cadence, pace, time spent walking.
///
/// A pure value: steps and times go in, a ``WalkSample`` comes out. A *bout* is a run of steps no further apart than
/// ``boutGap``. Each step owns the time since the step before it; the first step of a bout, before which nothing is
/// known, owns as much as the second.
///
///     var tracker = WalkTracker(stepLength: .walkRatio(height: 1.72))
///     for second in 1...10 { tracker.record(Step(timestamp: .seconds(second))) }
///     print(tracker.steps, tracker.meanCadence ?? 0)
public struct WalkTracker: Sendable {
  /// Two steps further apart than this belong to two bouts. Slow walking has a step each 1.2 s at most.
  public static let boutGap = Duration.seconds(2)
  /// How many of the latest steps say what the cadence is at present.
  public static let cadenceSteps = 6

  /// How long a step is.
  public let stepLength: StepLengthModel
  /// Steps so far.
  public private(set) var steps = 0
  /// Metres so far.
  public private(set) var distanceTravelled = 0.0
  /// Time spent walking so far.
  public private(set) var walkingDuration = Duration.zero
  /// When the latest foot struck.
  public private(set) var latestStep: Duration?

  private var boutSteps = 0
  /// The times between the latest steps of this bout, the newest last; at most ``cadenceSteps`` − 1.
  private var intervals: [Duration] = []

  /// Begins at zero.
  public init(stepLength: StepLengthModel = .walkRatio()) {
    self.stepLength = stepLength
    intervals.reserveCapacity(Self.cadenceSteps)
  }

  /// Takes one more step, later than all before it.
  public mutating func record(_ step: Step) {
    let interval = latestStep.map { step.timestamp - $0 }
    latestStep = step.timestamp
    steps += 1
    if let interval, interval <= Self.boutGap {
      if intervals.count == Self.cadenceSteps - 1 { intervals.removeFirst() }
      intervals.append(interval)
      boutSteps += 1
      walkingDuration += boutSteps == 2 ? interval * 2 : interval
    } else {
      intervals.removeAll(keepingCapacity: true)
      boutSteps = 1
    }
    distanceTravelled += stepLength.length(atCadence: latestCadence)
  }

  /// Steps a second over the latest steps of the bout; `nil` for its first one.
  private var latestCadence: Double? {
    guard !intervals.isEmpty else { return nil }
    let (seconds, attoseconds) = intervals.reduce(.zero, +).components
    return Double(intervals.count) / max(Double(seconds) + Double(attoseconds) * 1e-18, 1e-3)
  }

  /// Mean steps a second over the time spent walking; `nil` before two steps in a row.
  public var meanCadence: Double? {
    let (seconds, attoseconds) = walkingDuration.components
    let duration = Double(seconds) + Double(attoseconds) * 1e-18
    return duration > 0 ? Double(steps) / duration : nil
  }

  /// Time spent walking, for a walk that began at `start`. No longer than that is ago: who walks already when it begins
  /// has a first step that owns some time before it.
  public func walkingDuration(at now: Duration, since start: Duration) -> Duration {
    min(walkingDuration, max(.zero, now - start))
  }

  /// What is known at `now`, for a walk that began at `start`, both on the sensor's clock.
  /// - Parameters:
  ///   - now: the moment asked about.
  ///   - start: when the walk began.
  ///   - confirmationDelay: how long after a step the detector may report it; for this long the walker is not reported as standing.
  public func sample(at now: Duration, since start: Duration, confirmationDelay: Duration = .seconds(6)) -> WalkSample {
    let isWalking = latestStep.map { now - $0 <= Self.boutGap + confirmationDelay } ?? false
    let cadence = isWalking ? latestCadence : nil
    let (seconds, attoseconds) = walkingDuration.components
    let active = Double(seconds) + Double(attoseconds) * 1e-18
    return WalkSample(
      steps: steps, distanceTravelled: distanceTravelled, elapsed: now - start, currentCadence: cadence,
      currentPace: cadence.map { 1 / ($0 * stepLength.length(atCadence: $0)) },
      averageActivePace: distanceTravelled > 0 && active > 0 ? active / distanceTravelled : nil,
      activeTime: walkingDuration(at: now, since: start))
  }
}
