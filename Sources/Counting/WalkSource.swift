import Pedometry
import StepDetection

/// Anything that steps come from: a sensor, a recording, a chip that counts, another machine.
///
/// The sequence is pulled and has one consumer, so a slow consumer holds back the source. Its last element is
/// ``WalkEvent/ended(_:)``, also before an error; cancelling the consuming task ends it and closes what it had opened.
public protocol WalkSource: Sendable {
  /// What happens, in order.
  associatedtype Events: AsyncSequence<WalkEvent, any Error>

  /// Begins to count at zero steps, with the source opened anew.
  func events(_ options: CountingOptions) -> Events
}

/// How a source is counted.
public struct CountingOptions: Sendable, Hashable {
  /// How distance is made of steps.
  public var stepLength: StepLengthModel
  /// How long after it happened a step may be told.
  public var patience: Duration
  /// At most so much of the samples' time is counted at once; `nil`: a batch, as it comes.
  public var slice: Duration?
  /// Whether steps are announced before they are certain.
  public var announcesSteps = false
  /// Whether steps get a confidence, and the counter finds reasons.
  public var explains = false

  /// The same for a source that is followed as it happens, and whose totals are kept: a walk's beginning is counted up to
  /// `StepDetector.longestRevision` after the fact, as a ``WalkProgress/correction``.
  public var correcting: CountingOptions {
    var options = self
    options.patience = StepDetector.longestRevision
    return options
  }

  /// However many samples come at once, what they bring is told as if they came one after the other: the slice of
  /// everything that follows a source as it happens.
  public static let liveSlice = Duration.milliseconds(100)

  /// Makes options for a source that is followed as it happens.
  public init(
    stepLength: StepLengthModel = .walkRatio(), patience: Duration = StepDetector.longestDelay,
    slice: Duration? = liveSlice
  ) {
    self.stepLength = stepLength
    self.patience = patience
    self.slice = slice
  }
}
