import Accelerometry

/// An accelerometer of the kernel's Industrial I/O subsystem.
///
/// Samples come through its buffer. It is polled instead if it has no trigger, if permission for the buffer is missing, if another
/// program reads it, or if it delivers nothing. ``acquisition`` reports which, and why. Timestamps are the time since boot.
public struct IIOAccelerometer: LinuxAccelerometer {
  package let device: IIODevice
  /// The options for reading.
  public let options: SensorOptions
  private let machine: SensorEnvironment
  private let monitor = AcquisitionMonitor()

  /// Creates a source without touching the sensor.
  /// - Throws: `.unusable` if the device does not measure acceleration along three axes.
  package init(
    _ device: IIODevice, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    if device.accelerometer == nil { throw .noThreeAxes(device.folder.path) }
    (self.device, self.options, self.machine) = (device, options, machine)
  }

  /// The properties known before the first sample.
  public var profile: SensorProfile { device.profile(clock: .boottime) }

  /// How the sensor is being read; `nil` before the first batch was requested.
  public var acquisition: AcquisitionReport? { monitor.latest }

  /// One count along x, y and z in g, before the mount matrix.
  public var gPerCount: SIMD3<Float>? {
    device.accelerometer.map { SIMD3($0.all.map { Float($0.scale / standardGravity) }) }
  }

  /// The samples in g, mount matrix applied. The buffer is set up at the first `next()` and restored at the end.
  public func batches() -> SensorReadings<SampleBatch> {
    SensorReadings { IIOAutomaticReader(device: device, options: options, machine: machine, monitor: monitor) }
  }
}

/// Tries the buffer first and falls back to polling.
private final class IIOAutomaticReader: SensorReader {
  private let device: IIODevice
  private let options: SensorOptions
  private let machine: SensorEnvironment
  private let monitor: AcquisitionMonitor
  private var reader: (any SensorReader<SampleBatch>)?
  /// Whether the buffer has not delivered anything yet.
  private var isUnproven = true

  init(device: IIODevice, options: SensorOptions, machine: SensorEnvironment, monitor: AcquisitionMonitor) {
    (self.device, self.options, self.machine, self.monitor) = (device, options, machine, monitor)
  }

  func open() throws(SensorError) {
    let buffered = IIOBufferedReader(device: device, options: options, machine: machine, monitor: monitor)
    reader = buffered
    do throws(SensorError) { try buffered.open() } catch {
      let obstacle = error
      guard error.leavesPolling else { throw error }
      buffered.close()
      let isBusy = error.kind == .busy
      do throws(SensorError) {
        try poll(isBusy ? error.reason : "\(error)", isShared: isBusy)
      } catch {
        // Some drivers provide no values while the buffer is enabled. The buffer's user is then the useful information.
        reader?.close()
        throw isBusy ? obstacle : error
      }
    }
  }

  private func poll(_ reason: String, isShared: Bool) throws(SensorError) {
    isUnproven = false
    let polled = IIOPolledReader(
      device: device, options: options, machine: machine, monitor: monitor, reason: reason, isShared: isShared)
    reader = polled
    try polled.open()
  }

  func next(until stop: StopSignal) throws -> SampleBatch? {
    do {
      let batch = try reader?.next(until: stop)
      isUnproven = false
      return batch
    } catch let silence as SensorError where isUnproven && silence.code == .silent {
      // The driver of a chip with a FIFO enables the buffer also if the chip's interrupt is not connected (bmc150-accel).
      reader?.close()
      do { try poll("its buffer delivers no samples", isShared: false) } catch { throw silence }
      return try reader?.next(until: stop)
    }
  }

  func rest(until stop: StopSignal) { reader?.rest(until: stop) }
  func close() { reader?.close() }
}

extension SensorError {
  /// Whether to try polling after the buffer failed with this error.
  fileprivate var leavesPolling: Bool {
    // .removed: only the node may be missing.
    [.permissionDenied, .unusable, .busy, .system, .removed].contains(code)
  }
}
