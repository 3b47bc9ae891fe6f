import Platform

/// The stable properties of a sensor, by which it is recognised after replugging, under another device number.
public struct SensorIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The bus: `usb`, `bluetooth`, `i2c` …
  public var bus: String
  /// Four hexadecimal digits, if the bus has vendor IDs.
  public var vendor: String?
  /// Four hexadecimal digits, if the bus has product IDs.
  public var product: String?
  /// The serial number, or a pad's hardware address.
  public var serial: String?
  /// Its port, or its position on the board.
  public var place: String?
  /// Which of the device's sensors it is.
  public var part: String

  /// Creates an identity.
  public init(
    bus: String, vendor: String? = nil, product: String? = nil, serial: String? = nil, place: String? = nil,
    part: String
  ) {
    (self.bus, self.vendor, self.product, self.serial) = (bus, vendor, product, serial)
    (self.place, self.part) = (place, part)
  }

  /// Whether two identities are of the same sensor: by the serial number at any port, otherwise by the port.
  public func isSame(as other: SensorIdentity) -> Bool {
    guard bus == other.bus, vendor == other.vendor, product == other.product, part == other.part else { return false }
    if let serial, let otherSerial = other.serial { return serial == otherSerial }
    return serial == other.serial && place == other.place
  }

  /// For example `usb:1209:7e58:serial=A1:accelerometer`.
  public var description: String {
    var words = [bus]
    if let vendor, let product { words.append("\(vendor):\(product)") }
    if let serial { words.append("serial=\(serial)") } else if let place { words.append("at=\(place)") }
    return (words + [part]).joined(separator: ":")
  }

  /// Walks up from a device to its parents: the input device, the HID device, the USB device.
  /// - Parameter remarks: gets a remark for each property that cannot be read.
  init(of device: UdevDevice, part: String, remarks: inout [String]) {
    let usb = device.ancestor("usb", "usb_device")
    let hid = device.ancestor("hid")
    let input = device.ancestor("input")
    let hidNumbers = Self.numbers(hid?.properties["HID_ID"], separator: ":")
    let inputNumbers = Self.numbers(input?.properties["PRODUCT"], separator: "/")
    let numbers = hidNumbers ?? inputNumbers
    // The kernel always sets them. libudev leaves out what it cannot read, without an error.
    for (parent, property) in [(hid, "HID_ID"), (input, "PRODUCT")] {
      if let parent, parent.properties[property] == nil {
        remarks.append("it may not be recognised after replugging, since \(parent.folder.path)/uevent cannot be read")
      }
    }
    bus = usb != nil ? "usb" : numbers?.bus ?? device.ancestors.first { !$0.subsystem.isEmpty }?.subsystem ?? "virtual"
    vendor = usb?.folder.identifying("idVendor", remarks: &remarks) ?? numbers?.vendor
    product = usb?.folder.identifying("idProduct", remarks: &remarks) ?? numbers?.product
    serial =
      input?.folder.identifying("uniq", remarks: &remarks) ?? Self.nonEmpty(hid?.properties["HID_UNIQ"])
      ?? usb?.folder.identifying("serial", remarks: &remarks)
    place =
      usb?.properties["ID_PATH"] ?? Self.nonEmpty(hid?.properties["HID_PHYS"])
      ?? input?.folder.identifying("phys", remarks: &remarks) ?? device.inherited("ID_PATH")
      ?? device.ancestors.first?.folder.path
    self.part = part
  }

  private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  private typealias Numbers = (bus: String, vendor: String, product: String)

  /// `0003:00001209:00007E57` of a HID device, `3/1209/7e58/1` of an input device.
  private static func numbers(_ text: String?, separator: Character) -> Numbers? {
    let words = text?.split(separator: separator).compactMap { UInt32($0, radix: 16) } ?? []
    guard words.count >= 3 else { return nil }
    let digits = { (number: UInt32) in (number & 0xFFFF).padded(4, radix: 16) }
    return (busName(words[0]), digits(words[1]), digits(words[2]))
  }

  /// BUS_* of linux/input.h.
  private static func busName(_ number: UInt32) -> String {
    switch number {
    case 0x03: "usb"
    case 0x05: "bluetooth"
    case 0x06: "virtual"
    case 0x18: "i2c"
    case 0x19: "host"
    case 0x1C: "spi"
    default: "bus\(number)"
    }
  }
}
