import CSensorShim
import Platform
import SourceNames

/// A serial port, open for reading in raw mode; closed when it is released.
///
/// Nothing is written to it. Opening it raises DTR and RTS, which resets many boards; the kernel cannot avoid this.
package final class SerialPort {
  /// What to do if a port cannot be read.
  package static let permissionRemedy = """
    join the group dialout (usermod -a -G dialout USER, as root, and log in again), or uncomment the rule for boards in \
    udev-rules/72-pedometer.rules, which gives the user at the computer access
    """

  private let number: Int32
  private let path: String

  /// Opens a port.
  /// - Parameters:
  ///   - path: the node, or a link to it.
  ///   - address: its settings.
  /// - Throws: `.removed` if it does not exist, `.busy` with its holders, `.permissionDenied`, `.unusable` if it is not
  ///   a serial port.
  package init(path: String, _ address: SerialAddress, in machine: SensorEnvironment = .machine) throws(SensorError) {
    let node = resolvedPath(path) ?? path
    // Checked first: other programs that have /dev/null open do not matter.
    if Self.isOther(node, in: machine) { throw Self.noPort(path) }
    // Two readers would each receive part of the data.
    let holders = DeviceHolder.holders(of: node, in: machine).filter { $0.process != getpid() }
    if !holders.isEmpty { throw .busy(path: path, holders: holders) }
    let level = { (line: Bool?) -> Int32 in line.map { $0 ? 1 : 0 } ?? -1 }
    let opened = unsafe sensor_serial_open(path, UInt32(address.rate), level(address.dtr), level(address.rts))
    switch -opened {
    case ..<1: break
    case ENOENT, ENODEV, ENXIO, EIO: throw .removed(path: path)
    case EACCES, EPERM: throw .permissionDenied(path: path, errno: -opened, remedy: Self.permissionRemedy)
    case EBUSY: throw .busy(path: path, holders: DeviceHolder.holders(of: node, in: machine))
    case ENOTTY: throw Self.noPort(path)
    case EINVAL:
      throw .unusable(
        path: path, reason: "its rate cannot be set to \(address.rate) bits per second",
        remedy: "give the rate of the board, as in serial:\(path),baud=115200")
    default: throw .system(operation: "open", path: path, errno: -opened)
    }
    number = opened
    self.path = path
  }

  deinit { sensor_serial_close(number) }

  private static func noPort(_ path: String) -> SensorError {
    .unusable(
      path: path, reason: "it is not a serial port",
      remedy: "give a port, as in serial:/dev/ttyACM0; files need no 'serial:'")
  }

  /// Whether a path is certainly not a terminal, without opening it.
  private static func isOther(_ node: String, in machine: SensorEnvironment) -> Bool {
    var status = stat()
    guard unsafe stat(node, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFCHR else { return true }
    // Pseudo-terminals are not in sysfs.
    let number = "\(status.st_rdev >> 8 & 0xFFF):\(status.st_rdev & 0xFF | status.st_rdev >> 12 & 0xFFF00)"
    let subsystem = resolvedPath("\(machine.sys)/dev/char/\(number)/subsystem")
    return subsystem.map { !$0.hasSuffix("/tty") } ?? false
  }

  package func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    stop.wait(for: number, atMost: timeout)
  }

  /// Reads the available bytes without waiting.
  /// - Returns: the number of bytes; 0 if none are available.
  /// - Throws: `.removed`.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    let (count, end) = unsafe readAvailable(number, into: target)
    // Data from before the unplugging counts; the next read reports the error again.
    guard count == 0, let end else { return count }
    // End of file on a terminal means that the other side is gone.
    if [0, EIO, ENXIO, ENODEV].contains(end) { throw .removed(path: path) }
    throw .system(operation: "read", path: path, errno: end)
  }
}
