/// A device as udev knows it, copied out of libudev.
public struct UdevDevice: Sendable, Hashable {
  /// The folder in sysfs.
  public var folder: SysfsDirectory
  /// `iio`, `input`, `usb`, `hid` …
  public var subsystem: String
  /// `iio_device`, `usb_device` …; `nil` where the subsystem has no types.
  public var type: String?
  /// The folder's name.
  public var name: String
  /// The device node, if it has one.
  public var node: String?
  /// Properties of the kernel and of udev's rules.
  public var properties: [String: String]
  /// The devices it hangs at, the nearest first; without their own ancestors.
  public var ancestors: [UdevDevice]

  /// Makes a device.
  public init(
    folder: SysfsDirectory, subsystem: String, type: String? = nil, name: String, node: String? = nil,
    properties: [String: String] = [:], ancestors: [UdevDevice] = []
  ) {
    self.folder = folder
    self.subsystem = subsystem
    self.type = type
    self.name = name
    self.node = node
    self.properties = properties
    self.ancestors = ancestors
  }

  /// The nearest ancestor of a subsystem and, if given, a type.
  func ancestor(_ subsystem: String, _ type: String? = nil) -> UdevDevice? {
    ancestors.first { $0.subsystem == subsystem && (type == nil || $0.type == type) }
  }

  /// The nearest property of that name, the device's own first.
  func inherited(_ property: String) -> String? {
    for device in [self] + ancestors {
      if let value = device.properties[property], !value.isEmpty { return value }
    }
    return nil
  }
}
