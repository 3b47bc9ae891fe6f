import Accelerometry
import CSensorShim
import Glibc
import IIOScans

/// Polls the current values of an IIO device, which needs only the world-readable `in_accel_*_raw`.
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
  private var poller: SamplePoller?

  init(
    device: IIODevice, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor, reason: String,
    isShared: Bool = false
  ) {
    (self.device, self.options, self.machine, self.monitor) = (device, options, machine, monitor)
    (self.reason, self.isShared) = (reason, isShared)
    wish = min(options.samplingFrequency?.hertz ?? SensorOptions.Use.pollingFrequency, SamplePoller.mostReads)
  }

  func open() throws(SensorError) {
    guard let channels = device.accelerometer else { throw .noThreeAxes(device.folder.path) }
    for channel in channels.all { axes.append(try PolledChannel(channel, of: device, in: machine)) }
    // Detects missing values now and not at the first sample.
    if isShared { for axis in axes { _ = try axis.value() } }
    let poller = SamplePoller(path: device.folder.path, frequency: usefulFrequency(), options: options)
    self.poller = poller
    monitor.begin(.polled(frequency: poller.frequency, because: reason))
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
    try poller?.next(until: stop) { () throws(SensorError) in
      var acceleration = SIMD3<Float>()
      for index in 0..<3 {
        guard let value = try axes[index].value() else { return nil }
        acceleration[index] = value
      }
      return device.mountMatrix.apply(to: acceleration)
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
