/// How evenly values were polled: a program that asks gets the sensor's values when it comes to ask.
public struct PollingJitter: Sendable, Hashable {
  /// Intervals measured.
  public private(set) var count = 0
  /// Their mean, in seconds.
  public private(set) var meanInterval = 0.0
  /// The longest, in seconds.
  public private(set) var longestInterval = 0.0
  private var squares = 0.0

  /// Nothing is measured yet.
  public init() {}

  /// Takes one interval in seconds (Welford's method: B. P. Welford, Technometrics 4 (1962) 419-420).
  public mutating func record(_ interval: Double) {
    count += 1
    let before = interval - meanInterval
    meanInterval += before / Double(count)
    squares += before * (interval - meanInterval)
    longestInterval = max(longestInterval, interval)
  }

  /// The intervals' standard deviation, in seconds; 0 before two of them.
  public var standardDeviation: Double { count > 1 ? (squares / Double(count - 1)).squareRoot() : 0 }
}
