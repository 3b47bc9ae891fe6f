import Accelerometry

/// An accelerometer that is an input device: the motion sensors of a game pad, a tablet, the free-fall sensor of a laptop.
///
/// Timestamps are the time since boot; if the device reports its own time, the differences are preserved.
public struct EvdevAccelerometer: LinuxAccelerometer {
  /// The device node.
  public let path: String
  /// How to read it.
  public let options: SensorOptions
  /// The properties known before the first sample.
  public let profile: SensorProfile
  /// One count along x, y and z in g.
  public let gPerCount: SIMD3<Float>?
  private let machine: SensorEnvironment
  private let monitor = AcquisitionMonitor()

  /// Opens the node for a moment to determine the meaning of its axes.
  /// - Throws: `.permissionDenied`, `.removed` (no such node), `.unusable` if it does not have three axes of
  ///   acceleration, or if its counts per g are unknown.
  package init(
    path: String, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    let device = try EvdevNode(opening: path, in: machine).description
    let scale = try EvdevScale(device, path: path, countsPerG: options.countsPerG)
    (self.path, self.options, self.machine) = (path, options, machine)
    gPerCount = scale.gPerCount
    profile = SensorProfile(name: device.name, range: scale.range, clock: .boottime)
  }

  /// How the sensor is being read; `nil` before the first batch was requested.
  public var acquisition: AcquisitionReport? { monitor.latest }

  /// The samples in g. The node is opened at the first `next()`.
  public func batches() -> SensorReadings<SampleBatch> {
    SensorReadings { EvdevReader(path: path, options: options, machine: machine, monitor: monitor) }
  }
}
