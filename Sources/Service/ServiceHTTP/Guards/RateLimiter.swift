import Platform
import Synchronization

/// Limits the rate of each client, with a burst and a number per second; thread-safe.
final class RateLimiter: Sendable {
  private let buckets: Mutex<TokenBuckets>

  init(burst: Double, perSecond: Double, remembered: Int = 4096) {
    buckets = Mutex(TokenBuckets(burst: burst, perSecond: perSecond, remembered: remembered))
  }

  /// Takes a token for a client.
  /// - Parameter now: the time since any fixed instant.
  /// - Returns: `nil` if there was one, otherwise the time until there is one.
  func take(_ client: String, at now: Duration) -> Duration? { buckets.withLock { $0.take(client, at: now) } }
}
