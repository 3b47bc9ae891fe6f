import Pedometry

/// The pedometer of a machine without one: the default of an ``AppModel``.
public struct NoPedometer: Pedometer {
  /// Creates the pedometer.
  public init() {}

  /// Always false.
  public var pedometerAvailable: Bool { false }
  /// Always false, since there is no sensor.
  public var permissionDeclined: Bool { false }

  /// Reports at once that there is no sensor.
  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) { eventUpdates(PedometerError.notAvailable(reason: "this program has not set one")) }

  /// Does nothing.
  public func pause() {}
}
