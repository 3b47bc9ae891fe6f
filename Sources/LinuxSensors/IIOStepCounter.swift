import Accelerometry
import Pedometry

/// A chip that counts steps itself (`counter:device0`): mma9553, bma400, bmi323 and others with `in_steps_input`.
///
/// Costs next to nothing: the chip counts while the processor sleeps, and steps taken before the start, or while
/// nobody read, are in its register.
public final class IIOStepCounter: Pedometer {
  /// The device as its attributes describe it.
  public let device: IIODevice
  /// How it is to be read.
  public let options: SensorOptions
  /// How long a step is, for a chip that does not measure the distance.
  public let stepLength: StepLengthModel
  private let machine: SensorEnvironment

  private let session = UpdateSession()

  /// Makes a pedometer; the chip is not touched yet.
  /// - Throws: `.unusable` where the device counts no steps.
  public init(
    _ device: IIODevice, options: SensorOptions = SensorOptions(), stepLength: StepLengthModel = .walkRatio(),
    in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    guard device.countsSteps else {
      throw .unusable(
        path: device.folder.path, reason: "it does not count steps",
        remedy: "if it is an accelerometer, use iio:\(device.identifier)")
    }
    self.device = device
    self.options = options
    self.stepLength = stepLength
    self.machine = machine
  }

  /// The chip's readings: the first at once as the zero point, then one for each change, and one now and then while
  /// nothing changes. The counter is switched on at the first `next()` and put back at the end.
  public func readings() -> SensorReadings<StepCounterReading> {
    let (device, options, machine) = (device, options, machine)
    return SensorReadings { IIOStepCounterReader(device: device, options: options, machine: machine) }
  }

  /// Whether the chip is there and counts, or may be told to.
  public var pedometerAvailable: Bool { access == .open }

  /// Whether the chip is there, but this user may not read its register or not switch it on.
  public var permissionDeclined: Bool { access == .closed }

  private enum Access { case open, closed, gone }

  private var access: Access {
    guard device.folder.has("in_steps_input") else { return .gone }
    guard device.folder.mayRead("in_steps_input") else { return .closed }
    guard let enabled = try? device.folder.textIfPresent("in_steps_en"), enabled != "1" else { return .open }
    return device.folder.mayWrite("in_steps_en") ? .open : .closed
  }

  /// Begins at zero. Errors arrive as ``SensorError``: before the first reading as an event, afterwards as data.
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

  /// Ends reading; the chip is put back as it was found. Once this has returned, no further handler is begun.
  public func pause() { session.stop() }
}
