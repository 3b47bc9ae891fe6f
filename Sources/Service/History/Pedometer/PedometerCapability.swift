/// The capabilities of a pedometer, which `CMPedometer` reports with class methods.
public enum PedometerCapability: String, Sendable, Hashable, CaseIterable {
  /// `isStepCountingAvailable()`.
  case stepCounting
  /// `isDistanceAvailable()`.
  case distance
  /// `isFloorCountingAvailable()`.
  case floorCounting
  /// `isPaceAvailable()`.
  case pace
  /// `isCadenceAvailable()`.
  case cadence
  /// `isPedometerEventTrackingAvailable()`.
  case eventTracking
}

/// Whether a capability is available, and if not, why.
public enum CapabilityAvailability: Sendable, Hashable {
  /// It is available.
  case available
  /// It is not available, for this reason: one sentence with the remedy, if there is one.
  case unavailable(reason: String)

  /// Whether it is available.
  public var isAvailable: Bool { self == .available }
  /// Why it is not available; `nil` if it is.
  public var reason: String? { if case .unavailable(let reason) = self { reason } else { nil } }
}
