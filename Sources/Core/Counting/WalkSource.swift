import Accelerometry
import Pedometry
import StepDetection

/// Any source of steps: a sensor, a recording, a hardware step counter, another machine.
///
/// The sequence is pulled and has one consumer, so a slow consumer holds back the source. Its last element is
/// ``WalkEvent/ended(_:)``, also before an error; cancelling the consuming task ends it and closes the source.
public protocol WalkSource: Sendable {
  /// The events, in order.
  associatedtype Events: AsyncSequence<WalkEvent, any Error>

  /// Opens the source and begins to count at zero steps.
  func events(_ options: CountingOptions) -> Events
}

/// How a source is counted.
public struct CountingOptions: Sendable, Hashable {
  /// How the distance is computed.
  public var stepLength: StepLengthModel
  /// How long after the foot strike a step may be reported.
  public var latency: Duration
  /// The longest slice, in the samples' time, that is counted at once; `nil` counts whole batches.
  public var slice: Duration?
  /// How walking is distinguished from other movement.
  public var recognition = WalkRecognition.gate
  /// Whether steps are announced before they are confirmed.
  public var announcesSteps = false
  /// Whether steps get a confidence and findings are kept.
  public var explains = false
  /// Whether the gait is measured; see `WalkTotals.gait`. Costs a tenth of a microsecond a sample, and keeps the samples of the
  /// latest steps.
  public var measuresGait = false
  /// The sampling frequency that the user stated, which is checked against the movement that it implies; `nil` if times were measured.
  package var stated: SamplingFrequency?
  /// What the user calls the stated sampling frequency, in doubts about it.
  package var statedBy = "--rate"

  /// The same options for a live source whose totals are kept: the beginning of a walk is counted up to
  /// `StepDetector.longestRevision` later, as a ``WalkProgress/correction``.
  public var correcting: CountingOptions {
    var options = self
    options.latency = StepDetector.longestRevision
    return options
  }

  /// The slice of live sources: events are reported as if samples arrived one after the other, whatever the size of the batches.
  public static let liveSlice = Duration.milliseconds(100)

  /// Creates options for a live source.
  public init(
    stepLength: StepLengthModel = .walkRatio(), latency: Duration = StepDetector.longestDelay,
    slice: Duration? = liveSlice
  ) {
    (self.stepLength, self.latency, self.slice) = (stepLength, latency, slice)
  }
}
