/// Splits samples into batches at gaps, and if desired into slices.
///
/// The kernel does not report lost samples: a full buffer silently drops new ones, and suspend stops the sensor. Both
/// only leave a gap in the timestamps, as in a recording.
package struct GapFinder: Sendable {
  /// A shorter gap (a late batch, a few lost samples) is not an interruption; a resampler bridges it.
  package static let leastInterruption: Int64 = 1_000_000_000

  private let period: Double
  private let slice: Int64
  private var latest: Int64?
  private var wasFull = false

  /// Starts with a nominal sampling frequency.
  /// - Parameter slice: a batch is shorter than this.
  package init(frequency: SamplingFrequency?, slice: Duration? = nil) {
    period = frequency?.periodInNanoseconds ?? 20_000_000
    self.slice = slice?.wholeNanoseconds ?? .max
  }

  /// Splits samples into batches.
  /// - Parameters:
  ///   - samples: the samples of one read, in order.
  ///   - bufferWasFull: whether the read returned as many scans as the kernel's buffer holds, so that later ones may be
  ///     lost.
  package mutating func split(_ samples: [AccelerationSample], bufferWasFull: Bool = false) -> [SampleBatch] {
    var batches: [SampleBatch] = []
    var start = samples.startIndex
    var pending: SampleBatch.Gap?
    for index in samples.indices {
      let time = samples[index].nanoseconds
      let gap = gap(before: time)
      if gap != nil || Self.elapsed(from: samples[start].nanoseconds, to: time) >= slice {
        if index > start { batches.append(SampleBatch(samples: Array(samples[start..<index]), gap: pending)) }
        (start, pending) = (index, gap)
      }
      latest = time
      wasFull = false
    }
    wasFull = bufferWasFull
    if start < samples.endIndex { batches.append(SampleBatch(samples: Array(samples[start...]), gap: pending)) }
    return batches
  }

  private func gap(before time: Int64) -> SampleBatch.Gap? {
    guard let latest else { return nil }
    let hole = Self.elapsed(from: latest, to: time)
    if wasFull, Double(hole) > 2.5 * period { return .overflow }
    return hole > max(Self.leastInterruption, Int64(min(10 * period, 1e18))) ? .interruption(.nanoseconds(hole)) : nil
  }

  /// The time between two timestamps, clamped to 292 years.
  package static func elapsed(from start: Int64, to end: Int64) -> Int64 {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (end > start ? .max : .min) : difference
  }
}
