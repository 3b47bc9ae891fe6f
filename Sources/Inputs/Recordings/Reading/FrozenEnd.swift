import Accelerometry

/// Notices that a sensor repeats one value, in all of a recording or at its end.
///
/// A coarse sensor that lies still repeats its value, too, but it came to rest before. In 2,404 recordings no value is repeated for
/// 1.5 seconds after half a second of motion, even if they are rounded to 1/64 g.
struct FrozenEnd {
  /// The samples of half a second before ``start``.
  private var before: [AccelerationSample] = []
  /// The first sample with the latest value.
  private var start: AccelerationSample?
  private var count = 0
  /// Whether all samples have that value; with a working sensor the second or third has not.
  private(set) var isConstant = true
  /// The latest samples, at least those of half a second. Few, because copying each batch would take as long as reading it.
  private var recent: [AccelerationSample] = []

  /// In nanoseconds.
  private static let leastDuration: Int64 = 1_500_000_000
  private static let leastSamples = 5
  /// Motion is sought in so many nanoseconds, and in so many samples at most.
  private static let before: Int64 = 500_000_000
  private static let mostBefore = 512
  /// In g, the root mean square of the samples around their mean.
  private static let leastMotion: Float = 0.05

  mutating func take(_ samples: [AccelerationSample]) {
    guard let last = samples.last else { return }
    defer { remember(samples) }
    var first = samples.count - 1
    while first > 0, samples[first - 1].acceleration == last.acceleration { first -= 1 }
    if first == 0, start?.acceleration == last.acceleration {
      count += samples.count
      return
    }
    isConstant = isConstant && first == 0 && start == nil
    let from = Self.beginning(samples[..<first], until: samples[first].nanoseconds)
    before.removeAll(keepingCapacity: true)
    if from == 0 { before += recent[Self.beginning(recent[...], until: samples[first].nanoseconds)...] }
    before += samples[from..<first]
    before.removeFirst(max(0, before.count - Self.mostBefore))
    start = samples[first]
    count = samples.count - first
  }

  /// The index of the first of `samples` in half a second before a time.
  private static func beginning(_ samples: ArraySlice<AccelerationSample>, until time: Int64) -> Int {
    var from = samples.endIndex
    while from > samples.startIndex, samples[from - 1].nanoseconds >= time - before,
      samples.endIndex - from < mostBefore
    {
      from -= 1
    }
    return from
  }

  /// Keeps the end of a batch for the next one.
  private mutating func remember(_ samples: [AccelerationSample]) {
    let from = Self.beginning(samples[...], until: samples[samples.count - 1].nanoseconds)
    if from > 0 { recent.removeAll(keepingCapacity: true) }
    recent += samples[from...]
    // Not for every sample of a pipe that delivers one at a time.
    if recent.count > 2 * Self.mostBefore { recent.removeFirst(recent.count - Self.mostBefore) }
  }

  /// The samples at the end, if a sensor gave them that froze.
  var freeze: RecordingSummary.Freeze? {
    guard let start, let latest = recent.last, count >= Self.leastSamples,
      latest.nanoseconds - start.nanoseconds >= Self.leastDuration
    else { return nil }
    let near = before.map(\.acceleration)
    guard near.count >= 3 else { return nil }
    let mean = near.reduce(SIMD3<Float>()) { $0 + $1 } / Float(near.count)
    let square = near.reduce(Float(0)) { $0 + (($1 - mean) * ($1 - mean)).sum() } / Float(near.count)
    guard square.squareRoot() >= Self.leastMotion else { return nil }
    return RecordingSummary.Freeze(start: start.nanoseconds, samples: count)
  }
}
