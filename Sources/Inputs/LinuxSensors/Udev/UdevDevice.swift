/// A udev device, copied from libudev.
package struct UdevDevice: Sendable, Hashable {
  package var folder: SysfsDirectory
  /// `iio`, `input`, `usb`, `hid` …
  package var subsystem: String
  /// `iio_device`, `usb_device` …; `nil` if the subsystem has no types.
  package var type: String?
  package var name: String
  package var node: String?
  /// Properties from the kernel and from udev rules.
  package var properties: [String: String]
  /// The ancestors, nearest first; without their own ancestors.
  package var ancestors: [UdevDevice]

  package init(
    folder: SysfsDirectory, subsystem: String, type: String? = nil, name: String, node: String? = nil,
    properties: [String: String] = [:], ancestors: [UdevDevice] = []
  ) {
    (self.folder, self.subsystem, self.type, self.name) = (folder, subsystem, type, name)
    (self.node, self.properties, self.ancestors) = (node, properties, ancestors)
  }

  /// The nearest ancestor with a subsystem and, if given, a type.
  func ancestor(_ subsystem: String, _ type: String? = nil) -> UdevDevice? {
    ancestors.first { $0.subsystem == subsystem && (type == nil || $0.type == type) }
  }

  /// The nearest property with a name, starting with the device itself.
  func inherited(_ property: String) -> String? {
    for device in [self] + ancestors {
      if let value = device.properties[property], !value.isEmpty { return value }
    }
    return nil
  }

  var completeness: Int { ancestors.reduce(properties.count + (node == nil ? 0 : 1)) { $0 + 1 + $1.properties.count } }
}
