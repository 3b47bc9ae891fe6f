import Accelerometry
import CSensorShim
import Platform

/// A serial port, open for reading and set raw; closed when it is let go.
///
/// Nothing is ever written to it. Opening it raises DTR and RTS, which resets many boards: the kernel leaves no choice.
package final class SerialPort {
  /// What to do about a port that may not be read.
  package static let permissionRemedy = """
    join the group dialout (usermod -a -G dialout USER, as root, and log in again), or let whoever sits at the computer read \
    boards: take the comment from the rule for boards in udev-rules/72-pedometer.rules
    """

  private let number: Int32
  private let path: String

  /// Opens a port.
  /// - Parameters:
  ///   - path: the node, or a link to it.
  ///   - address: how it is to be set.
  /// - Throws: `.removed` where there is none, `.busy` with who holds it, `.permissionDenied`, `.unusable` where it is no port.
  package init(
    path: String, _ address: SerialAddress, in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    let node = resolvedPath(path) ?? path
    // Two readers would each get some of the bytes.
    let holders = DeviceHolder.holders(of: node, in: machine).filter { $0.process != getpid() }
    if !holders.isEmpty { throw .busy(path: path, holders: holders) }
    let level = { (line: Bool?) -> Int32 in line.map { $0 ? 1 : 0 } ?? -1 }
    let opened = unsafe sensor_serial_open(path, UInt32(address.rate), level(address.dtr), level(address.rts))
    switch -opened {
    case ..<1: break
    case ENOENT, ENODEV, ENXIO, EIO: throw .removed(path: path)
    case EACCES, EPERM: throw .permissionDenied(path: path, errno: -opened, remedy: Self.permissionRemedy)
    case EBUSY: throw .busy(path: path, holders: DeviceHolder.holders(of: node, in: machine))
    case ENOTTY:
      throw .unusable(
        path: path, reason: "it is not a serial port",
        remedy: "name a port, as serial:/dev/ttyACM0; files need no 'serial:'")
    case EINVAL:
      throw .unusable(
        path: path, reason: "it cannot be set to \(address.rate) bits per second",
        remedy: "name the rate of the board, as serial:\(path),baud=115200")
    default: throw .system(operation: "open", path: path, errno: -opened)
    }
    number = opened
    self.path = path
  }

  deinit { sensor_serial_close(number) }

  /// Waits for bytes.
  package func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    stop.wait(for: number, atMost: timeout)
  }

  /// Reads what is there, without waiting.
  /// - Returns: how many bytes; 0 when there are none at present.
  /// - Throws: `.removed`.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    var count = 0
    while count < target.count {
      let some = unsafe Glibc.read(number, target.baseAddress! + count, target.count - count)
      if some > 0 {
        count += some
        continue
      }
      if some < 0, errno == EINTR { continue }
      if some < 0, errno == EAGAIN { break }
      // What came before it was unplugged counts; the next read says the same again.
      if count > 0 { break }
      // The end of a terminal is that its other side is gone.
      if some == 0 || errno == EIO || errno == ENXIO || errno == ENODEV { throw .removed(path: path) }
      throw .system(operation: "read", path: path, errno: errno)
    }
    return count
  }
}
