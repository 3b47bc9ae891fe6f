import Pedometry

/// The pedometer of a machine without one: what ``AppModel/pedometerFactory`` makes until a program installs better.
public struct NoPedometer: Pedometer {
  /// Makes one.
  public init() {}

  /// Never.
  public var pedometerAvailable: Bool { false }
  /// There is nothing to be forbidden.
  public var permissionDeclined: Bool { false }

  /// Says at once that there is nothing to start.
  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    eventUpdates(PedometerError.notAvailable(reason: "this program has not set one"))
  }

  /// Does nothing.
  public func pause() {}
}
