/// The regularity of polling.
package struct PollingJitter: Sendable, Hashable {
  /// The number of intervals measured.
  package private(set) var count = 0
  /// Their mean, in seconds.
  package private(set) var meanInterval = 0.0
  /// The longest, in seconds.
  package private(set) var longestInterval = 0.0
  private var squares = 0.0

  /// Creates empty statistics.
  package init() {}

  /// Adds an interval in seconds (Welford's method: B. P. Welford, Technometrics 4 (1962) 419-420).
  package mutating func record(_ interval: Double) {
    count += 1
    let before = interval - meanInterval
    meanInterval += before / Double(count)
    squares += before * (interval - meanInterval)
    longestInterval = max(longestInterval, interval)
  }

  /// The standard deviation of the intervals, in seconds; 0 with fewer than two.
  package var standardDeviation: Double { count > 1 ? (squares / Double(count - 1)).squareRoot() : 0 }
}
