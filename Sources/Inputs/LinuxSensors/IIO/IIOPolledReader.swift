import Accelerometry
import CSensorShim
import Glibc
import IIOScans

/// Polls the current values of an IIO device, which needs only the world-readable `in_accel_*_raw`.
///
/// It costs a wake-up per sample, and a busy machine delays samples. A sample's time is the middle of its reading.
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
  /// The requested readings per second, and those that the sensor's own rate allows.
  private let wish: Double
  private var frequency = mostReads
  private static let mostReads = 200.0
  private var deadline: Int64 = 0
  private var gaps = GapFinder(frequency: nil)
  private var watch: SensorWatch
  private var waiting: [SampleBatch] = []

  init(
    device: IIODevice, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor, reason: String,
    isShared: Bool = false
  ) {
    (self.device, self.options, self.machine, self.monitor) = (device, options, machine, monitor)
    (self.reason, self.isShared) = (reason, isShared)
    wish = min(options.samplingFrequency?.hertz ?? SensorOptions.Use.pollingFrequency, Self.mostReads)
    watch = SensorWatch(path: device.folder.path, timeout: options.silenceTimeout)
  }

  func open() throws(SensorError) {
    guard let channels = device.accelerometer else { throw .noThreeAxes(device.folder.path) }
    for channel in channels.all { axes.append(try PolledChannel(channel, of: device, in: machine)) }
    // Detects missing values now and not at the first sample.
    if isShared { for axis in axes { _ = try axis.value() } }
    frequency = max(1, usefulFrequency())
    gaps = GapFinder(frequency: SamplingFrequency(hertz: frequency))
    deadline = SensorClock.monotonic.now
    watch.heard()
    monitor.begin(.polled(frequency: frequency, because: reason))
  }

  /// Polling faster than the sensor measures would repeat values, so its rate is raised if permitted.
  private func usefulFrequency() -> Double {
    var rate = device.samplingFrequency?.hertz ?? wish
    if rate < wish, !isShared, let attribute = device.frequencyAttribute,
      journal.trySet(
        attribute, of: device.folder,
        to: IIOBufferConfigurator.decimal(device.availableFrequencies?.value(notBelow: wish) ?? wish)),
      let set = try? device.folder.firstFrequency([attribute])
    {
      rate = set.hertz
    }
    return min(wish, rate)
  }

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
    let size = max(1, Int(frequency * options.use.batchDuration))
    // Slow answers do not delay the samples before them.
    let longest = Int64(bounded: 2 * options.use.batchDuration * 1e9)
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(size)
    while waiting.isEmpty {
      if !pause(until: stop) { return nil }
      let before = SensorClock.boottime.now
      guard let acceleration = try read() else {
        try watch.checkSilence()
        continue
      }
      watch.heard()
      let time = before + (SensorClock.boottime.now - before) / 2
      samples.append(AccelerationSample(nanoseconds: time, acceleration: acceleration))
      guard samples.count == size || time - samples[0].nanoseconds >= longest else { continue }
      waiting = gaps.split(samples)
      watch.take(samples)
      try watch.check()
      samples.removeAll(keepingCapacity: true)
    }
    return waiting.removeFirst()
  }

  /// In g; `nil` if the sensor does not respond.
  private func read() throws(SensorError) -> SIMD3<Float>? {
    var acceleration = SIMD3<Float>()
    for index in 0..<3 {
      guard let value = try axes[index].value() else { return nil }
      acceleration[index] = value
    }
    return device.mountMatrix.apply(to: acceleration)
  }

  /// Waits for the next time to read; missed times are skipped. False if stopped.
  private func pause(until stop: StopSignal) -> Bool {
    let period = Int64(bounded: 1e9 / frequency)
    deadline += period
    let now = SensorClock.monotonic.now
    if deadline < now - period { deadline = now }
    while true {
      let rest = deadline - SensorClock.monotonic.now
      if stop.wait(atMost: .nanoseconds(max(rest, 0))) == .raised { return false }
      if SensorClock.monotonic.now >= deadline { return true }
    }
  }

  func close() {
    axes.removeAll()
    journal.restore()
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
    (self.channel, self.machine) = (channel, machine)
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
    guard let number = finiteNumber(text) else { throw .nonsense(path: file.path, text: text, expected: "a number") }
    return channel.acceleration(of: number)
  }
}
