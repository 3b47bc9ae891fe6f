/// BlueZ's objects on the bus, with their interfaces and properties.
struct BluezObjects {
  private(set) var objects: [String: [String: [String: SystemBus.Value]]] = [:]

  static let adapterInterface = "org.bluez.Adapter1"
  static let deviceInterface = "org.bluez.Device1"
  static let characteristicInterface = "org.bluez.GattCharacteristic1"

  mutating func take(_ record: SystemBus.Record) {
    switch record {
    case .interface(let path, let interface): objects[path, default: [:]][interface, default: [:]] = [:]
    case .property(let path, let interface, let name, let value):
      objects[path, default: [:]][interface, default: [:]][name] = value
    case .element(let path, let interface, let name, let text):
      if case .texts(let texts)? = objects[path]?[interface]?[name] {
        objects[path]?[interface]?[name] = .texts(texts + [text])
      }
    case .interfaceGone(let path, let interface):
      objects[path]?[interface] = nil
      if objects[path]?.isEmpty == true { objects[path] = nil }
    case .answer, .owner: break
    }
  }

  struct Adapter {
    var path: String
    var address: String
    var isPowered: Bool
    /// For example `hci0`.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  struct Device {
    var path: String
    var adapter: String
    var address: String
    var name: String
    var isConnected: Bool
    /// Whether all its characteristics are known.
    var isResolved: Bool
    /// The services that it has or advertises, in lower case.
    var services: [String]
  }

  /// By ascending path.
  var adapters: [Adapter] {
    having(Self.adapterInterface).map { path, properties in
      let address = if case .text(let text)? = properties["Address"] { text.uppercased() } else { "" }
      return Adapter(path: path, address: address, isPowered: properties["Powered"] == .number(1))
    }
  }

  /// By ascending path.
  var devices: [Device] {
    having(Self.deviceInterface).map { path, properties in
      let text = { (name: String) in
        if case .text(let text)? = properties[name] { text } else { "" }
      }
      let services =
        if case .texts(let texts)? = properties["UUIDs"] { texts.map { $0.lowercased() } } else { [String]() }
      let address = text("Address").uppercased()
      return Device(
        path: path, adapter: text("Adapter"), address: address, name: text("Alias").isEmpty ? address : text("Alias"),
        isConnected: properties["Connected"] == .number(1), isResolved: properties["ServicesResolved"] == .number(1),
        services: services)
    }
  }

  /// The device with an address. A connected one is preferred, then one whose controller is powered.
  func device(_ address: String) -> Device? {
    let found = devices.filter { $0.address == address }
    let powered = Set(adapters.filter(\.isPowered).map(\.path))
    return found.first(where: \.isConnected) ?? found.first { powered.contains($0.adapter) } ?? found.first
  }

  /// The path of a device's characteristic with this UUID.
  func characteristic(_ identifier: String, of device: String) -> String? {
    having(Self.characteristicInterface).first { path, properties in
      guard path.hasPrefix(device + "/"), case .text(let text)? = properties["UUID"] else { return false }
      return text.lowercased() == identifier
    }?.path
  }

  private func having(_ interface: String) -> [(path: String, properties: [String: SystemBus.Value])] {
    objects.compactMap { path, interfaces in interfaces[interface].map { (path, $0) } }.sorted { $0.0 < $1.0 }
  }
}
