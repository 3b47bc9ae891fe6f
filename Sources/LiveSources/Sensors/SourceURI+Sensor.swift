import Accelerometry

extension SourceURI {
  /// Whether it names a device.
  package var isSensor: Bool {
    switch self {
    case .iio, .evdev, .counter, .serial: true
    case .file, .standardInput, .synthetic: false
    }
  }
}
