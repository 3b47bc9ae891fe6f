import Accelerometry

/// How a sensor is to be read.
public struct SensorOptions: Sendable, Hashable {
  /// What the samples are for.
  public enum Use: Sendable, Hashable {
    /// Somebody watches: a sample arrives within some 50 ms.
    case lively
    /// All day: a look every two seconds.
    case thrifty

    /// Seconds of samples that are handed over at a time.
    var batchDuration: Double {
      switch self {
      case .lively: 0.05
      case .thrifty: 2
      }
    }

    /// Samples a second when the values are polled. Nothing filters them, so this is as high for all-day use: at 25 Hz the
    /// impacts of a foot alias into the step band.
    static let pollingFrequency = 50.0
  }

  /// What the samples are for.
  public var use: Use
  /// A wish. Without one, a sensor between 20 and 200 Hz stays as it is, and any other is set near to 50 Hz.
  public var samplingFrequency: SamplingFrequency?
  /// After how long without a word a sensor is taken for broken.
  public var silenceTimeout: Duration
  /// Counts of one g for an input device that does not say and is not known.
  public var countsPerG: Double?

  /// Makes options.
  public init(
    use: Use = .lively, samplingFrequency: SamplingFrequency? = nil, silenceTimeout: Duration = .seconds(10),
    countsPerG: Double? = nil
  ) {
    self.use = use
    self.samplingFrequency = samplingFrequency
    self.silenceTimeout = silenceTimeout
    self.countsPerG = countsPerG
  }
}
