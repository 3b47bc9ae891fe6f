import Accelerometry
import CSensorShim
import Glibc
import IIOScans

/// Polls the current values of an IIO device.
///
/// Needs only the world-readable `in_accel_*_raw`, but costs a wake-up per sample, and a busy machine delays samples:
/// the jitter is measured and reported.
final class IIOPolledReader: SensorReader {
  private let device: IIODevice
  private let options: SensorOptions
  private let machine: SensorEnvironment
  private let monitor: AcquisitionMonitor
  private let reason: String
  /// Another program reads the sensor's buffer, so its rate is not changed.
  private let isShared: Bool

  private var axes: [PolledChannel] = []
  private var journal = AttributeJournal()
  /// The requested readings per second; the sensor's own rate may allow fewer.
  private let wish: Double
  private var frequency: Double
  private var batchSize = 1
  private var deadline: Int64 = 0
  private var latest: Int64?
  private var gaps: GapFinder
  private var silence: SilenceWatch
  private var stuck: StuckWatch
  private var waiting: [SampleBatch] = []

  init(
    device: IIODevice, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor, reason: String,
    isShared: Bool = false
  ) {
    self.device = device
    self.options = options
    self.machine = machine
    self.monitor = monitor
    self.reason = reason
    self.isShared = isShared
    wish = min(options.samplingFrequency?.hertz ?? SensorOptions.Use.pollingFrequency, Self.mostReads)
    frequency = wish
    gaps = GapFinder(frequency: nil)
    silence = SilenceWatch(path: device.folder.path, timeout: options.silenceTimeout)
    stuck = StuckWatch(timeout: options.silenceTimeout)
  }

  /// The upper limit of readings per second.
  private static let mostReads = 200.0

  func open() throws(SensorError) {
    guard let channels = device.accelerometer else { throw .noThreeAxes(device.folder.path) }
    for channel in channels.all { axes.append(try PolledChannel(channel, of: device, in: machine)) }
    // Detects missing values now and not at the first sample.
    if isShared { for axis in axes { _ = try axis.value() } }
    chooseFrequency()
    deadline = SensorClock.monotonic.now
    silence.heard()
    monitor.begin(.polled(frequency: frequency, because: reason))
  }

  /// Polling faster than the sensor measures would repeat values, so its rate is raised if permitted.
  private func chooseFrequency() {
    var rate = device.samplingFrequency?.hertz ?? wish
    if rate < wish, !isShared, let attribute = device.frequencyAttribute,
      journal.trySet(
        attribute, of: device.folder,
        to: IIOBufferConfigurator.decimal(device.availableFrequencies?.value(notBelow: wish) ?? wish)),
      let set = try? device.folder.firstFrequency([attribute])
    {
      rate = set.hertz
    }
    frequency = max(1, min(wish, rate))
    batchSize = max(1, Int(frequency * options.use.batchDuration))
    gaps = GapFinder(frequency: SamplingFrequency(hertz: frequency))
  }

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(batchSize)
    while waiting.isEmpty {
      if !pause(until: stop) { return nil }
      if let sample = try sample() { samples.append(sample) }
      if samples.count == batchSize {
        waiting = gaps.split(samples)
        stuck.take(samples)
        let unchanged = stuck.unchanged
        monitor.update {
          $0.samples += samples.count
          $0.unchanged = unchanged
        }
        try stuck.check(path: device.folder.path)
        samples.removeAll(keepingCapacity: true)
      }
    }
    return waiting.removeFirst()
  }

  /// Waits for the next time to read; missed times are skipped. False if stopped.
  private func pause(until stop: StopSignal) -> Bool {
    let period = Int64(1e9 / frequency)
    deadline += period
    let now = SensorClock.monotonic.now
    if deadline < now - period { deadline = now }
    while true {
      let rest = deadline - SensorClock.monotonic.now
      if stop.wait(atMost: .nanoseconds(max(rest, 0))) == .raised { return false }
      if SensorClock.monotonic.now >= deadline { return true }
    }
  }

  /// One reading of the three axes, with the middle of its duration as time; `nil` if the sensor did not respond.
  private func sample() throws(SensorError) -> AccelerationSample? {
    let before = SensorClock.boottime.now
    var acceleration = SIMD3<Float>()
    for index in 0..<3 {
      guard let value = try axes[index].value() else {
        try silence.check()
        return nil
      }
      acceleration[index] = value
    }
    silence.heard()
    let time = before + (SensorClock.boottime.now - before) / 2
    if let latest { monitor.update { $0.jitter.record(Double(time - latest) * 1e-9) } }
    latest = time
    return AccelerationSample(nanoseconds: time, acceleration: device.mountMatrix.apply(to: acceleration))
  }

  func close() {
    axes.removeAll()
    journal.restore()
  }
}

extension PollingJitter? {
  /// Records an interval in seconds; also handles the first one.
  fileprivate mutating func record(_ interval: Double) {
    var jitter = self ?? PollingJitter()
    jitter.record(interval)
    self = jitter
  }
}

/// The value attribute of an axis, kept open.
private final class PolledChannel {
  private let channel: IIOChannel
  private let machine: SensorEnvironment
  private let file: NodeDescriptor
  private var bytes = [UInt8](repeating: 0, count: 64)

  init(_ channel: IIOChannel, of device: IIODevice, in machine: SensorEnvironment) throws(SensorError) {
    guard let attribute = channel.valueAttribute else {
      throw .unusable(
        path: device.folder.path(of: channel.name), reason: "it has no value to poll",
        remedy: SensorError.permissionRemedy)
    }
    self.channel = channel
    self.machine = machine
    file = try NodeDescriptor(opening: device.folder.path(of: attribute), flags: O_RDONLY, in: machine)
  }

  /// In g; `nil` if the sensor does not respond.
  func value() throws(SensorError) -> Float? {
    let count = file.rereadOrErrno(into: &bytes)
    switch count {
    case -Int(EAGAIN), -Int(EIO), -Int(ETIMEDOUT), -Int(EREMOTEIO): return nil
    case ..<0: throw .from(errno: Int32(-count), operation: "read", path: file.path, in: machine)
    default: break
    }
    let text = SysfsDirectory.trimmed(bytes[..<count])
    guard let number = finiteNumber(text) else {
      throw .nonsense(path: file.path, text: text, expected: "a number")
    }
    return channel.acceleration(of: number)
  }
}
