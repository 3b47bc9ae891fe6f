import Platform

/// A satellite receiver that speaks NMEA 0183: a device such as `/dev/ttyACM0`, a recording of one, or a named pipe.
///
/// Sentences of the kinds RMC and GGA count, with a good checksum; everything else is skipped. The speed of a serial line
/// is not touched: set it with `stty`, or leave the receiver to gpsd.
public struct NMEALocation: LocationSource {
  private let path: String
  private let patience: Duration

  /// Makes a source.
  /// - Parameters:
  ///   - path: of the device or file.
  ///   - patience: how long to wait for the first fix.
  public init(path: String, patience: Duration = .seconds(30)) {
    self.path = path
    self.patience = patience
  }

  /// The first place that the receiver is sure of.
  /// - Throws: ``LocationError`` or `CancellationError`.
  public func location() async throws -> Location {
    try await DescriptorSearch(name: path, patience: patience, open: Self.opener(path)) { line in
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
