import LinuxSensors

/// The checks of `doctor` for chips on I²C buses.
package struct I2CChecks {
  /// The computer's buses.
  package var buses: [I2CBus]
  /// The chips on a bus; `nil`: buses are not probed.
  package var findings: ((I2CBus) -> I2CProbe.Findings)?
  /// Whether the running kernel has a module.
  package var hasModule: (_ module: String) -> Bool?
  /// The running kernel.
  package var release: String
  /// The computer's model according to the firmware.
  package var model: String?

  package init(
    buses: [I2CBus], findings: ((I2CBus) -> I2CProbe.Findings)?, hasModule: @escaping (_ module: String) -> Bool?,
    release: String, model: String?
  ) {
    self.buses = buses
    self.findings = findings
    self.hasModule = hasModule
    self.release = release
    self.model = model
  }

  /// The checks for this computer.
  /// - Parameter probes: whether the user has requested that registers are read.
  package init(machine: SensorEnvironment = .machine, probes: Bool) {
    let modules = probes ? KernelModules(in: machine) : nil
    let probe = I2CProbe(in: machine)
    let model = try? SysfsDirectory(path: machine.sys + "/firmware/devicetree/base").textIfPresent("model")
    self.init(
      buses: I2CBus.all(in: machine), findings: probes ? { probe.findings(on: $0) } : nil,
      hasModule: { modules?.has($0) }, release: modules?.release ?? "", model: model ?? nil)
  }

  private var isRaspberryPi: Bool { model?.hasPrefix("Raspberry Pi") ?? false }

  /// Buses to which a sensor may be connected.
  private var sensible: [I2CBus] { buses.filter { !$0.leadsToDisplay } }

  /// One check per bus and chip; without a probe, one for all buses. None if there is no bus and no probe was
  /// requested.
  package var all: [HealthCheck] {
    guard let findings else { return mention.map { [$0] } ?? [] }
    if sensible.isEmpty { return [absence] }
    return sensible.flatMap { checks(of: $0, findings($0)) }
  }

  private var mention: HealthCheck? {
    if sensible.isEmpty { return nil }
    let names = sensible.map { "i2c-\($0.number)" }.joined(separator: ", ")
    return HealthCheck(
      name: "I2C", result: .ok,
      finding: (sensible.count == 1 ? "there is a bus (\(names))" : "there are buses (\(names))")
        + "; chips were not probed",
      remedy: "if you have wired a sensor chip to it, \(Self.asRoot)")
  }

  private static let asRoot = "run 'pedometer doctor --probe-i2c' as root"

  private var absence: HealthCheck {
    .warning(
      "I2C", buses.isEmpty ? "there is no bus" : "all buses lead to displays",
      remedy: isRaspberryPi
        ? "add 'dtparam=i2c_arm=on' to /boot/firmware/config.txt and restart"
        : "load the driver of the bus, such as i2c-i801, i2c-piix4 or i2c-designware-platform")
  }

  private func checks(of bus: I2CBus, _ findings: I2CProbe.Findings) -> [HealthCheck] {
    let name = "I2C i2c-\(bus.number)"
    if let trouble = findings.trouble {
      let remedy = trouble.code == .permissionDenied ? Self.asRoot : trouble.remedy
      return [.warning(name, "cannot be probed: \(trouble.reason)", remedy: remedy)]
    }
    let found = findings.chips.map { check($0, on: bus) }
    let held =
      findings.held.isEmpty
      ? "" : "; not probed because a driver uses it: " + findings.held.map(Self.hex).joined(separator: ", ")
    if found.isEmpty { return [.ok(name, "no known chip without a driver on '\(bus.name)'\(held)")] }
    return found + (held.isEmpty ? [] : [.ok(name, String(held.dropFirst(2)))])
  }

  private func check(_ found: I2CProbe.Found, on bus: I2CBus) -> HealthCheck {
    let (chip, address) = (found.chip, Self.hex(found.address))
    let name = "I2C i2c-\(bus.number)"
    let finding = "\(chip.name) (\(chip.kind.rawValue)) at \(address)"
    guard let device = chip.device, let module = chip.module else {
      return .warning(
        name, "\(finding), for which Linux has no driver",
        remedy: "choose a chip with a driver, such as MPU6050, LSM6DS3 or ADXL345")
    }
    let command = "echo \(device) \(address) > /sys/bus/i2c/devices/i2c-\(bus.number)/new_device"
    if hasModule(module) == false {
      return .warning(
        name, "\(finding); its driver is missing: Linux \(release) has no module \(module)",
        remedy: "install a kernel with \(chip.option ?? module) and, as root: \(command)")
    }
    // The overlays are for the bus on pins 3 and 5 of the header.
    if isRaspberryPi, bus.number == 1, let overlay = chip.overlay {
      return .warning(
        name, "\(finding) has no driver bound",
        remedy: "add 'dtoverlay=\(overlay),addr=\(address)' to /boot/firmware/config.txt and restart, "
          + "or until the next restart, as root: \(command) (module \(module))")
    }
    let otherwise = chip.compatible.map {
      "; if no sensor appears, this kernel's driver needs a device tree overlay with compatible = \"\($0)\""
    }
    return .warning(
      name, "\(finding) has no driver bound",
      remedy: "as root, after each restart: \(command) (module \(module))" + (otherwise ?? ""))
  }

  private static func hex(_ address: UInt8) -> String {
    let digits = String(address, radix: 16)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
