import Platform
import Synchronization

/// So many at once, and so many a second for ever, for each client, whichever thread asks.
final class RateLimiter: Sendable {
  private let buckets: Mutex<TokenBuckets>

  init(burst: Double, perSecond: Double, remembered: Int = 4096) {
    buckets = Mutex(TokenBuckets(burst: burst, perSecond: perSecond, remembered: remembered))
  }

  /// Takes one for a client.
  /// - Parameter now: the time since any fixed instant.
  /// - Returns: nothing when there was one, else how long until there is.
  func take(_ client: String, at now: Duration) -> Duration? { buckets.withLock { $0.take(client, at: now) } }
}
