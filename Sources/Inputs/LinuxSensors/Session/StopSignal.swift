import Accelerometry
import CSensorShim
import Glibc

/// A flag that wakes a waiting thread. Once raised, it stays raised until it is lowered.
///
/// It is an eventfd, because only a descriptor can wake a thread in `poll`.
package final class StopSignal: Sendable {
  private let descriptor: Int32

  package init() throws(SensorError) {
    let made = sensor_flag_create()
    if made < 0 { throw .system(operation: "create", path: "eventfd", errno: -made) }
    descriptor = made
  }

  deinit { close(descriptor) }

  package func raise() { sensor_flag_raise(descriptor) }

  /// Lowers the flag. Only the thread that waits for it may do so.
  package func lower() { sensor_flag_lower(descriptor) }

  package enum Outcome: Equatable {
    /// Data is available, or the other side is gone, which a read reports.
    case readable
    case timedOut
    case raised
  }

  /// Waits for a descriptor (none: -1), the flag, or the timeout (`nil`: none).
  package func wait(for number: Int32 = -1, atMost timeout: Duration? = nil) -> Outcome {
    let nanoseconds = timeout.map { max(0, $0.wholeNanoseconds) } ?? -1
    while true {
      let outcome = sensor_wait(number, descriptor, nanoseconds)
      if outcome == -EINTR && nanoseconds < 0 { continue }
      if outcome <= 0 { return .timedOut }
      return outcome & SENSOR_WAIT_STOP != 0 ? .raised : .readable
    }
  }

  /// Waits until either flag is raised (`readable`: the other one), or for the timeout (`nil`: none).
  package func wait(orFor other: StopSignal, atMost timeout: Duration? = nil) -> Outcome {
    wait(for: other.descriptor, atMost: timeout)
  }
}
