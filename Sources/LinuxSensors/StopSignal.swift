import Accelerometry
import CSensorShim
import Glibc

/// A flag that a waiting thread notices: once raised it stays raised until it is lowered.
///
/// An eventfd, because a thread in `poll` can be woken by nothing but a descriptor.
package final class StopSignal: Sendable {
  private let descriptor: Int32

  package init() throws(SensorError) {
    let made = sensor_flag_create()
    if made < 0 { throw .system(operation: "create", path: "eventfd", errno: -made) }
    descriptor = made
  }

  deinit { close(descriptor) }

  /// Raises the flag.
  package func raise() { sensor_flag_raise(descriptor) }

  /// Lowers the flag; only for the one thread that waits for it.
  func lower() { sensor_flag_lower(descriptor) }

  /// What a wait came to.
  package enum Outcome: Equatable {
    /// There is something to read, or the other side is gone and a read will say so.
    case readable
    /// The time is over.
    case timedOut
    /// The flag is raised.
    case raised
  }

  /// Waits for a descriptor (none: -1), the flag, or the time to be over (`nil`: for ever).
  package func wait(for number: Int32 = -1, atMost timeout: Duration? = nil) -> Outcome {
    let nanoseconds = timeout.map { max(0, $0.wholeNanoseconds) } ?? -1
    while true {
      let outcome = sensor_wait(number, descriptor, nanoseconds)
      if outcome == -EINTR && nanoseconds < 0 { continue }
      if outcome <= 0 { return .timedOut }
      return outcome & SENSOR_WAIT_STOP != 0 ? .raised : .readable
    }
  }

  /// Two threads' handshake: waits until either flag is raised.
  func wait(orFor other: StopSignal) -> Outcome { wait(for: other.descriptor) }
}
