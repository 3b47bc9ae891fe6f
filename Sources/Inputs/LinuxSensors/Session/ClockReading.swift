import Accelerometry
import Glibc

extension SensorClock {
  /// The C library's clock ID; `nil` if it is not a clock of this machine.
  var identifier: clockid_t? {
    switch self {
    case .monotonic: CLOCK_MONOTONIC
    case .boottime: CLOCK_BOOTTIME
    case .realtime: CLOCK_REALTIME
    case .device, .recording: nil
    }
  }

  /// The current time in nanoseconds. A clock of another machine is treated as the time since boot.
  package var now: Int64 {
    var reading = timespec()
    unsafe clock_gettime(identifier ?? CLOCK_BOOTTIME, &reading)
    return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
  }
}
