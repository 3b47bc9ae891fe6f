import Accelerometry
import Pedometry

/// Polls a chip's step register.
final class IIOStepCounterReader: SensorReader {
  private let device: IIODevice
  private let options: SensorOptions

  private var journal = AttributeJournal()
  private var accumulator = StepCounterAccumulator()
  private var (distance, metres) = (CountGrowth(), 0.0)
  private var isFirst = true
  private var told: Int64 = 0

  init(device: IIODevice, options: SensorOptions) { (self.device, self.options) = (device, options) }

  func open() throws(SensorError) {
    _ = try register()
    if device.folder.has("in_steps_en") { try journal.set("in_steps_en", of: device.folder, to: "1") }
  }

  /// Seconds between two reads of the register.
  private var pollingInterval: Double { options.use == .lively ? 0.25 : 2 }

  /// Nanoseconds after which a reading is delivered without new steps, so that a display of cadence can show that the
  /// walker has stopped.
  private var heartbeat: Int64 { options.use == .lively ? 2_000_000_000 : 10_000_000_000 }

  func next(until stop: StopSignal) throws(SensorError) -> StepCounterReading? {
    while true {
      if !isFirst, stop.wait(atMost: .seconds(pollingInterval)) == .raised { return nil }
      let now = SensorClock.boottime.now
      let count = try register()
      let new = accumulator.take(count, at: now)
      if isFirst || new > 0 || now - told >= heartbeat {
        isFirst = false
        told = now
        return try reading(new: new, at: now)
      }
    }
  }

  private func reading(new: Int, at now: Int64) throws(SensorError) -> StepCounterReading {
    let measured = try device.folder.firstNumber(["in_distance_input"])
    if let measured { metres += distance.take(measured.value) ?? 0 }
    return StepCounterReading(
      nanoseconds: now, steps: accumulator.steps, newSteps: new, distance: measured == nil ? nil : metres)
  }

  private func register() throws(SensorError) -> UInt64 {
    guard let text = try device.folder.textIfPresent("in_steps_input") else { throw .removed(path: device.folder.path) }
    // Registers have 32 bits at most; a driver may add them up.
    guard let number = finiteNumber(text), number < 0x1p48, let count = UInt64(exactly: number) else {
      throw .nonsense(path: device.folder.path(of: "in_steps_input"), text: text, expected: "a number of steps")
    }
    return count
  }

  func close() { journal.restore() }
}
