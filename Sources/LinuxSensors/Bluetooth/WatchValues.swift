import Accelerometry

/// What a watch with InfiniTime (PineTime) says of motion: its service 00030000-78fc-48fe-8e23-433b3a1942d0, by InfiniTime's
/// doc/MotionService.md.
enum WatchValues {
  /// Counts of one g.
  static let countsPerG: Float = 1024

  /// The steps since the watch's counter was reset: 32 bits, little-endian; `nil` for another number of bytes.
  static func steps(_ bytes: [UInt8]) -> UInt32? { bytes.count == 4 ? RunningSpeedCadence.number(bytes[...]) : nil }

  /// Accelerations in g: x, y and z of 16 bits each, little-endian, once or several times; `nil` for another number of bytes.
  static func motion(_ bytes: [UInt8]) -> [SIMD3<Float>]? {
    guard !bytes.isEmpty, bytes.count % 6 == 0 else { return nil }
    return stride(from: 0, to: bytes.count, by: 6).map { start in
      let axis = { (index: Int) in
        Float(Int16(bitPattern: UInt16(bytes[start + 2 * index]) | UInt16(bytes[start + 2 * index + 1]) << 8))
      }
      return SIMD3(axis(0), axis(1), axis(2)) / countsPerG
    }
  }
}

/// Makes steps of a watch's count: the differences between two counts. A smaller count is one that began anew, as at midnight.
struct WatchSteps: Sendable {
  private var latest: (count: UInt32, time: Int64)?

  /// Takes a count at a time in nanoseconds; the first is the base.
  /// - Returns: the steps since the count before, or `nil` where nobody could have walked them in the time: the count is a new base.
  mutating func take(_ count: UInt32, at time: Int64) -> Int? {
    defer { latest = (count, time) }
    guard let latest else { return 0 }
    let new = count >= latest.count ? count - latest.count : count
    let seconds = max(0, Double(time - latest.time) * 1e-9)
    let most = seconds * StepCounterAccumulator.mostStepsPerSecond + StepCounterAccumulator.mostHeldBack
    return Double(new) <= most ? Int(new) : nil
  }
}
