/// Counts how often things happen, by token buckets: each key has `burst` tokens, which come back at `perSecond`.
struct RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: Duration
  }

  let rate: RoomRules.Rate
  private var buckets: [String: Bucket] = [:]

  init(_ rate: RoomRules.Rate) { self.rate = rate }

  /// Takes a token.
  /// - Returns: `nil` when there was one; else how long until there is.
  mutating func take(_ key: String, at time: Duration) -> Duration? {
    var bucket = filled(buckets[key], at: time)
    guard bucket.tokens >= 1 else { return .seconds((1 - bucket.tokens) / rate.perSecond) }
    bucket.tokens -= 1
    buckets[key] = bucket
    return nil
  }

  /// Forgets whom it has nothing against.
  mutating func forgetTheFull(at time: Duration) {
    buckets = buckets.filter { filled($0.value, at: time).tokens < Double(rate.burst) }
  }

  private func filled(_ bucket: Bucket?, at time: Duration) -> Bucket {
    guard let bucket else { return Bucket(tokens: Double(rate.burst), time: time) }
    let gained = max(0, (time - bucket.time).seconds) * rate.perSecond
    return Bucket(tokens: min(Double(rate.burst), bucket.tokens + gained), time: time)
  }
}
