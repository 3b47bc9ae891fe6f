import Accelerometry
import IIOScans
import SourceNames

/// A sensor selected by name: an accelerometer, or a chip that counts steps.
public enum SensorSource: Sendable {
  /// It delivers samples.
  case accelerometer(any LinuxAccelerometer)
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
      return .accelerometer(try IIOAccelerometer(device, options: options, in: machine))
    case .evdev(let path): return .accelerometer(try EvdevAccelerometer(path: path, options: options, in: machine))
    case .counter(let identifier):
      let device = try IIODevice(identifier, scheme: "counter", in: machine)
      return .stepCounter(try IIOStepCounter(device, options: options))
    default: throw .notFound(name: "a sensor called \(uri)", remedy: "'pedometer devices' lists what is there")
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

  private static func udevMatrix(of identifier: String, in machine: SensorEnvironment) -> String? {
    let folder = machine.iioDevices["iio:" + identifier].resolved
    return (try? Udev())?.device(at: folder.path)?.properties["ACCEL_MOUNT_MATRIX"]
  }
}

/// An accelerometer of this computer, of the Industrial I/O or of the input subsystem.
public protocol LinuxAccelerometer: AccelerationSource where Batches == SensorReadings<SampleBatch> {
  /// How the sensor is being read; `nil` before the first batch was requested.
  var acquisition: AcquisitionReport? { get }

  /// One count along x, y and z in g, before the mount matrix.
  var gPerCount: SIMD3<Float>? { get }
}
