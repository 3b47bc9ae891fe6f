import SourceNames

/// Finds Bluetooth sensors among the devices that BlueZ knows, without using the radio. `bluetoothctl scan on` makes
/// BlueZ find new devices.
public struct BluetoothDiscovery: Sendable {
  /// The timeout for BlueZ, because listing devices waits for it.
  private static let timeout = Duration.seconds(2)
  private let machine: SensorEnvironment

  /// Searches this computer.
  public init(in machine: SensorEnvironment = .machine) { self.machine = machine }

  /// Whether the kernel has a controller. Reads only one folder.
  public var hasAdapter: Bool {
    SysfsDirectory(path: machine.sys + "/class/bluetooth").names.contains { $0.hasPrefix("hci") && !$0.contains(":") }
  }

  /// The sensors that BlueZ knows, by ascending address. Empty, without opening the bus, if the kernel has no controller.
  /// - Throws: the reason why BlueZ cannot be queried.
  public func sensors() throws(SensorError) -> [DiscoveredSensor] {
    guard hasAdapter, let link = try link() else { return [] }
    let (obstacle, adapters) = (link.obstacle, link.objects.adapters)
    let found = link.objects.devices.compactMap { device -> DiscoveredSensor? in
      let isCadence = device.services.contains(BluetoothMeasurement.runningSpeedAndCadence.service)
      let isWatch = device.services.contains(BluetoothMeasurement.steps.service)
      guard isCadence || isWatch, let address = try? BluetoothAddress(parsing: device.address) else { return nil }
      let isOn = adapters.contains { $0.path == device.adapter && $0.isPowered }
      return DiscoveredSensor(
        uri: .bluetooth(address), name: device.name, kind: .stepCounter,
        identity: BluetoothSensor.identity(of: address.device), folder: SysfsDirectory(path: device.path),
        parents: [device.adapter.split(separator: "/").last.map(String.init) ?? ""], isExternal: true,
        usability: isOn ? .usable : .unusable(obstacle ?? BluetoothObstacle.off("of \(device.name)", in: machine)),
        remarks: [])
    }
    // One device may be known to several controllers.
    var seen: [String: DiscoveredSensor] = [:]
    for sensor in found where seen["\(sensor.uri)"]?.isUsable != true { seen["\(sensor.uri)"] = sensor }
    return seen.values.sorted { "\($0.uri)" < "\($1.uri)" }
  }

  /// The reason why Bluetooth cannot be used; `nil` if it can.
  public var obstacle: SensorError? {
    guard hasAdapter else { return BluetoothObstacle.noAdapter }
    do throws(SensorError) { return try link()?.obstacle } catch { return error }
  }

  /// The name and state of a device; `nil` if BlueZ does not know it.
  func device(_ address: String) throws(SensorError) -> (name: String, isConnected: Bool)? {
    try link()?.objects.device(address).map { ($0.name, $0.isConnected) }
  }

  /// Connects to BlueZ and reads its objects.
  private func link() throws(SensorError) -> BluezLink? {
    let link = try BluezLink(in: machine)
    return try link.begin(atMost: Self.timeout, until: try StopSignal()) ? link : nil
  }
}
