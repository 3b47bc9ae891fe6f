import Platform

/// Exponential back-off with jitter: up to half of each wait is random, so that many clients that lost a service at the same
/// time do not all return at the same time.
public struct JitteredBackoff: Sendable, Hashable {
  /// The longest wait after the first failure.
  public var first: Duration
  /// The longest wait chosen by the client.
  public var longest: Duration
  /// The longest wait that a service may request.
  public var longestAsked: Duration

  /// Creates a back-off.
  public init(
    first: Duration = .seconds(1), longest: Duration = .seconds(300), longestAsked: Duration = .seconds(3600)
  ) {
    self.first = first
    self.longest = longest
    self.longestAsked = longestAsked
  }

  /// The wait after a number of consecutive failures.
  /// - Parameters:
  ///   - failures: at least 1.
  ///   - asked: the wait that the service requested; the result is never shorter, up to ``longestAsked``.
  ///   - chance: from 0 to 1.
  public func delay(after failures: Int, asked: Duration? = nil, chance: Double) -> Duration {
    let full = Backoff(first: first, longest: longest).delay(after: failures)
    let own = full * (0.5 + 0.5 * min(max(chance, 0), 1))
    return max(own, asked.map { min($0, longestAsked) } ?? .zero)
  }
}
