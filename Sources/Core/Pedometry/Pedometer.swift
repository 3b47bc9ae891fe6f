/// The measurements of a pedometer since it was started.
public protocol PedometerData: Sendable {
  /// Steps of both feet since the start. Never decreases.
  var steps: Int { get }
  /// Metres since the start. Never decreases.
  var distanceTravelled: Double { get }
}

/// A counter of steps: a detector over any accelerometer, a hardware step counter, or a fake.
///
/// This is the founding protocol, member for member. Values are cumulative since ``start(dataUpdates:eventUpdates:)``, never
/// differences, as in Core Motion's `CMPedometerData`. Handlers are called one after the other, never concurrently.
public protocol Pedometer: Sendable {
  /// Whether a usable sensor is present.
  var pedometerAvailable: Bool { get }
  /// Whether a sensor is present that this user may not read.
  var permissionDeclined: Bool { get }

  /// Begins a session at zero steps. A second call during a session restarts it.
  /// - Parameters:
  ///   - dataUpdates: receives the totals whenever they have grown, or an error when the sensor can no longer be read.
  ///   - eventUpdates: receives `nil` once the sensor runs, or the reason why it does not run or has stopped.
  func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void)

  /// Stops the sensor. Nothing is delivered afterwards until the next start.
  func pause()
}

/// A pedometer that gives the reason why it is not available, or not permitted.
public protocol ExplainedPedometer: Pedometer {
  /// What prevents counting and the remedy, in one sentence; `nil` if nothing does.
  var obstacle: String? { get }
}
