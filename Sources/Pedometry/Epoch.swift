/// What happened in one stretch of a recording; all stretches are of the same length and follow one another.
public struct Epoch: Sendable, Hashable {
  /// The beginning, since the recording's first sample.
  public var start: Duration
  /// Steps whose foot struck in it.
  public var steps: Int
  /// Metres.
  public var distanceTravelled: Double
  /// Mean cadence over the time spent walking, in steps per second; `nil` without steps.
  public var cadence: Double?
  /// The mean of the steps' confidence, 0 to 1; `nil` without steps, or where theirs is not known.
  public var confidence: Double?
}

/// Sorts steps into epochs.
///
/// A pure value: steps and times go in, epochs come out as soon as no step can fall into them any more.
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
  /// The confidence of this epoch's steps, added up, and how many of them have one.
  private var confidence: (sum: Double, steps: Int) = (0, 0)

  /// Begins at zero.
  /// - Parameters:
  ///   - length: above zero.
  ///   - stepLength: how distance is made of steps.
  ///   - time: since the recording's first sample; the epoch that holds it is the first.
  public init(length: Duration, stepLength: StepLengthModel = .walkRatio(), from time: Duration = .zero) {
    precondition(length > .zero, "an epoch must be longer than zero")
    self.length = length
    start = length * Int((time / length).rounded(.down))
    tracker = WalkTracker(stepLength: stepLength)
  }

  /// Takes a step.
  /// - Parameters:
  ///   - time: since the recording's first sample, later than all steps before.
  ///   - confidence: the step's, if it is known.
  /// - Returns: the epochs that ended before it.
  public mutating func record(stepAt time: Duration, confidence: Double? = nil) -> [Epoch] {
    let ended = advance(to: time)
    tracker.record(Step(timestamp: time))
    if let confidence { self.confidence = (self.confidence.sum + confidence, self.confidence.steps + 1) }
    return ended
  }

  /// Notes that no step earlier than `time` will come.
  /// - Returns: the epochs that ended.
  public mutating func advance(to time: Duration) -> [Epoch] {
    var ended: [Epoch] = []
    while let epoch = next(endingBy: time) { ended.append(epoch) }
    return ended
  }

  /// Notes that no step earlier than `time` will come, and gives one epoch at a time: a pause of a month holds many.
  /// - Returns: the first epoch that ended; `nil` when there is no other.
  public mutating func next(endingBy time: Duration) -> Epoch? { time >= start + length ? close() : nil }

  /// Ends the recording.
  /// - Parameter time: of its last sample, since its first.
  /// - Returns: the epochs that were still open; the last one may be cut short.
  public mutating func finish(at time: Duration) -> [Epoch] {
    var ended = advance(to: time)
    if time > start || tracker.steps > before.steps { ended.append(close()) }
    return ended
  }

  private mutating func close() -> Epoch {
    let walking = tracker.walkingDuration - before.walking
    let steps = tracker.steps - before.steps
    let epoch = Epoch(
      start: start, steps: steps, distanceTravelled: tracker.distanceTravelled - before.distance,
      cadence: steps > 0 && walking > .zero ? Double(steps) / (walking / .seconds(1)) : nil,
      confidence: confidence.steps > 0 ? confidence.sum / Double(confidence.steps) : nil)
    confidence = (0, 0)
    before = (tracker.steps, tracker.distanceTravelled, tracker.walkingDuration)
    start += length
    return epoch
  }
}
