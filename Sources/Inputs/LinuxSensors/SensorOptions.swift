import Accelerometry

/// How to read a sensor.
public struct SensorOptions: Sendable, Hashable {
  /// What the samples are for.
  public enum Use: Sendable, Hashable {
    /// Live display: a sample arrives within about 50 ms.
    case lively
    /// All-day counting: a batch every two seconds.
    case thrifty

    /// The duration of a batch in seconds.
    var batchDuration: Double {
      switch self {
      case .lively: 0.05
      case .thrifty: 2
      }
    }

    /// Samples per second when polling, also for all-day use: polling has no filter, and at 25 Hz the impacts of a foot
    /// alias into the step band.
    static let pollingFrequency = 50.0
  }

  /// What the samples are for.
  public var use: Use
  /// The preferred sampling frequency. If `nil`, a sensor between 20 and 200 Hz is left unchanged, and any other is set
  /// close to 50 Hz.
  public var samplingFrequency: SamplingFrequency?
  /// The time without data after which a sensor is considered broken.
  public var silenceTimeout: Duration
  /// Counts per g for an input device that does not report them and is not known.
  public var countsPerG: Double?

  /// Creates options.
  public init(
    use: Use = .lively, samplingFrequency: SamplingFrequency? = nil, silenceTimeout: Duration = .seconds(10),
    countsPerG: Double? = nil
  ) {
    (self.use, self.samplingFrequency) = (use, samplingFrequency)
    (self.silenceTimeout, self.countsPerG) = (silenceTimeout, countsPerG)
  }
}
