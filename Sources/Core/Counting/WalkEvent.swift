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
  /// The floors climbed and descended since the progress before; `nil` without a barometer.
  public var climbed: (up: Int, down: Int)?
  /// The totals.
  public var totals: WalkTotals
  /// The latest sample or reading that was counted, on the source's clock.
  public var now: Duration
  /// The mean sampling frequency so far, in Hz; `nil` before two samples, and for a step counter.
  public var samplingFrequency: Double?
  /// The movement that was not counted, as far as it is final, on the source's clock; empty unless ``CountingOptions/explains``.
  public var uncounted: [UncountedStretch] = []
  /// Why the latest ten seconds of samples cannot be counted, in one sentence; usually `nil`.
  public var obstacle: String?

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
    steps: [Step], news: [StepNews]? = nil, totals: WalkTotals, now: Duration, samplingFrequency: Double? = nil
  ) {
    (self.steps, self.news, self.totals, self.now) = (steps, news, totals, now)
    self.samplingFrequency = samplingFrequency
  }
}

extension WalkProgress {
  /// Puts floors into the totals.
  /// - Parameter former: the totals before, for what was climbed since.
  package mutating func add(ascended: Int, descended: Int, after former: WalkTotals?) {
    (totals.floorsAscended, totals.floorsDescended) = (ascended, descended)
    climbed = (ascended - (former?.floorsAscended ?? 0), descended - (former?.floorsDescended ?? 0))
  }
}

/// Samples that say nothing about steps: most of them are lost, unreadable, or not those of a working accelerometer.
public struct UncountableSamples: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason and the remedy, in one sentence.
  public var description: String

  init(_ description: String) { self.description = description }
}

/// The result of a whole walk: the totals, the doubts and the verdict, from which commands print and take their exit codes.
public struct WalkSummary: Sendable, Hashable {
  /// What its user calls the source.
  public var source = ""
  /// The totals at the end, with the gait if it was measured.
  public var totals: WalkTotals
  /// The number of samples; 0 for a step counter.
  public var samples = 0
  /// The mean sampling frequency in Hz, without gaps; `nil` before two samples, and for a step counter.
  public var samplingFrequency: Double?
  /// The mean cadence in steps a second over the walking time; `nil` before two consecutive steps.
  public var meanCadence: Double?
  /// The probability that the steps are steps, 0 to 1; `nil` without steps, and unless ``CountingOptions/explains``.
  public var confidence: Double?
  /// Movement that is in no finding, because each stretch of it is too short.
  public var unlistedMovement = Duration.zero
  /// The times of the first and the last sample, in ISO 8601, if the recording states times of day.
  public var (start, end): (String?, String?) = (nil, nil)
  /// The number of gaps in the timestamps.
  public var gaps = 0
  /// The problems of the samples, one sentence for each kind.
  public var warnings: [String] = []
  /// Why the number of steps says nothing and must not be given; `nil` if it may.
  public var refusal: UncountableSamples?

  /// The highest plausible cadence, in steps per second.
  private static let fastestCadence = 5.0

  /// The summary of a counter.
  public init(_ counter: WalkCounter) {
    totals = counter.walk
    samples = counter.samples
    samplingFrequency = counter.samplingFrequency
    meanCadence = counter.meanCadence
    gaps = counter.gaps
    unlistedMovement = counter.unlistedMovement
    warnings = counter.damage.sentences(since: counter.start)
  }

  /// The summary of a step counter; by default one that counted nothing.
  public init(_ totals: WalkTotals = WalkTotals()) {
    self.totals = totals
    let seconds = totals.activeTime / .seconds(1)
    // Steps may arrive late and all at once, so that the time in which they were taken is unknown.
    let cadence = seconds > 0 ? Double(totals.steps) / seconds : nil
    meanCadence = cadence.flatMap { $0 <= Self.fastestCadence ? $0 : nil }
  }
}
