import Accelerometry

/// Notices that a sensor has stopped to speak. Measured on the monotonic clock: sleep is no silence.
struct SilenceWatch {
  private let timeout: Duration
  private let path: String
  private var latest = SensorClock.monotonic.now

  init(path: String, timeout: Duration) {
    self.path = path
    self.timeout = timeout
  }

  /// The sensor spoke.
  mutating func heard() { latest = SensorClock.monotonic.now }

  /// - Throws: `.silent` when it has said nothing for too long.
  func check() throws(SensorError) {
    let silence = Duration.nanoseconds(SensorClock.monotonic.now - latest)
    if silence > timeout { throw .silent(path: path, after: silence) }
  }
}
