import Accelerometry
import Pedometry

/// A hardware step counter (`counter:device0`): mma9553, bma400, bmi323 and others with `in_steps_input`.
///
/// It costs very little: the chip counts while the processor sleeps, and its register also contains steps taken before
/// the start or while nobody read it.
public final class IIOStepCounter: Pedometer {
  package let device: IIODevice
  /// How to read it.
  public let options: SensorOptions
  /// The step length, for a chip that does not measure the distance.
  public let stepLength: StepLengthModel
  private let machine: SensorEnvironment

  private let session = UpdateSession()

  /// Creates a pedometer without accessing the chip.
  /// - Throws: `.unusable` if the device does not count steps.
  package init(
    _ device: IIODevice, options: SensorOptions = SensorOptions(), stepLength: StepLengthModel = .walkRatio(),
    in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    guard device.countsSteps else {
      throw .unusable(
        path: device.folder.path, reason: "it does not count steps",
        remedy: "if it is an accelerometer, use iio:\(device.identifier)")
    }
    (self.device, self.options, self.stepLength) = (device, options, stepLength)
    self.machine = machine
  }

  /// The chip's readings: the first is the zero point, then one for each change, and one at intervals without changes.
  /// The counter is enabled at the first `next()` and restored at the end.
  public func readings() -> SensorReadings<StepCounterReading> {
    let (device, options, machine) = (device, options, machine)
    return SensorReadings { IIOStepCounterReader(device: device, options: options, machine: machine) }
  }

  /// Whether the chip is present and counts, or can be enabled.
  public var pedometerAvailable: Bool { access == .open }

  /// Whether the chip is present, but this user may not read its register or not enable it.
  public var permissionDeclined: Bool { access == .closed }

  private enum Access { case open, closed, gone }

  private var access: Access {
    guard device.folder.has("in_steps_input") else { return .gone }
    guard device.folder.mayRead("in_steps_input") else { return .closed }
    guard let enabled = try? device.folder.textIfPresent("in_steps_en"), enabled != "1" else { return .open }
    return device.folder.mayWrite("in_steps_en") ? .open : .closed
  }

  /// Starts at zero. Errors are ``SensorError``s, delivered as an event before the first reading and as data afterwards.
  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (readings, stepLength) = (readings(), stepLength)
    session.deliver(
      { readings },
      totals: {
        var walk = StepCounterWalk(stepLength: stepLength)
        return { walk.take($0) }
      }, dataUpdates: dataUpdates, eventUpdates: eventUpdates)
  }

  /// Stops reading and restores the chip. No handler is called after this has returned.
  public func pause() { session.stop() }
}
