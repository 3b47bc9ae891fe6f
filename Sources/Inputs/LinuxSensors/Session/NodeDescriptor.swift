import CSensorShim
import Glibc

/// An open file or device node, closed when it is released.
struct NodeDescriptor: ~Copyable {
  let number: Int32
  let path: String

  init(owning number: Int32, path: String) { (self.number, self.path) = (number, path) }

  init(opening path: String, flags: Int32, in machine: SensorEnvironment = .machine) throws(SensorError) {
    let opened = unsafe sensor_open(path, flags)
    if opened == -ENOENT { throw .removed(path: path) }
    if opened < 0 { throw .from(errno: -opened, operation: "open", path: path, in: machine) }
    self.init(owning: opened, path: path)
  }

  deinit { close(number) }

  /// Reads available data into `bytes` from an index on; 0 at end of file, a negative errno on failure.
  func readOrErrno(into bytes: inout [UInt8], from start: Int) -> Int {
    Self.uninterrupted {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(number, buffer.baseAddress! + start, buffer.count - start)
      }
    }
  }

  /// Reads an attribute of sysfs again through the open descriptor.
  func rereadOrErrno(into bytes: inout [UInt8]) -> Int {
    Self.uninterrupted {
      unsafe bytes.withUnsafeMutableBytes { buffer in unsafe pread(number, buffer.baseAddress!, buffer.count, 0) }
    }
  }

  /// Writes all bytes in one call, as sysfs requires.
  func write(_ bytes: [UInt8]) throws(SensorError) {
    let count = Self.uninterrupted {
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress!, $0.count) }
    }
    if count < 0 { throw .from(errno: Int32(-count), operation: "write", path: path) }
  }

  /// Repeats a call that a signal interrupts.
  /// - Returns: its result; a negative errno on failure.
  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }
}
