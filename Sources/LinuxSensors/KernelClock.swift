import Accelerometry
import Glibc

/// Brings the timestamps of a clock that was not chosen by us onto the time since boot.
///
/// Most often there is nothing to do: IIO and evdev both let a reader choose CLOCK_BOOTTIME. Where a driver or a
/// permission keeps it from that, the two clocks' difference at the time of reading is added.
struct KernelClock: Sendable {
  private let identifier: clockid_t?

  /// By the kernel's word of `current_timestamp_clock`; a word that is not known is taken as it is.
  init(named name: String) {
    identifier =
      switch name {
      case "realtime": CLOCK_REALTIME
      case "monotonic": CLOCK_MONOTONIC
      case "monotonic_raw": CLOCK_MONOTONIC_RAW
      case "realtime_coarse": CLOCK_REALTIME_COARSE
      case "monotonic_coarse": CLOCK_MONOTONIC_COARSE
      case "tai": CLOCK_TAI
      default: nil
      }
  }

  /// Nanoseconds to add to the clock's readings; 0 where it is the time since boot.
  var offsetToBoottime: Int64 {
    guard let identifier else { return 0 }
    return Self.reading(of: CLOCK_BOOTTIME) &- Self.reading(of: identifier)
  }

  private static func reading(of clock: clockid_t) -> Int64 {
    var reading = timespec()
    unsafe clock_gettime(clock, &reading)
    return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
  }
}
