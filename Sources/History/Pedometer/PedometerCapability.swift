/// What a pedometer may be able to tell: the questions that `CMPedometer` answers with its class methods.
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

/// Whether a pedometer can tell something, and why not.
public enum CapabilityAvailability: Sendable, Hashable {
  /// It can.
  case available
  /// It cannot, for this reason: one sentence that says what to do, where something can be done.
  case unavailable(reason: String)

  /// Whether it can.
  public var isAvailable: Bool { self == .available }
  /// Why it cannot; `nil` when it can.
  public var reason: String? { if case .unavailable(let reason) = self { reason } else { nil } }
}
