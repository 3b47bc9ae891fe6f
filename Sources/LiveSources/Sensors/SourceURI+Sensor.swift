import Accelerometry

extension SourceURI {
  /// Whether it names a device.
  package var isSensor: Bool {
    switch self {
    case .iio, .evdev, .counter, .bluetooth: true
    case .file, .standardInput, .synthetic: false
    }
  }

  /// Whether it names a device that udev knows.
  package var isLocalSensor: Bool { if case .bluetooth = self { false } else { isSensor } }
}
