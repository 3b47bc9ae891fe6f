import Accelerometry
import Platform

/// Splits samples into batches at gaps.
///
/// The kernel does not report lost samples: a full buffer silently drops new ones, and suspend stops the sensor. Both
/// only leave a gap in the timestamps.
package struct GapFinder: Sendable {
  /// A shorter gap (a late batch, a few lost samples) is not an interruption; a resampler bridges it.
  package static let leastInterruption: Int64 = 1_000_000_000

  private let period: Double
  private var latest: Int64?
  private var wasFull = false

  /// Starts with a nominal sampling frequency.
  package init(frequency: SamplingFrequency?) { period = frequency?.periodInNanoseconds ?? 20_000_000 }

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
      if let gap = gap(before: samples[index].nanoseconds) {
        if index > start { batches.append(SampleBatch(samples: Array(samples[start..<index]), gap: pending)) }
        (start, pending) = (index, gap)
      }
      latest = samples[index].nanoseconds
      wasFull = false
    }
    wasFull = bufferWasFull
    if start < samples.endIndex { batches.append(SampleBatch(samples: Array(samples[start...]), gap: pending)) }
    return batches
  }

  private func gap(before time: Int64) -> SampleBatch.Gap? {
    guard let latest else { return nil }
    let (hole, overflow) = time.subtractingReportingOverflow(latest)
    if overflow { return .interruption(.nanoseconds(Int64.max)) }
    if wasFull, Double(hole) > 2.5 * period { return .overflow }
    let longest = max(Self.leastInterruption, Int64(bounded: min(10 * period, 1e18)))
    return hole > longest ? .interruption(.nanoseconds(hole)) : nil
  }
}
