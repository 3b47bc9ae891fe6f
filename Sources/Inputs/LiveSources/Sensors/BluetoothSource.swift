import Accelerometry
import LinuxSensors
import SourceNames

/// A Bluetooth sensor, selected by address.
package struct BluetoothSource: SourceKind {
  private let machine: SensorEnvironment

  /// - Parameter machine: how to reach BlueZ.
  package init(in machine: SensorEnvironment = .machine) { self.machine = machine }

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard case .bluetooth(let address)? = uri else { return nil }
    // A watch continues its count when it is back.
    let sensor = BluetoothSensor(address, options: sources.options, in: machine)
    return SourceWay(.radio) { isAgain in
      let profile = sensor.profile
      if use == .live, !isAgain { sources.remark("connecting to \(profile.name)") }
      return SourceConnection(
        uri: .bluetooth(address), profile: profile, identity: sensor.identity, readings: { sensor.readings() })
    }
  }
}
