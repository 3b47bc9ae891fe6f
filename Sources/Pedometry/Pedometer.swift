/// What a pedometer has measured since it was started.
public protocol PedometerData: Sendable {
  /// Steps of both feet since the start. Never decreases.
  var steps: Int { get }
  /// Metres since the start. Never decreases.
  var distanceTravelled: Double { get }
}

/// Something that counts steps: a detector over any accelerometer, a chip that counts by itself, or a fake.
///
/// The founding protocol, member for member. Values are cumulative since ``start(dataUpdates:eventUpdates:)``, never
/// differences, as Core Motion's `CMPedometerData` has it. Handlers are called one after the other, never at once.
public protocol Pedometer: Sendable {
  /// Whether a usable sensor is there.
  var pedometerAvailable: Bool { get }
  /// Whether a sensor is there that this user may not read.
  var permissionDeclined: Bool { get }

  /// Begins a session at zero steps. A second call while one runs begins anew.
  /// - Parameters:
  ///   - dataUpdates: gets the totals whenever they grew, or an error when the sensor can no longer be read.
  ///   - eventUpdates: gets `nil` once the sensor runs, or the reason why it does not or no longer does.
  func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void)

  /// Stops the sensor. Nothing is delivered afterwards until the next start.
  func pause()
}

/// A pedometer that can say why it is not available, or not permitted.
public protocol ExplainedPedometer: Pedometer {
  /// What keeps it from counting and what to do about it, in one sentence; `nil` when nothing does.
  var obstacle: String? { get }
}
