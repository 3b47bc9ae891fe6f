import Accelerometry

/// Makes up timestamps for samples that come without: from the time they were read and the stated rate.
///
/// Samples are spaced evenly, because the sensor takes them evenly however unevenly they are read; the spacing follows
/// the reading times slowly, because no sensor keeps its nominal rate exactly.
public struct TimestampSynthesiser: Sendable {
  /// Which part of the deviation from the reading time is taken back with each batch.
  static let correction = 1.0 / 16
  /// A deviation beyond this is no drift: samples were lost or time was slept through.
  static let tolerance = 1e9

  private let period: Double
  private var latest: Int64?

  /// Starts for a nominal rate.
  public init(frequency: SamplingFrequency) { period = frequency.periodInNanoseconds }

  /// Writes timestamps, the last near `now` (nanoseconds); strictly rising over all batches.
  /// - Parameters:
  ///   - samples: gets the timestamps.
  ///   - now: the time since boot at which they were read.
  ///   - earlier: the time of the sample before, where it was not stamped here.
  public mutating func stamp(_ samples: inout [AccelerationSample], readAt now: Int64, after earlier: Int64? = nil) {
    guard !samples.isEmpty else { return }
    if let earlier, latest.map({ earlier > $0 }) ?? true { latest = earlier }
    let span = Double(samples.count) * period
    var start = Double(now) - span
    var end = Double(now)
    if let latest {
      let predicted = Double(latest) + span
      let deviation = Double(now) - predicted
      if abs(deviation) <= max(Self.tolerance, 2 * span) {
        start = Double(latest)
        end = max(predicted + deviation * Self.correction, start + span / 2)
      } else {
        start = max(start, Double(latest))
        end = start + span
      }
    }
    let step = max((end - start) / Double(samples.count), 1)
    var previous = latest ?? Int64.min
    for index in samples.indices {
      let time = Int64(start + step * Double(index - samples.startIndex + 1))
      previous = max(time, previous &+ 1)
      samples[index].nanoseconds = previous
    }
    latest = previous
  }
}
