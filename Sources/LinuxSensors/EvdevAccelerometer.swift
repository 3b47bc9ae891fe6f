import Accelerometry

/// An accelerometer that speaks as an input device: a game pad's motion sensors, a tablet, a laptop's drop guard.
///
/// Timestamps are the time since boot; where the device says its own time, its differences are kept.
public struct EvdevAccelerometer: AccelerationSource {
  /// The device node.
  public let path: String
  /// How it is to be read.
  public let options: SensorOptions
  /// What is known before the first sample.
  public let profile: SensorProfile
  /// What one count along x, y and z is in g.
  public let gPerCount: SIMD3<Float>
  /// Whether what it shows at present may be gravity. Pedals and joysticks have three axes, too.
  let showsGravity: Bool
  private let machine: SensorEnvironment
  private let monitor = AcquisitionMonitor()

  /// Opens the node for a moment to learn what its axes mean.
  /// - Throws: `.permissionDenied`, `.removed` (no such node), `.unusable` where it has not three axes of acceleration
  ///   or nothing says how many counts make one g, and its present values do not look like gravity.
  public init(
    path: String, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    let node = try EvdevNode(opening: path, in: machine)
    let scale = try EvdevScale(node, path: path, countsPerG: options.countsPerG)
    self.path = path
    self.options = options
    self.machine = machine
    gPerCount = scale.gPerCount
    showsGravity = (0.5...1.5).contains(scale.present)
    profile = SensorProfile(name: node.name, range: scale.range, clock: .boottime)
  }

  /// How the sensor is being read; `nil` before the first batch was asked for.
  public var acquisition: AcquisitionReport? { monitor.latest }

  /// The samples in g. The node is opened at the first `next()`.
  public func batches() -> SensorReadings<SampleBatch> {
    SensorReadings { EvdevReader(path: path, options: options, machine: machine, monitor: monitor) }
  }
}
