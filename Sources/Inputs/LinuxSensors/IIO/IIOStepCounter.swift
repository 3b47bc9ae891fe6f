/// A hardware step counter (`counter:device0`): mma9553, bma400, bmi323 and others with `in_steps_input`.
///
/// It costs very little: the chip counts while the processor sleeps, and its register also contains steps taken before
/// the start, or while no program was reading. For a pedometer, open `counter:device0` with `LivePedometer`.
public struct IIOStepCounter: Sendable {
  package let device: IIODevice
  /// How to read it.
  public let options: SensorOptions

  /// Creates a counter without accessing the chip.
  /// - Throws: `.unusable` if the device does not count steps.
  package init(
    _ device: IIODevice, options: SensorOptions = SensorOptions()
  ) throws(SensorError) {
    guard device.countsSteps else {
      throw .unusable(
        path: device.folder.path, reason: "it does not count steps",
        remedy: "if it is an accelerometer, use iio:\(device.identifier)")
    }
    (self.device, self.options) = (device, options)
  }

  /// The chip's readings: the first is the zero point, then one for each change, and one at intervals without changes.
  /// The counter is enabled at the first `next()` and restored at the end.
  public func readings() -> SensorReadings<StepCounterReading> {
    SensorReadings { IIOStepCounterReader(device: device, options: options) }
  }
}
