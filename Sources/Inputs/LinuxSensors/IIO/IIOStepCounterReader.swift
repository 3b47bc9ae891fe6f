import Accelerometry
import CSensorShim
import Glibc
import Pedometry

/// Reads a chip's step register, on its events if it has any.
final class IIOStepCounterReader: SensorReader {
  private let device: IIODevice
  private let options: SensorOptions
  private let machine: SensorEnvironment

  private var journal = AttributeJournal()
  private var events: NodeDescriptor?
  private var hasHeardEvents = false
  private var accumulator = StepCounterAccumulator()
  private var (distance, metres) = (CountGrowth(), 0.0)
  private var isFirst = true
  private var told: Int64 = 0

  init(device: IIODevice, options: SensorOptions, machine: SensorEnvironment) {
    (self.device, self.options, self.machine) = (device, options, machine)
  }

  func open() throws(SensorError) {
    _ = try register()
    if device.folder.has("in_steps_en") { try journal.set("in_steps_en", of: device.folder, to: "1") }
    openEvents()
  }

  /// Step events are optional: if the node is in use or not permitted, the register is polled.
  private func openEvents() {
    let folder = device.folder["events"]
    guard folder.has("in_steps_change_en"), journal.trySet("in_steps_change_en", of: folder, to: "1") else { return }
    journal.trySet("in_steps_change_value", of: folder, to: options.use == .lively ? "1" : "10")
    let node: NodeDescriptor
    do throws(SensorError) {
      node = try NodeDescriptor(opening: device.node, flags: O_RDONLY | O_NONBLOCK, in: machine)
    } catch { return }
    let descriptor = sensor_iio_event_descriptor(node.number)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    events = NodeDescriptor(owning: descriptor, path: device.node)
  }

  /// Seconds between two reads of the register.
  private var pollingInterval: Double {
    // A chip whose interrupt line is not connected never sends its events.
    if hasHeardEvents { return 5 }
    return options.use == .lively ? 0.25 : 2
  }

  /// Nanoseconds after which a reading is delivered without new steps, so that a display of cadence can show that the
  /// walker has stopped.
  private var heartbeat: Int64 { options.use == .lively ? 2_000_000_000 : 10_000_000_000 }

  func next(until stop: StopSignal) throws(SensorError) -> StepCounterReading? {
    while true {
      if !isFirst {
        let interval = min(pollingInterval, Double(heartbeat) * 1e-9)
        if stop.wait(for: events?.number ?? -1, atMost: .seconds(interval)) == .raised { return nil }
        drainEvents()
      }
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

  /// The content of events does not matter: the register is read anyway.
  private func drainEvents() {
    guard let number = events?.number else { return }
    let none = sensor_iio_event(nanoseconds: 0, type: 0, direction: 0, channel_type: 0, modifier: 0)
    var batch = [sensor_iio_event](repeating: none, count: 16)
    while true {
      let count = unsafe sensor_iio_read_events(number, &batch, Int32(batch.count))
      if count > 0 { hasHeardEvents = true }
      if count < batch.count { return }
    }
  }

  func close() {
    events = nil
    journal.restore()
  }
}
