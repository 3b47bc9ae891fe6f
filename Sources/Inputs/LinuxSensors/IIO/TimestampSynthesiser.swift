import Accelerometry
import Platform

/// Generates timestamps for samples without them, from the time of reading and the nominal sampling frequency.
///
/// Samples are spaced evenly, because the sensor measures evenly even if it is read unevenly. The spacing follows the
/// reading times slowly, because no sensor has exactly its nominal frequency.
package struct TimestampSynthesiser: Sendable {
  /// The fraction of the deviation from the reading time that is corrected with each batch.
  static let correction = 1.0 / 16
  /// A larger deviation is not drift: samples were lost, or the computer slept. In nanoseconds.
  static let tolerance = 1e9

  private let period: Double
  private var latest: Int64?

  package init(frequency: SamplingFrequency) { period = frequency.periodInNanoseconds }

  /// Sets timestamps, the last close to `now` (nanoseconds); strictly increasing over all batches.
  /// - Parameters:
  ///   - samples: receive the timestamps.
  ///   - now: the time since boot at which they were read.
  ///   - earlier: the time of the previous sample, if it was not set here.
  package mutating func stamp(_ samples: inout [AccelerationSample], readAt now: Int64, after earlier: Int64? = nil) {
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
      let time = Int64(bounded: start + step * Double(index - samples.startIndex + 1))
      previous = max(time, previous &+ 1)
      samples[index].nanoseconds = previous
    }
    latest = previous
  }
}
