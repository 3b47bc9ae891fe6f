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

  /// The unit of a name, as people write it in an option: `g`, `mg`, `m/s2`, or `raw=16384` where so many counts make
  /// one g.
  /// - Returns: `nil` for anything else.
  public init?(named name: String) {
    switch name {
    case "g": self = .g
    case "mg": self = .milliG
    case "m/s2", "m/s^2", "m/s²": self = .metresPerSecondSquared
    default:
      guard name.hasPrefix("raw="), let counts = Double(name.dropFirst(4)), counts.isFinite, counts > 0 else {
        return nil
      }
      self = .raw(countsPerG: counts)
    }
  }
}
