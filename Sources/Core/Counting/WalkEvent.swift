import Accelerometry
import JSONLines
import Pedometry
import StepDetection

/// The events while a source is counted, in order.
public enum WalkEvent: Sendable {
  /// The source has started to deliver, with the time of its first sample or reading, on its own clock.
  case began(at: Duration)
  /// Samples as they arrived, before they are counted. A source whose steps are counted elsewhere has none.
  case samples([AccelerationSample])
  /// Samples were lost before those that follow.
  case gap(SampleBatch.Gap)
  /// Confirmed steps, and the totals including them.
  case progress(WalkProgress)
  /// A problem of the samples: one sentence, and each kind of damage once.
  case warning(String)
  /// The source was lost, with the reason. The sequence waits for it.
  case lost(any Error)
  /// The source was found again, but cannot be read yet, with the reason.
  case refused(any Error)
  /// The source is back, with its name for people.
  case back(String)
  /// The last event, also before an error is thrown.
  case ended(WalkSummary)
}

/// The result of a slice of samples, or of a reading of a step counter.
public struct WalkProgress: Sendable {
  /// The confirmed steps, by rising timestamp on the source's clock; often none.
  public var steps: [Step]
  /// The announced, confirmed and retracted steps; `nil` unless ``CountingOptions/announcesSteps``.
  public var news: [StepNews]?
  /// The distance of ``steps`` in metres, if a hardware step counter measured it.
  public var metres: Double?
  /// The totals.
  public var totals: WalkSample
  /// The latest sample or reading that was counted, on the source's clock.
  public var now: Duration
  /// The mean sampling frequency so far, in Hz; `nil` before two samples, and for a step counter.
  public var samplingFrequency: Double?

  /// The steps that were confirmed later than `StepDetector.longestDelay` after they were taken: the totals include
  /// them, but consumers of single steps do not. They are the first of ``steps``; usually none.
  public var correction: ArraySlice<Step> {
    steps.prefix { now - $0.timestamp > StepDetector.longestDelay + CountingOptions.liveSlice }
  }

  /// A sentence for people about the correction; `nil` if there is none.
  public var correctionSentence: String? {
    guard let first = correction.first, let age = Decimals.text((now - first.timestamp) / .seconds(1), 0) else {
      return nil
    }
    let steps = correction.count == 1 ? "1 step" : "\(correction.count) steps"
    return "\(steps) added, taken up to \(age) s ago: the beginning of the walk was not confirmed before"
  }

  /// Creates a progress event.
  public init(
    steps: [Step], news: [StepNews]? = nil, metres: Double? = nil, totals: WalkSample, now: Duration,
    samplingFrequency: Double? = nil
  ) {
    self.steps = steps
    self.news = news
    self.metres = metres
    self.totals = totals
    self.now = now
    self.samplingFrequency = samplingFrequency
  }
}

/// The totals of a walk.
public struct WalkSummary: Sendable, Hashable {
  /// Steps of both feet.
  public var steps = 0
  /// Metres.
  public var distanceTravelled = 0.0
  /// From the first sample or reading to the latest.
  public var duration = Duration.zero
  /// The number of samples; 0 for a step counter.
  public var samples = 0
  /// The mean sampling frequency in Hz, without gaps; `nil` before two samples, and for a step counter.
  public var samplingFrequency: Double?
  /// The mean cadence in steps a second over the walking time; `nil` before two consecutive steps.
  public var meanCadence: Double?
  /// The walking time.
  public var walkingDuration = Duration.zero
  /// The number of gaps in the timestamps.
  public var gaps = 0
  /// The problems of the samples, one sentence for each kind.
  public var warnings: [String] = []
  /// Floors climbed; `nil` without a barometer.
  public var floorsAscended: Int?
  /// Floors descended; `nil` without a barometer.
  public var floorsDescended: Int?

  /// The highest plausible cadence, in steps per second.
  private static let fastestCadence = 5.0

  /// The summary of a source that delivered nothing.
  public init() {}

  /// The totals of a counter.
  public init(_ counter: WalkCounter) {
    steps = counter.steps
    distanceTravelled = counter.distanceTravelled
    duration = counter.walk.elapsed
    samples = counter.samples
    samplingFrequency = counter.samplingFrequency
    meanCadence = counter.meanCadence
    walkingDuration = counter.walkingDuration
    gaps = counter.gaps
    warnings = counter.damage.sentences(since: counter.start)
  }

  /// The totals of a step counter.
  public init(_ walk: WalkSample) {
    steps = walk.steps
    distanceTravelled = walk.distanceTravelled
    duration = walk.elapsed
    walkingDuration = walk.activeTime
    let seconds = walk.activeTime / .seconds(1)
    // Steps may arrive late and all at once, so that the time in which they were taken is unknown.
    let cadence = seconds > 0 ? Double(walk.steps) / seconds : nil
    meanCadence = cadence.flatMap { $0 <= Self.fastestCadence ? $0 : nil }
  }
}
