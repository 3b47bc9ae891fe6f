/// Why a count that only rises is less than before: of steps, or of metres.
///
/// A device that restarts begins at zero, and one that corrects its count takes off a few. Between the two nothing is known, so
/// nothing is added, and the count goes on from there.
package enum CountFall: Sendable, Hashable {
  /// What exceeds the former count is new.
  case correction
  /// What the device has counted since then is new.
  case restart
  /// What exceeds the present count is new.
  case unclear

  /// - Parameters:
  ///   - former: the count before, which is larger.
  ///   - count: the present one.
  package init(from former: Double, to count: Double) {
    self =
      if count <= former / 2 {
        .restart
      } else if former - count <= max(Self.few, former * Self.share) {
        .correction
      } else {
        .unclear
      }
  }

  /// The largest correction, also as a share of the count.
  private static let (few, share) = (10.0, 0.02)
}

/// How a count grows that only rises, unless its device corrects it or restarts.
package struct CountGrowth: Sendable {
  private var latest: Double?

  package init() {}

  /// Takes a count. The first one is the zero point.
  /// - Returns: what is new in it; `nil` if it is a correction, so that the former one still holds.
  package mutating func take(_ count: Double) -> Double? {
    let former = latest ?? count
    let fall = count < former ? CountFall(from: former, to: count) : nil
    if fall == .correction { return nil }
    latest = count
    return switch fall {
    case nil: count - former
    case .restart: max(0, count)
    case .correction, .unclear: 0
    }
  }
}
