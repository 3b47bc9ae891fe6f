/// Where the kernel's trees are. Tests point them at folders of their own.
public struct SensorEnvironment: Sendable, Hashable {
  /// sysfs.
  public var sys: String
  /// The device nodes.
  public var dev: String
  /// configfs, in which hrtimer triggers are made.
  public var config: String
  /// Processes, among which the holder of a busy node is looked for.
  public var proc: String
  /// What udevd leaves behind while it runs.
  public var run: String
  /// The kernels' modules, in a folder for each release.
  public var modules = "/lib/modules"
  /// The D-Bus address of the bus on which BlueZ is; `nil`: the system bus.
  public var systemBus: String?
  /// Whether sensors' timestamps are compared with the time of their arrival. What plays samples at another speed than they
  /// were made has to do without.
  public var checksClocks = true

  /// Makes an environment of five absolute paths without a slash at their ends.
  public init(
    sys: String = "/sys", dev: String = "/dev", config: String = "/sys/kernel/config", proc: String = "/proc",
    run: String = "/run"
  ) {
    self.sys = sys
    self.dev = dev
    self.config = config
    self.proc = proc
    self.run = run
  }

  /// An environment whose five trees lie in one folder.
  public init(root: String) {
    self.init(
      sys: root + "/sys", dev: root + "/dev", config: root + "/config", proc: root + "/proc", run: root + "/run")
    modules = root + "/modules"
  }

  /// This computer.
  public static let machine = SensorEnvironment()

  /// The folder in which every IIO device and trigger has a link.
  var iioDevices: SysfsDirectory { SysfsDirectory(path: sys + "/bus/iio/devices") }
  /// The folder in which hrtimer triggers are made; it exists once the module is loaded and configfs is mounted.
  var hrtimerTriggers: SysfsDirectory { SysfsDirectory(path: config + "/iio/triggers/hrtimer") }
}
