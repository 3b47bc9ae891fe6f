/// A rate limiter with a bucket of tokens for each key, which fills at a constant rate: a limited number at once, and a
/// limited number a second in the long run.
///
/// A value without a clock; times are since any fixed instant.
package struct TokenBuckets: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: Duration
  }

  private var buckets: [String: Bucket] = [:]
  private let burst: Double
  private let perSecond: Double
  private let remembered: Int

  /// - Parameters:
  ///   - burst: tokens of a full bucket.
  ///   - perSecond: tokens that are added per second.
  ///   - remembered: the number of keys that are kept; beyond it, those with the fullest buckets are forgotten, so that
  ///     no client can fill the memory.
  package init(burst: Double, perSecond: Double, remembered: Int = 4096) {
    (self.burst, self.perSecond, self.remembered) = (burst, perSecond, remembered)
  }

  /// Takes a token.
  /// - Returns: `nil` if there was one; otherwise the time until there is one.
  package mutating func take(_ key: String, at time: Duration) -> Duration? {
    if buckets.count >= remembered, buckets[key] == nil { forget(at: time) }
    var bucket = Bucket(tokens: tokens(buckets[key], at: time), time: time)
    defer { buckets[key] = bucket }
    guard bucket.tokens >= 1 else { return .seconds((1 - bucket.tokens) / perSecond) }
    bucket.tokens -= 1
    return nil
  }

  /// Forgets keys with full buckets, which are equivalent to unknown ones.
  package mutating func forgetFull(at time: Duration) {
    buckets = buckets.filter { tokens($0.value, at: time) < burst }
  }

  private func tokens(_ bucket: Bucket?, at time: Duration) -> Double {
    guard let bucket else { return burst }
    return min(burst, bucket.tokens + max(0, (time - bucket.time) / .seconds(1)) * perSecond)
  }

  /// If no bucket is full, forget the fullest half.
  private mutating func forget(at time: Duration) {
    forgetFull(at: time)
    if buckets.count < remembered { return }
    let levels = buckets.mapValues { tokens($0, at: time) }
    let middle = levels.values.sorted()[buckets.count / 2]
    buckets = buckets.filter { (levels[$0.key] ?? burst) < middle }
  }
}
