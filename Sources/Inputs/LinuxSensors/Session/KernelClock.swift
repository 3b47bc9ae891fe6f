import Accelerometry
import Glibc

/// Converts timestamps of another clock to the time since boot.
///
/// Usually there is nothing to do: IIO and evdev both let a reader select CLOCK_BOOTTIME. If a driver or a permission
/// prevents that, the difference of the two clocks at the time of reading is added.
struct KernelClock: Sendable {
  private let identifier: clockid_t?

  /// From the kernel's name in `current_timestamp_clock`; with an unknown name, timestamps are not changed.
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
    return reading(of: CLOCK_BOOTTIME) &- reading(of: identifier)
  }
}

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
  package var now: Int64 { reading(of: identifier ?? CLOCK_BOOTTIME) }
}

private func reading(of clock: clockid_t) -> Int64 {
  var reading = timespec()
  unsafe clock_gettime(clock, &reading)
  return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
}
