import Accelerometry

/// Notices that a recording ends with a sensor that repeats one value.
///
/// A coarse sensor that lies still repeats its value, too, but it came to rest before. In 2,404 recordings no value is repeated for
/// 1.5 seconds after half a second of motion, even if they are rounded to 1/64 g.
struct FrozenEnd {
  /// The samples before ``start``. Few, because copying each batch would take as long as reading it.
  private var before: [AccelerationSample] = []
  /// The first sample with the latest value.
  private var start: AccelerationSample?
  private var count = 0
  private var latest: Int64 = 0

  /// In nanoseconds.
  private static let leastDuration: Int64 = 1_500_000_000
  private static let leastSamples = 5
  /// Motion is sought in so many nanoseconds, and in so many samples at most.
  private static let before: Int64 = 500_000_000
  private static let mostBefore = 512
  /// In g, the root mean square of the samples around their mean.
  private static let leastMotion: Float = 0.05

  /// Takes the next samples.
  mutating func take(_ samples: [AccelerationSample]) {
    guard let last = samples.last else { return }
    latest = last.nanoseconds
    var first = samples.count - 1
    while first > 0, samples[first - 1].acceleration == last.acceleration { first -= 1 }
    if first == 0, start?.acceleration == last.acceleration {
      count += samples.count
      return
    }
    remember(samples, first)
    start = samples[first]
    count = samples.count - first
  }

  /// Remembers the samples before the one at `end`, up to half a second of them.
  private mutating func remember(_ samples: [AccelerationSample], _ end: Int) {
    let earliest = samples[end].nanoseconds - Self.before
    var from = end
    while from > 0, samples[from - 1].nanoseconds >= earliest, end - from < Self.mostBefore { from -= 1 }
    if from > 0 {
      before.removeAll(keepingCapacity: true)
    } else {
      if let start { before += repeatElement(start, count: min(count, Self.mostBefore)) }
      before.removeFirst(max(0, before.count + end - Self.mostBefore))
    }
    before += samples[from..<end]
  }

  /// The samples at the end, if a sensor gave them that froze.
  var freeze: RecordingSummary.Freeze? {
    guard let start, count >= Self.leastSamples, latest - start.nanoseconds >= Self.leastDuration else { return nil }
    let near = before.filter { $0.nanoseconds >= start.nanoseconds - Self.before }.map(\.acceleration)
    guard near.count >= 3 else { return nil }
    let mean = near.reduce(SIMD3<Float>()) { $0 + $1 } / Float(near.count)
    let square = near.reduce(Float(0)) { $0 + (($1 - mean) * ($1 - mean)).sum() } / Float(near.count)
    guard square.squareRoot() >= Self.leastMotion else { return nil }
    return RecordingSummary.Freeze(start: start.nanoseconds, samples: count)
  }
}
