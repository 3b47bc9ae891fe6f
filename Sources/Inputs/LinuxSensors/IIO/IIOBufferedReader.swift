import Accelerometry
import CSensorShim
import Glibc
import IIOScans

final class IIOBufferedReader: SensorReader {
  private let device: IIODevice
  private let options: SensorOptions
  private let machine: SensorEnvironment
  private let monitor: AcquisitionMonitor

  private var configurator: IIOBufferConfigurator?
  private var node: NodeDescriptor?
  private var decoder: ScanDecoder?
  private var clock = KernelClock(named: "boottime")
  private var synthesiser = TimestampSynthesiser(frequency: SamplingFrequency(hertz: 50)!)
  /// `nil` if the timestamps are not checked.
  private var clockCheck: ClockCheck?
  private var gaps = GapFinder(frequency: nil)
  private var watch: SensorWatch
  private var bytes: [UInt8] = []
  private var carried = 0
  private var bufferBytes = Int.max
  private var timeout = Duration.seconds(1)
  private var isFlowing = false
  private var hasRested = false
  private var waiting: [SampleBatch] = []

  /// The time in which a sensor begins to send; some have to wake up.
  private static let longestBeginning = Duration.seconds(3)

  init(device: IIODevice, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor) {
    (self.device, self.options, self.machine, self.monitor) = (device, options, machine, monitor)
    watch = SensorWatch(path: device.node, timeout: options.silenceTimeout)
    watch.silence = min(Self.longestBeginning, options.silenceTimeout)
  }

  func open() throws(SensorError) {
    guard let channels = device.accelerometer else { throw .noThreeAxes(device.folder.path) }
    guard let folders = IIOBufferFolders.find(channel: channels.x.name, in: device.folder) else {
      throw .unusable(path: device.folder.path, reason: "it has no buffer", remedy: "its values can be polled")
    }
    // The node comes first: it can be opened only once, and its owner may set up the buffer.
    node = try Self.open(device.node, bufferIndex: folders.index, machine)
    var configurator = IIOBufferConfigurator(device: device, folders: folders, options: options, machine: machine)
    defer { self.configurator = configurator }
    let (setup, elements) = try configurator.start()
    let description = device.scanDescription(
      of: elements, channels, setup.samplingFrequency, clockName: setup.clockName)
    guard let decoder = description.decoder, decoder.scanSize > 0 else {
      throw .nonsense(
        path: folders.elements.path, text: "\(description.layout)", expected: "three axes of one number each")
    }
    self.decoder = decoder
    prepare(for: setup, scanSize: decoder.scanSize)
    monitor.begin(.buffered(setup))
  }

  private static func open(
    _ path: String, bufferIndex: Int, _ machine: SensorEnvironment
  ) throws(SensorError) -> NodeDescriptor {
    let node = try NodeDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK, in: machine)
    if bufferIndex == 0 { return node }
    let buffer = sensor_iio_buffer_descriptor(node.number, Int32(bufferIndex))
    if buffer < 0 { throw .from(errno: -buffer, operation: "open a further buffer of", path: path, in: machine) }
    return NodeDescriptor(owning: buffer, path: path)
  }

  private func prepare(for setup: IIOBufferSetup, scanSize: Int) {
    let frequency = setup.samplingFrequency ?? SamplingFrequency(hertz: 50)!
    clock = KernelClock(named: setup.clockName)
    synthesiser = TimestampSynthesiser(frequency: frequency)
    if machine.checksClocks { clockCheck = ClockCheck(frequency: frequency, batchDuration: options.use.batchDuration) }
    gaps = GapFinder(frequency: frequency)
    bufferBytes = setup.length * scanSize
    bytes = [UInt8](repeating: 0, count: scanSize * min(max(setup.length, 64), 4096))
    // poll() does not return when an IIO device is removed, so check periodically.
    let interval = Duration.seconds(min(max(1, 2 * Double(setup.watermark) / frequency.hertz), 5))
    timeout = min(interval, max(options.silenceTimeout, .milliseconds(10)))
    watch.heard()
  }

  /// How long scans may accumulate.
  private var gathering: Duration { .seconds(options.use.batchDuration) }

  func rest(until stop: StopSignal) {
    guard isFlowing, waiting.isEmpty else { return }
    _ = stop.wait(atMost: gathering)
    hasRested = true
  }

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
    while waiting.isEmpty {
      // Polling an IIO node wakes the thread for every scan, regardless of the watermark. While scans arrive, the
      // thread therefore sleeps by the clock; the kernel buffers them.
      let outcome = wait(until: stop)
      if outcome == .raised { return nil }
      let count = node?.readOrErrno(into: &bytes, from: carried) ?? -Int(EBADF)
      isFlowing = count > 0
      switch count {
      case -Int(EAGAIN): try watch.checkSilence()
      case 0: throw .removed(path: device.node)
      case ..<0: throw .from(errno: Int32(-count), operation: "read", path: device.node, in: machine)
      default: take(count)
      }
      try watch.check()
    }
    return waiting.removeFirst()
  }

  private func wait(until stop: StopSignal) -> StopSignal.Outcome {
    guard isFlowing else { return stop.wait(for: node?.number ?? -1, atMost: timeout) }
    defer { hasRested = false }
    return stop.wait(atMost: hasRested ? .zero : gathering)
  }

  /// Decodes the complete scans among the bytes, and keeps the rest for the next read.
  private func take(_ count: Int) {
    guard let decoder else { return }
    let now = SensorClock.boottime.now
    let available = carried + count
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(available / decoder.scanSize)
    unsafe decoder.decode(bytes.span.bytes.extracting(..<available), into: &samples)
    let used = samples.count * decoder.scanSize
    carried = available - used
    for index in 0..<carried { bytes[index] = bytes[used + index] }
    if samples.isEmpty { return }
    watch.silence = options.silenceTimeout
    watch.heard()
    let isFull = count >= bufferBytes
    var fault: ClockCheck.Fault?
    // Some drivers (kxcjk-1013 with a timer) leave the time at 0.
    if !decoder.hasTimestamps || samples.contains(where: { $0.nanoseconds == 0 }) {
      synthesiser.stamp(&samples, readAt: now)
    } else {
      let offset = clock.offsetToBoottime
      if offset != 0 { for index in samples.indices { samples[index].nanoseconds &+= offset } }
      fault = clockCheck?.take(&samples, readAt: now, mayBeOld: isFull) ?? nil
    }
    watch.take(samples)
    waiting = gaps.split(samples, bufferWasFull: isFull)
    if let fault, !waiting.isEmpty { waiting[0].warning = "\(fault)" }
  }

  func close() {
    configurator?.restore()
    configurator = nil
    node = nil
  }
}

extension SensorError {
  static func noThreeAxes(_ path: String) -> SensorError {
    .unusable(
      path: path, reason: "it does not measure acceleration along all three axes", remedy: "choose another sensor")
  }
}
