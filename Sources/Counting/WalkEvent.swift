import Accelerometry
import JSONLines
import Pedometry
import StepDetection

/// What happens while a source is counted, in the order in which it happens.
public enum WalkEvent: Sendable {
  /// The source delivers: the time of its first sample or reading, on its own clock.
  case began(at: Duration)
  /// Samples as they came, before they are counted. A source whose steps are counted elsewhere has none.
  case samples([AccelerationSample])
  /// Samples were lost before those that follow.
  case gap(SampleBatch.Gap)
  /// Steps that became certain, and the totals with them.
  case progress(WalkProgress)
  /// Something is wrong with the samples: one sentence, and each kind of damage once.
  case warning(String)
  /// The source is gone, and is waited for; why.
  case lost(any Error)
  /// The source was found again, but cannot be read yet; why.
  case refused(any Error)
  /// The source is back; its name, for people.
  case back(String)
  /// The last event, also before an error is thrown.
  case ended(WalkSummary)
}

/// What a slice of samples, or a reading of a step counter, brought.
public struct WalkProgress: Sendable {
  /// The steps that became certain, by rising timestamp on the source's clock; often none.
  public var steps: [Step]
  /// What was announced, confirmed and taken back; `nil` unless ``CountingOptions/announcesSteps``.
  public var news: [StepNews]?
  /// Metres of ``steps`` together, where a chip has measured them.
  public var metres: Double?
  /// The totals.
  public var totals: WalkSample
  /// The latest sample or reading that was counted, on the source's clock.
  public var now: Duration
  /// Mean samples a second so far; `nil` before two samples, and for a step counter.
  public var samplingFrequency: Double?

  /// The steps that became certain later than `StepDetector.longestDelay` after they were made: the totals
  /// include them, but consumers of single steps do not. They are the first of ``steps``; usually none.
  public var correction: ArraySlice<Step> {
    steps.prefix { now - $0.timestamp > StepDetector.longestDelay + CountingOptions.liveSlice }
  }

  /// Says so to people; `nil` where nothing was corrected.
  public var correctionSentence: String? {
    guard let first = correction.first, let age = Decimals.text((now - first.timestamp) / .seconds(1), 0) else {
      return nil
    }
    let steps = correction.count == 1 ? "1 step" : "\(correction.count) steps"
    return "\(steps) added, taken up to \(age) s ago: the beginning of the walk was not confirmed before"
  }

  /// Makes progress.
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

/// What a source's walk came to.
public struct WalkSummary: Sendable, Hashable {
  /// Steps of both feet.
  public var steps = 0
  /// Metres.
  public var distanceTravelled = 0.0
  /// From the first sample or reading to the latest.
  public var duration = Duration.zero
  /// Samples; none of a step counter.
  public var samples = 0
  /// Mean samples a second, pauses left out; `nil` before two samples, and for a step counter.
  public var samplingFrequency: Double?
  /// Mean steps a second over the time spent walking; `nil` before two steps in a row.
  public var meanCadence: Double?
  /// Time spent walking.
  public var walkingDuration = Duration.zero
  /// Pauses in the timestamps.
  public var gaps = 0
  /// What was wrong with the samples, one sentence for each kind.
  public var warnings: [String] = []
  /// Floors climbed; `nil` without a barometer.
  public var floorsAscended: Int?
  /// Floors descended; `nil` without a barometer.
  public var floorsDescended: Int?

  /// The highest plausible cadence, in steps per second.
  private static let fastestCadence = 5.0

  /// Of a source that delivered nothing.
  public init() {}

  /// What a counter has counted.
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
    // Steps may come later than they were made, all at once: then nobody knows in what time.
    let cadence = seconds > 0 ? Double(walk.steps) / seconds : nil
    meanCadence = cadence.flatMap { $0 <= Self.fastestCadence ? $0 : nil }
  }
}
