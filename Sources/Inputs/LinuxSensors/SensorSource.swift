import Accelerometry
import IIOScans
import SourceNames

/// A sensor selected by name: an accelerometer, or a chip that counts steps.
public enum SensorSource: Sendable {
  /// It delivers samples.
  case accelerometer(LinuxAccelerometer)
  /// It delivers steps.
  case stepCounter(IIOStepCounter)

  /// Opens the sensor with a name. IIO devices are not touched yet; an input node is opened for a moment.
  /// - Throws: ``SensorError``; `.notFound` also for names of other sources (a file, a synthetic walk).
  public static func open(
    _ uri: SourceURI, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine
  ) throws(SensorError) -> SensorSource {
    switch uri {
    case .iio(let identifier):
      let device = try IIODevice(identifier, udevMatrix: udevMatrix(of: identifier, in: machine), in: machine)
      let mode: IIOAccelerometer.Mode = options.scanTap == nil ? .automatic : .buffered
      return .accelerometer(.iio(try IIOAccelerometer(device, options: options, mode: mode, in: machine)))
    case .evdev(let path):
      return .accelerometer(.evdev(try EvdevAccelerometer(path: path, options: options, in: machine)))
    case .counter(let identifier):
      let device = try IIODevice(identifier, scheme: "counter", in: machine)
      return .stepCounter(try IIOStepCounter(device, options: options, in: machine))
    default:
      throw .notFound(name: "a sensor called \(uri)", remedy: "'pedometer devices' lists what is there")
    }
  }

  /// The format of the scans of an IIO device's buffer, with its current settings.
  /// - Parameters:
  ///   - identifier: `device0`.
  ///   - machine: where sysfs and the nodes are.
  public static func scanDescription(
    of identifier: String, in machine: SensorEnvironment = .machine
  ) throws(SensorError) -> ScanDescription {
    try IIODevice(identifier, udevMatrix: udevMatrix(of: identifier, in: machine), in: machine).scanDescription()
  }

  /// The mount matrix from udev's hardware database.
  private static func udevMatrix(of identifier: String, in machine: SensorEnvironment) -> String? {
    let folder = machine.iioDevices["iio:" + identifier].resolved
    return (try? Udev())?.device(at: folder.path)?.properties["ACCEL_MOUNT_MATRIX"]
  }
}

/// An IIO or evdev accelerometer.
public enum LinuxAccelerometer: AccelerationSource {
  /// Of the Industrial I/O subsystem.
  case iio(IIOAccelerometer)
  /// Of the input subsystem.
  case evdev(EvdevAccelerometer)

  /// The properties known before the first sample.
  public var profile: SensorProfile {
    switch self {
    case .iio(let source): source.profile
    case .evdev(let source): source.profile
    }
  }

  /// How the sensor is being read; `nil` before the first batch was requested.
  public var acquisition: AcquisitionReport? {
    switch self {
    case .iio(let source): source.acquisition
    case .evdev(let source): source.acquisition
    }
  }

  /// One count along x, y and z in g, before the mount matrix.
  public var gPerCount: SIMD3<Float>? {
    switch self {
    case .iio(let source): source.device.accelerometer.map { SIMD3($0.all.map { Float($0.scale / standardGravity) }) }
    case .evdev(let source): source.gPerCount
    }
  }

  /// The samples in g, stamped with the time since boot.
  public func batches() -> SensorReadings<SampleBatch> {
    switch self {
    case .iio(let source): source.batches()
    case .evdev(let source): source.batches()
    }
  }
}
