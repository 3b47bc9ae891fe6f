import Platform

/// A satellite receiver with NMEA 0183 output: a device such as `/dev/ttyACM0`, a recording of one, or a named pipe.
///
/// It uses sentences of the kinds RMC and GGA with a valid checksum and skips all others. It does not change the speed
/// of a serial line: set it with `stty`, or use gpsd.
public struct NMEALocation: LocationSource {
  private let path: String
  private let timeout: Duration

  /// Creates a source.
  /// - Parameters:
  ///   - path: the path of the device or file.
  ///   - timeout: the longest wait for the first fix.
  public init(path: String, timeout: Duration = .seconds(30)) {
    self.path = path
    self.timeout = timeout
  }

  /// The location of the receiver's first fix.
  /// - Throws: ``LocationError`` or `CancellationError`.
  public func location() async throws -> Location {
    try await DescriptorSearch(name: path, timeout: timeout, open: Self.opener(path)) { line in
      NMEASentence(line)?.location
    }.first()
  }

  private static func opener(_ path: String) -> @Sendable () throws(LocationError) -> Int32 {
    { () throws(LocationError) in
      let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if descriptor >= 0 { return descriptor }
      if errno == EACCES || errno == EPERM { throw .denied(path) }
      throw .unavailable(path, reason: systemText(errno))
    }
  }
}
