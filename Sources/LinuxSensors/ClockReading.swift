import Accelerometry
import Glibc

extension SensorClock {
  /// The clock's number in the C library; `nil` where the clock is not the machine's.
  var identifier: clockid_t? {
    switch self {
    case .monotonic: CLOCK_MONOTONIC
    case .boottime: CLOCK_BOOTTIME
    case .realtime: CLOCK_REALTIME
    case .device, .recording: nil
    }
  }

  /// What the clock says, in nanoseconds; a clock that is not the machine's is taken as the time since boot.
  package var now: Int64 {
    var reading = timespec()
    unsafe clock_gettime(identifier ?? CLOCK_BOOTTIME, &reading)
    return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
  }
}
