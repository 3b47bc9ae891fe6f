/// Standard gravity, in metres per second squared (ISO 80000-3; 3rd CGPM, 1901).
public let standardGravity = 9.80665

/// The unit in which a recording or a device states acceleration.
///
///     let counts = AccelerationUnit.raw(countsPerG: 256)
///     print(512 * counts.inG)  // 2 g
public enum AccelerationUnit: Sendable, Hashable {
  /// Standard gravities.
  case g
  /// Thousandths of a standard gravity.
  case milliG
  /// SI: metres per second squared, as in the IIO ABI.
  case metresPerSecondSquared
  /// Counts of a converter, with the number of counts per g.
  case raw(countsPerG: Double)

  /// One unit in g.
  public var inG: Double {
    switch self {
    case .g: 1
    case .milliG: 0.001
    case .metresPerSecondSquared: 1 / standardGravity
    case .raw(let countsPerG): 1 / countsPerG
    }
  }

  /// The unit of a name in an option: `g`, `mg`, `m/s2`, or `raw=16384` with the number of counts per g.
  /// - Returns: `nil` for any other name.
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
