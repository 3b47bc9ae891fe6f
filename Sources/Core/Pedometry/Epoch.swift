/// The totals of one interval of a recording; all intervals have the same length and are consecutive.
public struct Epoch: Sendable, Hashable {
  /// The beginning, since the recording's first sample.
  public var start: Duration
  /// The number of steps whose foot strike is in the epoch.
  public var steps: Int
  /// Metres.
  public var distanceTravelled: Double
  /// The mean cadence over the walking time, in steps per second; `nil` without steps.
  public var cadence: Double?
  /// The mean confidence of the steps, 0 to 1; `nil` without steps, or if it is unknown.
  public var confidence: Double?
}

/// Groups steps into epochs.
///
/// A pure value: it takes steps and times, and returns epochs as soon as they cannot get any more steps.
///
///     var splitter = EpochSplitter(length: .seconds(60))
///     for second in 1...600 {
///       for epoch in splitter.record(stepAt: .seconds(second)) { print(epoch.start, epoch.steps) }
///     }
///     for epoch in splitter.finish(at: .seconds(600)) { print(epoch.start, epoch.steps) }
public struct EpochSplitter: Sendable {
  /// The length of an epoch.
  public let length: Duration
  private var tracker: WalkTracker
  private var start = Duration.zero
  private var before: (steps: Int, distance: Double, walking: Duration) = (0, 0, .zero)
  /// The sum of the confidence of this epoch's steps, and the number of steps that have one.
  private var confidence: (sum: Double, steps: Int) = (0, 0)

  /// Creates a splitter at zero.
  /// - Parameters:
  ///   - length: above zero.
  ///   - stepLength: how the distance is computed.
  ///   - time: since the recording's first sample; the first epoch is the one that contains it.
  public init(length: Duration, stepLength: StepLengthModel = .walkRatio(), from time: Duration = .zero) {
    precondition(length > .zero, "an epoch must be longer than zero")
    self.length = length
    start = length * Int((time / length).rounded(.down))
    tracker = WalkTracker(stepLength: stepLength)
  }

  /// Takes a step.
  /// - Parameters:
  ///   - time: since the recording's first sample, later than all earlier steps.
  ///   - confidence: the confidence of the step, if known.
  /// - Returns: the epochs that ended before it.
  public mutating func record(stepAt time: Duration, confidence: Double? = nil) -> [Epoch] {
    let ended = advance(to: time)
    tracker.record(Step(timestamp: time))
    if let confidence { self.confidence = (self.confidence.sum + confidence, self.confidence.steps + 1) }
    return ended
  }

  /// Declares that no step earlier than `time` will follow.
  /// - Returns: the epochs that ended.
  public mutating func advance(to time: Duration) -> [Epoch] {
    var ended: [Epoch] = []
    while let epoch = next(endingBy: time) { ended.append(epoch) }
    return ended
  }

  /// Declares that no step earlier than `time` will follow, and returns one epoch at a time, since a pause of a month
  /// contains many.
  /// - Returns: the first epoch that ended; `nil` if there is no other.
  public mutating func next(endingBy time: Duration) -> Epoch? { time >= start + length ? close() : nil }

  /// Ends the recording.
  /// - Parameter time: the time of its last sample, since its first.
  /// - Returns: the epochs that were still open; the last one may be shorter.
  public mutating func finish(at time: Duration) -> [Epoch] {
    var ended = advance(to: time)
    if time > start || tracker.steps > before.steps { ended.append(close()) }
    return ended
  }

  private mutating func close() -> Epoch {
    let walking: Double = (tracker.walkingDuration - before.walking) / .seconds(1)
    let steps = tracker.steps - before.steps
    let epoch = Epoch(
      start: start, steps: steps, distanceTravelled: tracker.distanceTravelled - before.distance,
      cadence: steps > 0 && walking > 0 ? Double(steps) / walking : nil,
      confidence: confidence.steps > 0 ? confidence.sum / Double(confidence.steps) : nil)
    confidence = (0, 0)
    before = (tracker.steps, tracker.distanceTravelled, tracker.walkingDuration)
    start += length
    return epoch
  }
}
