import Accelerometry
import Platform
import SourceNames
import Synchronization

/// A Bluetooth sensor (`ble:C0:FF:EE:00:11:22`): a running speed and cadence sensor, or a watch with InfiniTime.
///
/// Needs BlueZ, and libsystemd to communicate with it; both are looked up when the first element is requested. The sensor is
/// searched for if BlueZ does not know it. Pair it with `bluetoothctl`. Each sequence ends with an error when the sensor is lost.
public struct BluetoothSensor: Sendable {
  /// The address, and what it counts.
  public let address: BluetoothAddress
  /// How to read it.
  public let options: SensorOptions
  private let machine: SensorEnvironment
  private let memory = Memory()

  /// State that survives a lost connection: a watch continues to count while it is out of range.
  final class Memory: Sendable {
    let watch = Mutex(WatchSteps())
  }

  /// Creates a sensor without connecting to it.
  public init(
    _ address: BluetoothAddress, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine
  ) { (self.address, self.options, self.machine) = (address, options, machine) }

  /// The stable properties.
  public var identity: SensorIdentity { Self.identity(of: address.device) }

  static func identity(of device: String) -> SensorIdentity {
    SensorIdentity(bus: "bluetooth", serial: device, part: "steps")
  }

  /// The properties known before it is connected: BlueZ's name for it, or its address.
  public var profile: SensorProfile {
    let known = try? BluetoothDiscovery(in: machine).device(address.device)
    return SensorProfile(name: known?.name ?? "Bluetooth sensor \(address.device)", clock: .boottime)
  }

  /// Its steps: the first reading when it is connected, then one for each change, and one at intervals without changes.
  /// Steps that a watch counted while it was out of range arrive with the first reading of the next sequence.
  public func readings() -> SensorReadings<StepCounterReading> {
    let (address, use, machine, memory) = (address, options.use, machine, memory)
    return SensorReadings { BluetoothStepReader(address, use: use, memory: memory, in: machine) }
  }
}

private final class BluetoothStepReader: SensorReader {
  private let address: BluetoothAddress
  private let use: SensorOptions.Use
  private let memory: BluetoothSensor.Memory
  private let subscription: BluetoothSubscription
  private var cadence: CadenceSteps?
  private var isOpen = false
  private var steps = 0
  private var told = (steps: 0, time: Int64(0))

  init(
    _ address: BluetoothAddress, use: SensorOptions.Use, memory: BluetoothSensor.Memory, in machine: SensorEnvironment
  ) {
    (self.address, self.use, self.memory) = (address, use, memory)
    subscription = BluetoothSubscription(
      address: address.device, wanted: [.runningSpeedAndCadence, .steps], in: machine)
  }

  func open() throws(SensorError) {}

  /// The interval of readings without new steps, so that a display of cadence can show that the walker has stopped.
  private var heartbeat: Int64 { use == .lively ? 2_000_000_000 : 10_000_000_000 }

  func next(until stop: StopSignal) throws(SensorError) -> StepCounterReading? {
    if !isOpen {
      guard try subscription.begin(until: stop) else { return nil }
      isOpen = true
      let now = SensorClock.boottime.now
      cadence = CadenceSteps(countsStrides: address.countsStrides, start: now)
      var warning: String?
      if let value = subscription.firstValue { warning = take(value, at: now) }
      return reading(at: now, warning: warning)
    }
    while true {
      let left = max(0, told.time + heartbeat - SensorClock.boottime.now)
      switch try subscription.next(atMost: .nanoseconds(left), until: stop) {
      case .stopped: return nil
      case .timedOut: return reading(at: SensorClock.boottime.now)
      case .value(let bytes, let time):
        let warning = take(bytes, at: time)
        if warning != nil || cadence?.gap != nil || steps > told.steps || time - told.time >= heartbeat {
          return reading(at: time, warning: warning)
        }
      }
    }
  }

  /// - Returns: a warning about the value, if it is invalid.
  private func take(_ bytes: [UInt8], at time: Int64) -> String? {
    if subscription.measurement == .steps {
      guard let count = WatchSteps.count(bytes) else { return wrongLength }
      guard let new = memory.watch.withLock({ $0.take(count, at: time) }) else {
        return "the watch's step count jumped further than a person can walk; counting continues from the new value"
      }
      steps += new
      return nil
    }
    guard let measurement = RunningSpeedCadence(bytes) else { return wrongLength }
    let warning = cadence?.take(measurement, at: time)
    steps = cadence?.steps ?? 0
    return warning
  }

  /// The warning about values that cannot be decoded; it is reported once.
  private var wrongLength: String { "the sensor sends values of the wrong length; they are ignored" }

  private func reading(at time: Int64, warning: String? = nil) -> StepCounterReading {
    var reading = StepCounterReading(
      nanoseconds: time, steps: steps, newSteps: steps - told.steps, distance: cadence?.metres)
    reading.gap = cadence?.takeGap()
    reading.warning = warning
    told = (steps, time)
    return reading
  }

  func close() { subscription.close() }
}
