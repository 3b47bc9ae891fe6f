/// Standard gravity, in metres per second squared (ISO 80000-3; 3rd CGPM, 1901).
public let standardGravity = 9.80665

/// The unit in which a dump or a device states acceleration.
///
///     let counts = AccelerationUnit.raw(countsPerG: 256)
///     print(512 * counts.inG)  // 2 g
public enum AccelerationUnit: Sendable, Hashable {
  /// Standard gravities.
  case g
  /// Thousandths of a standard gravity.
  case milliG
  /// SI: metres per second squared, as the IIO ABI has it.
  case metresPerSecondSquared
  /// A converter's counts, this many of which make one g.
  case raw(countsPerG: Double)

  /// What one unit is in g.
  public var inG: Double {
    switch self {
    case .g: 1
    case .milliG: 0.001
    case .metresPerSecondSquared: 1 / standardGravity
    case .raw(let countsPerG): 1 / countsPerG
    }
  }
}
