import Synchronization

/// So many at once, and so many a second for ever, for each client: a bucket that fills steadily.
final class RateLimiter: Sendable {
  private struct Bucket {
    var level: Double
    var time: Duration
  }

  private let buckets = Mutex<[String: Bucket]>([:])
  private let burst: Double
  private let perSecond: Double
  /// Clients that are remembered; beyond it, the ones that have been still are forgotten.
  private let remembered: Int

  init(burst: Double, perSecond: Double, remembered: Int = 4096) {
    self.burst = burst
    self.perSecond = perSecond
    self.remembered = remembered
  }

  /// Takes one for a client.
  /// - Parameter now: the time since any fixed instant.
  /// - Returns: nothing when there was one, else how long until there is.
  func take(_ client: String, at now: Duration) -> Duration? {
    buckets.withLock { buckets in
      if buckets.count >= remembered, buckets[client] == nil { forget(&buckets, at: now) }
      var bucket = buckets[client] ?? Bucket(level: burst, time: now)
      bucket.level = level(bucket, at: now)
      bucket.time = now
      defer { buckets[client] = bucket }
      guard bucket.level >= 1 else { return .seconds((1 - bucket.level) / perSecond) }
      bucket.level -= 1
      return nil
    }
  }

  private func level(_ bucket: Bucket, at now: Duration) -> Double {
    min(burst, bucket.level + max(0, (now - bucket.time) / .seconds(1)) * perSecond)
  }

  /// Whoever's bucket is full again is as good as unknown; if all are busy, the fullest half goes.
  private func forget(_ buckets: inout [String: Bucket], at now: Duration) {
    buckets = buckets.filter { level($0.value, at: now) < burst }
    if buckets.count < remembered { return }
    let levels = buckets.mapValues { level($0, at: now) }
    let middle = levels.values.sorted()[buckets.count / 2]
    buckets = buckets.filter { (levels[$0.key] ?? burst) < middle }
  }
}
