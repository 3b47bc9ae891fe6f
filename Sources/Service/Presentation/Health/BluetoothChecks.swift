import LinuxSensors

/// The requirements for counting with a Bluetooth sensor. They are optional, so none of them is a failure.
package struct BluetoothChecks: Sendable {
  /// Whether a sensor can be read.
  package let canCount: Bool
  package let check: HealthCheck

  private static let name = "Bluetooth"

  /// Examines a machine; the bus is not opened if the kernel has no Bluetooth controller.
  package init(in machine: SensorEnvironment = .machine) {
    let discovery = BluetoothDiscovery(in: machine)
    guard discovery.hasAdapter else {
      canCount = false
      check = .ok(Self.name, "this computer has no Bluetooth adapter; only ble: sources need one")
      return
    }
    do throws(SensorError) {
      let sensors = try discovery.sensors()
      let usable = sensors.filter(\.isUsable)
      canCount = !usable.isEmpty
      if let obstacle = discovery.obstacle {
        check = .warning(Self.name, obstacle.reason, remedy: obstacle.remedy)
      } else if usable.isEmpty {
        check = .ok(Self.name, "BlueZ knows no step sensor; \(Self.introduction)")
      } else {
        check = .ok(
          Self.name, usable.map { "\($0.uri) (\($0.name))" }.joined(separator: ", ") + " can count, by notifications")
      }
    } catch {
      canCount = false
      check = .warning(Self.name, error.reason, remedy: error.remedy)
    }
  }

  private static let introduction =
    "to add one: bluetoothctl --timeout 20 scan on; then pair it: bluetoothctl pair ADDRESS, "
    + "and bluetoothctl trust ADDRESS, which many sensors do not need"
}
