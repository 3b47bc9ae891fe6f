import Accelerometry

/// Detects a silent sensor, on the monotonic clock, which excludes sleep.
struct SilenceWatch {
  var timeout: Duration
  private let path: String
  private var latest = SensorClock.monotonic.now

  init(path: String, timeout: Duration) { (self.path, self.timeout) = (path, timeout) }

  mutating func heard() { latest = SensorClock.monotonic.now }

  /// - Throws: `.silent` if it has delivered nothing for too long.
  func check() throws(SensorError) {
    let silence = Duration.nanoseconds(SensorClock.monotonic.now - latest)
    if silence > timeout { throw .silent(path: path, after: silence) }
  }
}
