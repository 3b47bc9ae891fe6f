import Accelerometry
import Pedometry
import Platform

/// Converts the count of a watch with InfiniTime (PineTime) to steps: the differences of successive counts. A smaller count has been
/// reset, as at midnight.
struct WatchSteps: Sendable {
  private var growth = CountGrowth()
  private var latest: Int64?

  /// The steps since the watch's counter was reset, as InfiniTime's doc/MotionService.md describes them: 32 bits, little-endian; `nil`
  /// if the number of bytes is wrong.
  static func count(_ bytes: [UInt8]) -> UInt32? { bytes.count == 4 ? RunningSpeedCadence.number(bytes[...]) : nil }

  /// Takes a count at a time in nanoseconds; the first is the base.
  /// - Returns: the steps since the previous count; `nil` if nobody could have walked them in the elapsed time: the
  ///   count is then the new base.
  mutating func take(_ count: UInt32, at time: Int64) -> Int? {
    guard let new = growth.take(Double(count)) else { return 0 }
    let seconds = max(0, Double(time - (latest ?? time)) * 1e-9)
    latest = time
    let most = seconds * StepCounterAccumulator.mostStepsPerSecond + StepCounterAccumulator.mostHeldBack
    return new <= most ? Int(new) : nil
  }
}
