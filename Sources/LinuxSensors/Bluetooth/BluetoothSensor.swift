import Accelerometry
import Synchronization

/// A Bluetooth sensor (`ble:C0:FF:EE:00:11:22`): a running speed and cadence sensor, or a watch with InfiniTime.
///
/// Needs BlueZ, and libsystemd to talk to it; both are looked for when the first element is asked for. A sensor that BlueZ does
/// not know is searched for; pairing is left to `bluetoothctl`. Each sequence ends with an error when the sensor is gone.
public struct BluetoothSensor: Sendable {
  /// Which sensor, and what of it.
  public let address: BluetoothAddress
  /// How it is to be read.
  public let options: SensorOptions
  private let machine: SensorEnvironment
  private let memory = Memory()

  /// What outlives a loss: a watch counts on while it is out of range.
  final class Memory: Sendable {
    let watch = Mutex(WatchSteps())
  }

  /// Makes a sensor; nothing is connected yet.
  public init(
    _ address: BluetoothAddress, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine
  ) {
    self.address = address
    self.options = options
    self.machine = machine
  }

  /// What stays the same about it.
  public var identity: SensorIdentity { Self.identity(of: address.device, isMotion: address.wantsMotion) }

  static func identity(of device: String, isMotion: Bool) -> SensorIdentity {
    SensorIdentity(bus: "bluetooth", serial: device, part: isMotion ? "accelerometer" : "steps")
  }

  /// What is known before it is connected: the name that BlueZ knows it by, else its address.
  public var profile: SensorProfile {
    let known = try? BluetoothDiscovery(in: machine).device(address.device)
    return SensorProfile(name: known?.name ?? "Bluetooth sensor \(address.device)", clock: .boottime)
  }

  /// Its steps: the first reading when it is connected, then one for each change, and one now and then while nothing changes.
  /// Steps that a watch has counted while it was out of range come with the first reading of the next sequence.
  public func readings() -> SensorReadings<StepCounterReading> {
    let (address, use, machine, memory) = (address, options.use, machine, memory)
    return SensorReadings { BluetoothStepReader(address, use: use, memory: memory, in: machine) }
  }

  /// Its raw acceleration in g, stamped with the time since boot at which it came.
  public func batches() -> SensorReadings<SampleBatch> {
    let (address, use, machine) = (address, options.use, machine)
    return SensorReadings { BluetoothMotionReader(address, use: use, in: machine) }
  }
}

/// Reads steps.
private final class BluetoothStepReader: SensorReader {
  private let address: BluetoothAddress
  private let use: SensorOptions.Use
  private let memory: BluetoothSensor.Memory
  private let subscription: BluetoothSubscription
  private var cadence: CadenceSteps?
  private var isOpen = false
  private var steps = 0
  private var told = (steps: 0, time: Int64(0))
  private var register: UInt64 = 0

  init(
    _ address: BluetoothAddress, use: SensorOptions.Use, memory: BluetoothSensor.Memory, in machine: SensorEnvironment
  ) {
    self.address = address
    self.use = use
    self.memory = memory
    subscription = BluetoothSubscription(
      address: address.device, wanted: [.runningSpeedAndCadence, .steps], in: machine)
  }

  func open() throws(SensorError) {}

  /// As a chip's that counts: so that a display of cadence sees that nobody walks.
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

  /// - Returns: what is wrong with the value.
  private func take(_ bytes: [UInt8], at time: Int64) -> String? {
    if subscription.measurement == .steps {
      guard let count = WatchValues.steps(bytes) else { return wrongLength }
      register = UInt64(count)
      guard let new = memory.watch.withLock({ $0.take(count, at: time) }) else {
        return "the watch's step count jumped by more than anybody walks; counting goes on from there"
      }
      steps += new
      return nil
    }
    guard let measurement = RunningSpeedCadence(bytes) else { return wrongLength }
    let warning = cadence?.take(measurement, at: time)
    steps = cadence?.steps ?? 0
    register = UInt64(steps)
    return warning
  }

  private var wrongLength: String { BluetoothMotionReader.wrongLength }

  private func reading(at time: Int64, warning: String? = nil) -> StepCounterReading {
    var reading = StepCounterReading(
      nanoseconds: time, register: register, steps: steps, newSteps: steps - told.steps, distance: cadence?.metres)
    reading.gap = cadence?.takeGap()
    reading.warning = warning
    told = (steps, time)
    return reading
  }

  func close() { subscription.close() }
}

/// Reads raw acceleration.
final class BluetoothMotionReader: SensorReader {
  /// Nanoseconds between two samples of a watch, where several come at once.
  private static let usualPeriod: Int64 = 100_000_000

  /// The warning about values that cannot be read; it is shown once.
  static let wrongLength = "the sensor sends values of a wrong length; they are left out"

  private let use: SensorOptions.Use
  private let subscription: BluetoothSubscription
  private var isOpen = false
  private var latest: Int64?
  private var gaps = GapFinder(frequency: SamplingFrequency(hertz: 10))
  private var waiting: [SampleBatch] = []

  init(_ address: BluetoothAddress, use: SensorOptions.Use, in machine: SensorEnvironment) {
    self.use = use
    subscription = BluetoothSubscription(address: address.device, wanted: [.motion], in: machine)
  }

  func open() throws(SensorError) {}

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
    if !isOpen {
      guard try subscription.begin(until: stop) else { return nil }
      isOpen = true
    }
    if !waiting.isEmpty { return waiting.removeFirst() }
    var samples: [AccelerationSample] = []
    var warning: String?
    let begin = SensorClock.boottime.now
    let end = begin + Int64(use.batchDuration * 1e9)
    while true {
      // Without a sample yet, whatever time it takes.
      let left = samples.isEmpty ? Int64(3600e9) : max(0, end - SensorClock.boottime.now)
      switch try subscription.next(atMost: .nanoseconds(left), until: stop) {
      case .stopped: return nil
      case .value(let bytes, let time):
        let values = [bytes] + subscription.more()
        let read = values.compactMap { WatchValues.motion($0) }
        if read.count < values.count { warning = Self.wrongLength }
        samples += stamped(read.flatMap { $0 }, at: time)
      case .timedOut: break
      }
      if !samples.isEmpty, SensorClock.boottime.now >= end { break }
    }
    waiting = gaps.split(samples)
    if !waiting.isEmpty { waiting[0].warning = warning }
    return waiting.removeFirst()
  }

  /// The last is as old as its arrival, those before it lie evenly between it and what came before.
  private func stamped(_ values: [SIMD3<Float>], at time: Int64) -> [AccelerationSample] {
    guard !values.isEmpty else { return [] }
    let count = Int64(values.count)
    let first = max(latest ?? .min, time - count * Self.usualPeriod)
    let last = max(time, first + count)
    latest = last
    return values.enumerated().map { index, value in
      AccelerationSample(nanoseconds: first + (last - first) * Int64(index + 1) / count, acceleration: value)
    }
  }

  func close() { subscription.close() }
}
