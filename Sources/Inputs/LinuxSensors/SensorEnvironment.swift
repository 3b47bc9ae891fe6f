/// The locations of the kernel's file systems. Tests use their own folders.
public struct SensorEnvironment: Sendable, Hashable {
  package var sys: String
  package var dev: String
  /// configfs, in which hrtimer triggers are created.
  package var config: String
  /// Processes, to find the holder of a busy node.
  package var proc: String
  /// The run-time files of udevd.
  package var run: String
  /// The kernels' modules, with a folder for each release.
  public var modules = "/lib/modules"
  /// The D-Bus address of BlueZ's bus; `nil`: the system bus.
  public var systemBus: String?
  /// Whether to compare timestamps with the arrival of samples. Disable it when samples are replayed at another speed.
  package var checksClocks = true

  /// Creates an environment of absolute paths without trailing slashes.
  package init(
    sys: String = "/sys", dev: String = "/dev", config: String = "/sys/kernel/config", proc: String = "/proc",
    run: String = "/run"
  ) {
    (self.sys, self.dev, self.config, self.proc) = (sys, dev, config, proc)
    self.run = run
  }

  /// Creates an environment of subfolders of one folder.
  package init(root: String) {
    self.init(
      sys: root + "/sys", dev: root + "/dev", config: root + "/config", proc: root + "/proc", run: root + "/run")
    modules = root + "/modules"
  }

  /// This computer.
  public static let machine = SensorEnvironment()

  /// The folder with a link for every IIO device and trigger.
  var iioDevices: SysfsDirectory { SysfsDirectory(path: sys + "/bus/iio/devices") }
  /// The folder in which hrtimer triggers are created; it exists once the module is loaded and configfs is mounted.
  var hrtimerTriggers: SysfsDirectory { SysfsDirectory(path: config + "/iio/triggers/hrtimer") }
}
