import Accelerometry
import Platform

extension SensorDiscovery {
  /// The serial ports of boards that are plugged in over USB, in the order of their names. None is opened: that resets many
  /// boards, and only their user knows whether they print samples.
  public func boards() throws(SensorError) -> [DiscoveredSensor] {
    let classifier = SensorClassifier(machine: machine)
    return try Udev().devices(ofSubsystems: ["tty"]).compactMap { classifier.board($0) }
      .sorted { "\($0.uri)" < "\($1.uri)" }
  }

  /// Boards with a USB serial chip that is plugged in and has no port: the program brltty takes it for a Braille display.
  public func boardsWithoutPort() throws(SensorError) -> [String] {
    let udev = try Udev()
    let served = Set(
      udev.devices(ofSubsystems: ["tty"]).compactMap { $0.ancestor("usb", "usb_device")?.folder })
    return udev.devices(ofSubsystems: ["usb"]).compactMap { device in
      guard device.type == "usb_device", !served.contains(device.folder),
        let identity = Optional(SensorIdentity(usb: device)), let name = SerialChip.name(of: identity)
      else { return nil }
      return "\(name) (\(identity.vendor ?? ""):\(identity.product ?? ""))"
    }
  }
}

/// USB serial chips of cheap boards, whose numbers are those of Braille displays, too.
public enum SerialChip {
  /// The name of a chip of which brltty takes possession; `nil` of every other.
  public static func name(of identity: SensorIdentity) -> String? {
    switch (identity.vendor, identity.product) {
    case ("1a86", "7523"), ("1a86", "5523"): "CH340"
    case ("10c4", "ea60"): "CP210x"
    case ("0403", "6001"), ("0403", "6010"), ("0403", "6015"): "FTDI"
    default: nil
    }
  }
}

extension SensorIdentity {
  /// A USB device itself.
  init(usb device: UdevDevice) {
    let text = { (name: String) in ((try? device.folder.textIfPresent(name)) ?? nil).flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      bus: "usb", vendor: text("idVendor"), product: text("idProduct"), serial: text("serial"),
      place: device.properties["ID_PATH"], part: "device")
  }
}

extension SensorClassifier {
  /// The serial port of a USB device; `nil` of every other terminal.
  func board(_ device: UdevDevice) -> DiscoveredSensor? {
    guard device.subsystem == "tty", let node = device.node, let usb = device.ancestor("usb", "usb_device") else {
      return nil
    }
    // The name stays the same, whatever the number and socket.
    let stable = device.properties["DEVLINKS"]?.split(separator: " ").map(String.init)
      .first { $0.contains("/serial/by-id/") }
    let text = { (name: String) in ((try? usb.folder.textIfPresent(name)) ?? nil).flatMap { $0.isEmpty ? nil : $0 } }
    let words = [text("manufacturer"), text("product")].compactMap { $0 }
    let interface = device.properties["ID_USB_INTERFACE_NUM"].map { "/\($0)" } ?? ""
    let identity = SensorIdentity(of: device, part: "serial" + interface)
    var remarks: [String] = []
    if let chip = SerialChip.name(of: identity), stable == nil || identity.serial == nil {
      remarks.append("boards with a \(chip) without a serial number are told apart by their socket alone")
    }
    return DiscoveredSensor(
      uri: .serial(SerialAddress(path: stable ?? node)),
      name: words.isEmpty ? device.name : words.joined(separator: " "),
      kind: .board, identity: identity, node: node, folder: device.folder,
      parents: device.ancestors.map(\.name), isExternal: true,
      usability: unsafe access(node, R_OK) == 0
        ? .usable
        : .unusable(.permissionDenied(path: node, errno: EACCES, remedy: SerialPort.permissionRemedy)),
      remarks: remarks)
  }
}
