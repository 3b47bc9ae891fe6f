import Accelerometry

/// Turns what a chip's step register says into steps since the start.
///
/// The register is as old as the chip's power, is 16, 24 or 32 bits wide (no attribute says which), and goes back to 0
/// when somebody resets the chip. A smaller number is therefore either a register that ran over or a reset. It ran
/// over exactly when a walker could have taken the steps that would be between in the time that passed.
public struct StepCounterAccumulator: Sendable {
  /// Widths of registers that exist.
  static let widths: [UInt64] = [16, 24, 32]
  /// Steps a second that nobody exceeds, sprinting included.
  static let mostStepsPerSecond = 6.0
  /// Steps that a chip may hold back before it tells of them: most confirm a bout by 4 to 16 steps.
  static let mostHeldBack = 32.0

  /// Steps since the first reading.
  public private(set) var steps = 0
  /// How often the register went back to 0 without having been full.
  public private(set) var resets = 0
  /// How often it ran over.
  public private(set) var wraps = 0
  private var latest: (count: UInt64, time: Int64)?

  /// The first reading will be the zero point.
  public init() {}

  /// Takes a reading of the register at a time in nanoseconds.
  /// - Returns: the steps since the reading before.
  @discardableResult
  public mutating func take(_ count: UInt64, at time: Int64) -> Int {
    defer { latest = (count, time) }
    guard let latest else { return 0 }
    let new = difference(from: latest.count, to: count, seconds: Double(time &- latest.time) * 1e-9)
    let (sum, overflow) = steps.addingReportingOverflow(new)
    steps = overflow ? .max : sum
    return new
  }

  private mutating func difference(from former: UInt64, to count: UInt64, seconds: Double) -> Int {
    if count >= former { return Int(clamping: count - former) }
    let most = max(0, seconds) * Self.mostStepsPerSecond + Self.mostHeldBack
    for width in Self.widths where former < 1 << width {
      let across = (1 << width) - former + count
      if Double(across) <= most {
        wraps += 1
        return Int(clamping: across)
      }
    }
    resets += 1
    return Int(clamping: count)
  }
}

/// The same for a distance in metres, which can only be reset.
struct DistanceAccumulator {
  private(set) var metres = 0.0
  private var latest: Double?

  mutating func take(_ reading: Double) {
    if let latest { metres += reading >= latest ? reading - latest : max(0, reading) }
    latest = reading
  }
}
