import Accelerometry

extension SourceURI {
  /// Whether it names a device.
  package var isSensor: Bool {
    switch self {
    case .iio, .evdev, .counter, .serial, .bluetooth, .udp, .phyphox, .webSocket, .mqtt, .client: true
    case .file, .standardInput, .synthetic: false
    }
  }

  /// Whether it names a sensor of this computer, excluding those that are only used by name, such as a board, a
  /// Bluetooth sensor or a phone.
  package var isLocalSensor: Bool {
    switch self {
    case .iio, .evdev, .counter: true
    case .serial, .bluetooth, .udp, .phyphox, .webSocket, .mqtt, .client, .file, .standardInput, .synthetic: false
    }
  }
}
