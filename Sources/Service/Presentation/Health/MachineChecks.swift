import Glibc
import LinuxSensors

/// The requirements of a machine for reading any sensor.
package struct MachineChecks {
  /// The locations of the kernel's file systems.
  package var machine = SensorEnvironment.machine
  /// The folders of udev rules, in order of precedence.
  package var rulesFolders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
    "/lib/udev/rules.d",
  ]
  package var sensors: [DiscoveredSensor]

  package var all: [HealthCheck] {
    [input, industrialIO, udev, rule, group, timer, dialout, braille, modemManager].compactMap { $0 }
  }
  /// The boards found on serial ports.
  package var boards: [DiscoveredSensor] = []
  /// Connected boards without a serial port.
  package var boardsWithoutPort: [String] = []

  package init(
    machine: SensorEnvironment = .machine, sensors: [DiscoveredSensor], boards: [DiscoveredSensor] = [],
    boardsWithoutPort: [String] = []
  ) {
    (self.machine, self.sensors, self.boards, self.boardsWithoutPort) = (machine, sensors, boards, boardsWithoutPort)
  }

  private func has(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  private var input: HealthCheck {
    if has(machine.sys + "/class/input") { return .ok("input subsystem", "the kernel supports input devices") }
    return .warning(
      "input subsystem", "the kernel does not support input devices, so game pads cannot be read",
      remedy: "load the kernel module evdev, or use a kernel other than a cloud kernel")
  }

  private var industrialIO: HealthCheck {
    if has(machine.sys + "/bus/iio") { return .ok("IIO subsystem", "industrialio is loaded") }
    return .warning(
      "IIO subsystem", "the kernel module industrialio is not loaded, so sensor chips have no driver",
      remedy: "plug in the sensor or load its driver, such as hid-sensor-accel-3d; cloud kernels have none")
  }

  private var udev: HealthCheck {
    if has(machine.run + "/udev/control") { return .ok("udev", "udevd runs") }
    return .warning(
      "udev", "udevd is not running, so no rule gives access to sensors", remedy: "run on the host, not in a container")
  }

  private var isRoot: Bool { geteuid() == 0 }

  private static let ruleName = "72-pedometer.rules"

  private var rule: HealthCheck {
    if let folder = rulesFolders.first(where: { has("\($0)/\(Self.ruleName)") }) {
      return .ok("udev rule", "\(folder)/\(Self.ruleName) is installed")
    }
    return .warning(
      "udev rule", "\(Self.ruleName) is not installed" + (isRoot ? "; root does not need it" : ""),
      remedy: "copy udev-rules/\(Self.ruleName) to /etc/udev/rules.d ('make install' does it), run 'udevadm control "
        + "--reload', and plug the sensor in again")
  }

  private var group: HealthCheck {
    guard let group = unsafe getgrnam("pedometer") else {
      return .warning(
        "group pedometer", "the group does not exist", remedy: "systemd-sysusers, or: groupadd --system pedometer")
    }
    let number = unsafe group.pointee.gr_gid
    var groups = [gid_t](repeating: 0, count: 256)
    let count = max(0, unsafe getgroups(Int32(groups.count), &groups))
    if isRoot { return .ok("group pedometer", "it exists; root does not need it") }
    if getegid() == number || groups[..<Int(count)].contains(number) {
      return .ok("group pedometer", "you are a member")
    }
    return .warning(
      "group pedometer", "you are not a member; IIO buffers, services and remote logins need it",
      remedy: "usermod -a -G pedometer USER, as root, and log in again")
  }

  /// Only relevant if a device has no trigger of its own.
  private var timer: HealthCheck? {
    let isNeeded = sensors.contains { sensor in
      if case .pollingOnly(let reason, _) = sensor.usability { reason.contains("trigger") } else { false }
    }
    let folder = machine.config + "/iio/triggers/hrtimer"
    if unsafe access(folder, W_OK) == 0 { return .ok("timer trigger", "triggers can be created in \(folder)") }
    guard isNeeded else { return nil }
    if has(folder) {
      return .warning(
        "timer trigger", "no permission to create a trigger in \(folder)",
        remedy: "count as root, or create a trigger and set it in trigger/current_trigger; it is polled until then")
    }
    return .warning(
      "timer trigger", "a sensor without an interrupt needs a trigger for its buffer, and \(folder) does not exist",
      remedy: "modprobe iio-trig-hrtimer and mount configfs (in Linux 6.12, not in 6.1); it is polled until then")
  }
}

/// Boards on serial ports; no checks if there are none.
extension MachineChecks {
  private var dialout: HealthCheck? {
    guard let denied = boards.first(where: { !$0.isUsable }) else {
      return boards.isEmpty ? nil : .ok("serial ports", "you have access to the board\(boards.count == 1 ? "" : "s")")
    }
    let node = denied.node ?? "\(denied.uri)"
    return .warning(
      "serial ports", "no permission to read \(node): serial ports belong to the group dialout",
      remedy: SerialPort.permissionRemedy)
  }

  private var braille: HealthCheck? {
    if let board = boardsWithoutPort.first {
      return .warning(
        "brltty",
        "\(board) is plugged in, but has no serial port"
          + (runs("brltty") ? ": brltty uses it as a Braille display" : ""),
        remedy: "if you use no Braille display: systemctl mask --now brltty.service brltty-udev.service, and plug "
          + "the board in again; otherwise load its driver (modprobe ch341, cp210x or ftdi_sio)")
    }
    guard boards.contains(where: { SerialChip.name(of: $0.identity) != nil }), runs("brltty") else { return nil }
    return .warning(
      "brltty", "brltty is running, and may use a CH340, CP210x or FTDI board as a Braille display",
      remedy: "if the board's port disappears: systemctl mask --now brltty.service brltty-udev.service")
  }

  private var modemManager: HealthCheck? {
    guard !boards.isEmpty, runs("ModemManager") else { return nil }
    return .warning(
      "ModemManager", "ModemManager is running, and may write to a board for some seconds after it is plugged in",
      remedy: "set ENV{ID_MM_DEVICE_IGNORE}=\"1\" for the board in a udev rule (udev-rules/72-pedometer.rules has one "
        + "to uncomment), or wait half a minute after plugging in")
  }

  private func runs(_ name: String) -> Bool {
    let processes = SysfsDirectory(path: machine.proc)
    return processes.names.contains { process in
      // The kernel truncates names to 15 characters.
      Int32(process) != nil && ((try? processes[process].textIfPresent("comm")) ?? nil) == String(name.prefix(15))
    }
  }
}

extension DeviceReport {
  /// Whether it can count, and how.
  package var check: HealthCheck {
    let name = "\(sensor.uri)"
    if isBusy, sensor.isUsable {
      let holder = holders.map(\.description).joined(separator: ", ")
      return .failed(
        name, "\(sensor.name) is in use by \(holder)", remedy: "stop that program, or choose another sensor",
        status: .busy)
    }
    switch sensor.usability {
    case .usable where sensor.kind == .board:
      return .ok(name, "\(sensor.name) can be read; to see whether it prints samples: pedometer live \(sensor.uri)")
    case .usable: return .ok(name, "\(sensor.name) can count, by \(mode ?? "")")
    case .pollingOnly(let reason, let remedy):
      return .warning(name, "\(sensor.name) can only be polled: \(reason)", remedy: remedy)
    case .unusable(let error):
      return .failed(
        name, "\(sensor.name) cannot be used: \(error.reason)", remedy: error.remedy,
        status: error.exitStatus)
    }
  }
}
