import Accelerometry
import Pedometry

/// Converts the values of a chip's step register to steps since the start.
///
/// The register counts since power-on, is 16, 24 or 32 bits wide (no attribute reports which), and returns to 0 when
/// the chip is reset. A smaller value is therefore an overflow, a reset, or a correction by a few steps. It is an overflow if a
/// walker could have taken the steps in between in the elapsed time.
package struct StepCounterAccumulator: Sendable {
  /// Existing register widths.
  static let widths: [UInt64] = [16, 24, 32]
  /// Nobody takes more steps per second, even sprinting.
  static let mostStepsPerSecond = 6.0
  /// Steps that a chip may delay: most report a bout after 4 to 16 steps.
  static let mostHeldBack = 32.0

  /// Steps since the first reading.
  package private(set) var steps = 0
  private var latest: (count: UInt64, time: Int64)?

  /// Creates an accumulator. The first reading is the zero point.
  package init() {}

  /// Processes a value of the register at a time in nanoseconds.
  /// - Returns: the steps since the previous reading.
  @discardableResult
  package mutating func take(_ count: UInt64, at time: Int64) -> Int {
    guard let latest else {
      latest = (count, time)
      return 0
    }
    let new = difference(from: latest.count, to: count, seconds: Double(time &- latest.time) * 1e-9)
    guard let new else {
      self.latest?.time = time
      return 0
    }
    self.latest = (count, time)
    let (sum, overflow) = steps.addingReportingOverflow(new)
    steps = overflow ? .max : sum
    return new
  }

  /// - Returns: the new steps; `nil` if the register was corrected, and only what exceeds the former value is new.
  private func difference(from former: UInt64, to count: UInt64, seconds: Double) -> Int? {
    if count >= former { return Int(clamping: count - former) }
    let most = max(0, seconds) * Self.mostStepsPerSecond + Self.mostHeldBack
    for width in Self.widths where former < 1 << width {
      let across = (1 << width) - former + count
      if Double(across) <= most { return Int(clamping: across) }
    }
    switch CountFall(from: Double(former), to: Double(count)) {
    case .correction: return nil
    case .restart where Double(count) <= most: return Int(clamping: count)
    // These steps are not new since the previous reading.
    case .restart, .unclear: return 0
    }
  }
}
