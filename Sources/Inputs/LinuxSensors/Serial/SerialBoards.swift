import Platform
import SourceNames

extension SensorDiscovery {
  /// The serial ports of boards that are connected by USB, by name. None is opened: that resets many boards, and only
  /// the user knows whether they print samples.
  public func boards() throws(SensorError) -> [DiscoveredSensor] {
    SensorClassifier(machine: machine).boards(among: try Udev().devices(ofSubsystems: ["tty"]))
  }

  /// The USB serial chips that are plugged in without a serial port, because brltty claims them as Braille displays.
  public func boardsWithoutPort() throws(SensorError) -> [String] {
    let udev = try Udev()
    let served = Set(udev.devices(ofSubsystems: ["tty"]).compactMap { $0.ancestor("usb", "usb_device")?.folder })
    return udev.devices(ofSubsystems: ["usb"]).compactMap { device in
      guard device.type == "usb_device", !served.contains(device.folder),
        let identity = Optional(SensorIdentity(usb: device)), let name = SerialChip.name(of: identity)
      else { return nil }
      return "\(name) (\(identity.vendor ?? ""):\(identity.product ?? ""))"
    }
  }
}

/// USB serial chips of inexpensive boards whose USB IDs are also used by Braille displays.
public enum SerialChip {
  /// The name of a chip that brltty claims; `nil` for any other.
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
  init(usb device: UdevDevice) {
    let text = { (name: String) in ((try? device.folder.textIfPresent(name)) ?? nil).flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      bus: "usb", vendor: text("idVendor"), product: text("idProduct"), serial: text("serial"),
      place: device.properties["ID_PATH"], part: "device")
  }
}

extension SensorClassifier {
  /// The boards among terminals, sorted by name. Boards of the same kind without serial numbers share one by-id link, which
  /// leads to either of them, so they are named by their USB ports.
  func boards(among terminals: [UdevDevice]) -> [DiscoveredSensor] {
    let links = terminals.compactMap { Self.link("by-id", to: $0) }
    let shared = Set(links.filter { link in links.count { $0 == link } > 1 })
    return terminals.compactMap { board($0, sharedLinks: shared) }.sorted { "\($0.uri)" < "\($1.uri)" }
  }

  /// udev's link to a serial port in a folder of `/dev/serial`.
  private static func link(_ folder: String, to device: UdevDevice) -> String? {
    device.properties["DEVLINKS"]?.split(separator: " ").map(String.init).first { $0.contains("/serial/\(folder)/") }
  }

  /// The serial port of a USB device; `nil` for any other terminal.
  func board(_ device: UdevDevice, sharedLinks: Set<String> = []) -> DiscoveredSensor? {
    guard device.subsystem == "tty", let node = device.node, let usb = device.ancestor("usb", "usb_device") else {
      return nil
    }
    // The by-id link is the same for every device number and USB port, the by-path link only for every device number.
    let byID = Self.link("by-id", to: device).flatMap { sharedLinks.contains($0) ? nil : $0 }
    let byPath = Self.link("by-path", to: device)
    let text = { (name: String) in ((try? usb.folder.textIfPresent(name)) ?? nil).flatMap { $0.isEmpty ? nil : $0 } }
    let words = [text("manufacturer"), text("product")].compactMap { $0 }
    let interface = device.properties["ID_USB_INTERFACE_NUM"].map { "/\($0)" } ?? ""
    var remarks: [String] = []
    let identity = SensorIdentity(of: device, part: "serial" + interface, remarks: &remarks)
    if byID == nil, byPath != nil {
      remarks.append("it shares its name with another board, so it is recognised by its USB port")
    } else if byID == nil {
      remarks.append("udev gives it no permanent name, so after replugging it is only recognised as \(node)")
    } else if identity.serial == nil {
      remarks.append("it has no serial number: next to another board of its kind it is recognised by its USB port")
    }
    return DiscoveredSensor(
      uri: .serial(SerialAddress(path: byID ?? byPath ?? node)),
      name: words.isEmpty ? device.name : words.joined(separator: " "), kind: .board, identity: identity, node: node,
      folder: device.folder, parents: device.ancestors.map(\.name), isExternal: true,
      usability: unsafe access(node, R_OK) == 0
        ? .usable : .unusable(.permissionDenied(path: node, errno: EACCES, remedy: SerialPort.permissionRemedy)),
      remarks: remarks)
  }
}
