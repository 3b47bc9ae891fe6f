import Accelerometry

/// Cuts what a reader hands out into batches: at gaps in the timestamps, and into slices if somebody is waiting for them.
struct BatchCutter {
  private let gapThreshold: Int64
  private let longestSlice: Int64
  private var previous: Int64?
  private var position = 0
  /// What the reader filled last. Set it anew only when ``isEmpty``.
  var samples: [AccelerationSample] = [] {
    didSet { position = 0 }
  }

  /// - Parameters:
  ///   - gapThreshold: a longer time than this between two samples is a gap.
  ///   - longestSlice: no batch covers more than this; `nil`: no limit.
  init(gapThreshold: Duration, longestSlice: Duration?) {
    self.gapThreshold = gapThreshold.wholeNanoseconds
    self.longestSlice = longestSlice?.wholeNanoseconds ?? .max
  }

  /// Whether everything was cut.
  var isEmpty: Bool { position >= samples.count }

  /// The next batch. There must be one.
  mutating func next() -> SampleBatch {
    let first = samples[position].nanoseconds
    let pause = previous.map { Self.elapsed(from: $0, to: first) } ?? 0
    var end = position + 1
    while end < samples.count {
      let time = samples[end].nanoseconds
      if Self.elapsed(from: samples[end - 1].nanoseconds, to: time) > gapThreshold { break }
      if Self.elapsed(from: first, to: time) >= longestSlice { break }
      end += 1
    }
    let batch = SampleBatch(
      samples: Array(samples[position..<end]), gap: pause > gapThreshold ? .interruption(.nanoseconds(pause)) : nil)
    previous = samples[end - 1].nanoseconds
    position = end
    return batch
  }

  /// The time between two timestamps; clamped where it exceeds 292 years.
  static func elapsed(from start: Int64, to end: Int64) -> Int64 {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (end > start ? .max : .min) : difference
  }
}
