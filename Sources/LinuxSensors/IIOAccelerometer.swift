import Accelerometry

/// An accelerometer of the kernel's Industrial I/O subsystem.
///
/// Read through its buffer where that is possible, else by polling its values; ``acquisition`` says which it became and
/// why. Timestamps are the time since boot.
public struct IIOAccelerometer: AccelerationSource {
  /// Which way to read.
  public enum Mode: Sendable, Hashable {
    /// The buffer; polling where there is no trigger or no permission for it, or another program reads it.
    case automatic
    /// The buffer or nothing.
    case buffered
    /// Polling.
    case polled
  }

  /// The device as its attributes describe it.
  public let device: IIODevice
  /// How it is to be read.
  public let options: SensorOptions
  /// Which way to read.
  public let mode: Mode
  private let machine: SensorEnvironment
  private let monitor = AcquisitionMonitor()

  /// Makes a source; the sensor is not touched yet.
  /// - Throws: `.unusable` where the device does not measure acceleration along three axes.
  public init(
    _ device: IIODevice, options: SensorOptions = SensorOptions(), mode: Mode = .automatic,
    in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    if device.accelerometer == nil { throw .noThreeAxes(device.folder.path) }
    self.device = device
    self.options = options
    self.mode = mode
    self.machine = machine
  }

  /// What is known before the first sample.
  public var profile: SensorProfile { device.profile(clock: .boottime) }

  /// How the sensor is being read; `nil` before the first batch was asked for.
  public var acquisition: AcquisitionReport? { monitor.latest }

  /// The samples in g, mount matrix applied. The buffer is set up at the first `next()` and put back at the end.
  public func batches() -> SensorReadings<SampleBatch> {
    SensorReadings {
      IIOAutomaticReader(device: device, options: options, mode: mode, machine: machine, monitor: monitor)
    }
  }
}

/// Tries the buffer first and polls where that cannot be had.
private final class IIOAutomaticReader: SensorReader {
  private let mode: IIOAccelerometer.Mode
  private let makeBuffered: () -> IIOBufferedReader
  private let makePolled: (_ reason: String, _ isShared: Bool) -> IIOPolledReader
  private var reader: Reader?

  private enum Reader {
    case buffered(IIOBufferedReader)
    case polled(IIOPolledReader)

    func open() throws(SensorError) {
      switch self {
      case .buffered(let reader): try reader.open()
      case .polled(let reader): try reader.open()
      }
    }

    func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? {
      switch self {
      case .buffered(let reader): try reader.next(until: stop)
      case .polled(let reader): try reader.next(until: stop)
      }
    }

    func rest(until stop: StopSignal) {
      switch self {
      case .buffered(let reader): reader.rest(until: stop)
      case .polled(let reader): reader.rest(until: stop)
      }
    }

    func close() {
      switch self {
      case .buffered(let reader): reader.close()
      case .polled(let reader): reader.close()
      }
    }
  }

  init(
    device: IIODevice, options: SensorOptions, mode: IIOAccelerometer.Mode, machine: SensorEnvironment,
    monitor: AcquisitionMonitor
  ) {
    self.mode = mode
    makeBuffered = { IIOBufferedReader(device: device, options: options, machine: machine, monitor: monitor) }
    makePolled = { reason, isShared in
      IIOPolledReader(
        device: device, options: options, machine: machine, monitor: monitor, reason: reason, isShared: isShared)
    }
  }

  func open() throws(SensorError) {
    if mode == .polled { return try use(.polled(makePolled("it was asked for", false))) }
    do throws(SensorError) {
      try use(.buffered(makeBuffered()))
    } catch {
      let obstacle = error
      guard mode == .automatic, error.leavesPolling else { throw error }
      reader?.close()
      let isBusy = error.kind == .busy
      do throws(SensorError) {
        try use(.polled(makePolled(isBusy ? error.reason : "\(error)", isBusy)))
      } catch {
        // Some drivers give no values while the buffer runs. Then who has the buffer is what helps.
        reader?.close()
        throw isBusy ? obstacle : error
      }
    }
  }

  private func use(_ chosen: Reader) throws(SensorError) {
    reader = chosen
    try chosen.open()
  }

  func next(until stop: StopSignal) throws(SensorError) -> SampleBatch? { try reader?.next(until: stop) }
  func rest(until stop: StopSignal) { reader?.rest(until: stop) }
  func close() { reader?.close() }
}

extension SensorError {
  /// Whether a buffer that fails so leaves it sensible to poll.
  fileprivate var leavesPolling: Bool {
    // .removed: perhaps only the node is missing
    [.permissionDenied, .unusable, .busy, .system, .removed].contains(code)
  }
}
