import Accelerometry
import Pedometry
import Platform

/// Values of a watch with InfiniTime (PineTime): service 00030000-78fc-48fe-8e23-433b3a1942d0, described in InfiniTime's
/// doc/MotionService.md.
enum WatchValues {
  /// The steps since the watch's counter was reset: 32 bits, little-endian; `nil` if the number of bytes is wrong.
  static func steps(_ bytes: [UInt8]) -> UInt32? { bytes.count == 4 ? RunningSpeedCadence.number(bytes[...]) : nil }
}

/// Converts a watch's count to steps: the differences of successive counts. A smaller count has been reset, as at midnight.
struct WatchSteps: Sendable {
  private var latest: (count: UInt32, time: Int64)?

  /// Takes a count at a time in nanoseconds; the first is the base.
  /// - Returns: the steps since the previous count; `nil` if nobody could have walked them in the elapsed time: the
  ///   count is then the new base.
  mutating func take(_ count: UInt32, at time: Int64) -> Int? {
    guard let latest else {
      latest = (count, time)
      return 0
    }
    var new = count >= latest.count ? count - latest.count : 0
    if count < latest.count {
      switch CountFall(from: Double(latest.count), to: Double(count)) {
      case .correction: return 0
      case .restart: new = count
      case .unclear: break
      }
    }
    self.latest = (count, time)
    let seconds = max(0, Double(time - latest.time) * 1e-9)
    let most = seconds * StepCounterAccumulator.mostStepsPerSecond + StepCounterAccumulator.mostHeldBack
    return Double(new) <= most ? Int(new) : nil
  }
}
