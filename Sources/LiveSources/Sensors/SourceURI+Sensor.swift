import Accelerometry

extension SourceURI {
  /// Whether it names a device.
  package var isSensor: Bool {
    switch self {
    case .iio, .evdev, .counter, .serial, .bluetooth: true
    case .file, .standardInput, .synthetic: false
    }
  }

  /// Whether it names a sensor of this computer: not one that is used only if it is named, such as a board or a Bluetooth sensor.
  package var isLocalSensor: Bool {
    switch self {
    case .iio, .evdev, .counter: true
    case .serial, .bluetooth, .file, .standardInput, .synthetic: false
    }
  }
}
