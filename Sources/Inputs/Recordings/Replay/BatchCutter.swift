import Accelerometry

/// Cuts the samples of a reader into batches: at gaps in the timestamps, and into slices for live consumers.
struct BatchCutter {
  private let gapThreshold: Int64
  private let longestSlice: Int64
  private var previous: Int64?
  private var position = 0
  /// The latest samples of the reader. Set it only when ``isEmpty``.
  var samples: [AccelerationSample] = [] {
    didSet { position = 0 }
  }

  /// - Parameters:
  ///   - gapThreshold: a longer time than this between two samples is a gap.
  ///   - longestSlice: the maximum duration of a batch; `nil` for no limit.
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

  /// The time between two timestamps, clamped to 292 years.
  static func elapsed(from start: Int64, to end: Int64) -> Int64 {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (end > start ? .max : .min) : difference
  }
}
