import Accelerometry

/// Cuts samples into batches where time passed unseen.
///
/// The kernel does not say that it lost samples: a full buffer silently drops what comes, and suspend stops the sensor.
/// What is left is a hole in the timestamps.
public struct GapFinder: Sendable {
  /// A shorter hole is no interruption: a batch that came late, a few lost samples, which a resampler bridges.
  public static let leastInterruption: Int64 = 1_000_000_000

  private let period: Double
  private var latest: Int64?
  private var wasFull = false

  /// Starts for a nominal rate.
  public init(frequency: SamplingFrequency?) { period = frequency?.periodInNanoseconds ?? 20_000_000 }

  /// The batches that some samples make.
  /// - Parameters:
  ///   - samples: what one read gave, in its order.
  ///   - bufferWasFull: the read took as many scans as the kernel's buffer holds, so what came next may be lost.
  public mutating func split(_ samples: [AccelerationSample], bufferWasFull: Bool = false) -> [SampleBatch] {
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
    return hole > max(Self.leastInterruption, Int64(min(10 * period, 1e18))) ? .interruption(.nanoseconds(hole)) : nil
  }
}
