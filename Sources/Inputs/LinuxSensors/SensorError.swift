import Platform

/// An error of a sensor: compare ``code``, and show ``reason`` and ``remedy``, or both as one sentence.
public struct SensorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause. Later versions may add others.
  public enum Code: Sendable, Hashable {
    /// The named sensor, or any sensor, was not found, or is present, but cannot be used to count.
    case notFound, unusable
    /// The sensor was unplugged.
    case removed
    /// A wireless sensor cannot be reached, or the connection was lost.
    case disconnected
    /// This user lacks a permission; ``SensorError/errno`` is EACCES or EPERM.
    case permissionDenied
    /// The sensor is in use and cannot be shared; see ``SensorError/holders``.
    case busy
    /// The device or its driver reports a value that violates the kernel's ABI.
    case nonsense
    /// The sensor is present, but no longer sends data.
    case silent
    /// Any other failure of a system call; see ``SensorError/errno``.
    case system
  }

  /// The classes of failure.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// No usable sensor.
    case unavailable
    /// A system call failed.
    case inputOutput
    /// In use: try later.
    case busy
    /// Invalid or no data from the device.
    case protocolViolation
    /// A permission is missing.
    case permission
  }

  /// The cause.
  public let code: Code
  /// The class of this failure.
  public let kind: Kind
  /// The subject: the path of a node or folder, or a sensor's name.
  public let path: String
  /// What happened.
  public let reason: String
  /// What to do next.
  public let remedy: String
  /// The system's error number, if a system call failed.
  public private(set) var errno: Int32?
  /// The processes that use the sensor, for ``Code/busy``. Empty if the program belongs to another user.
  public private(set) var holders: [DeviceHolder] = []

  private init(_ code: Code, _ kind: Kind, _ path: String, _ reason: String, _ remedy: String) {
    (self.code, self.kind, self.path, self.reason, self.remedy) = (code, kind, path, reason, remedy)
  }

  /// Whether the error may be temporary: the sensor was unplugged, or is silent.
  public var mayPass: Bool {
    [.removed, .silent, .disconnected].contains(code) || (code == .system && (errno == EIO || errno == ETIMEDOUT))
  }

  /// How to obtain a missing permission.
  public static let permissionRemedy = """
    install the udev rule (udev-rules/72-pedometer.rules; 'make install' does it), plug the sensor in again, and \
    join the group pedometer for an IIO sensor's buffer, a service or a remote login
    """

  /// One sentence: what happened, and what to do next.
  public var description: String { "\(reason); \(remedy)" }

  package static func notFound(name: String, remedy: String) -> Self {
    Self(.notFound, .unavailable, name, "cannot find \(name)", remedy)
  }

  package static func unusable(path: String, reason: String, remedy: String) -> Self {
    Self(.unusable, .unavailable, path, "\(path) cannot be used: \(reason)", remedy)
  }

  package static func removed(path: String) -> Self {
    Self(.removed, .unavailable, path, "\(path) was unplugged", "plug it in again")
  }

  package static func disconnected(name: String, reason: String, remedy: String) -> Self {
    Self(.disconnected, .unavailable, name, "\(name) is not connected: \(reason)", remedy)
  }

  /// A program that delivered samples, or was to do so.
  package static func ended(name: String, reason: String, remedy: String) -> Self {
    Self(.disconnected, .unavailable, name, "\(name) \(reason)", remedy)
  }

  package static func permissionDenied(path: String, errno code: Int32, remedy: String) -> Self {
    var error = Self(.permissionDenied, .permission, path, "\(path): \(text(of: code))", remedy)
    error.errno = code
    return error
  }

  package static func busy(
    path: String, holders: [DeviceHolder], remedy: String = "stop it or choose another sensor"
  ) -> Self {
    let users =
      holders.isEmpty ? "a program of another user" : holders.map(\.description).joined(separator: ", ")
    var error = Self(.busy, .busy, path, "\(path) is in use by \(users)", remedy)
    error.holders = holders
    return error
  }

  /// In use by a program that this computer cannot see.
  package static func busy(path: String, user: String, remedy: String) -> Self {
    Self(.busy, .busy, path, "\(path) is in use by \(user)", remedy)
  }

  package static func nonsense(path: String, text: String, expected: String) -> Self {
    Self(
      .nonsense, .protocolViolation, path,
      "\(path) reports '\(PrintableText.line(text, longest: 60))' instead of \(expected)",
      "report it with the output of 'pedometer devices', or choose another sensor")
  }

  package static func silent(
    path: String, after: Duration, remedy: String = "plug it in again or reload its driver"
  ) -> Self {
    Self(
      .silent, .protocolViolation, path, "\(path) has sent no data for \(after.formattedSeconds) s", remedy)
  }

  /// What answers is not what was expected there.
  package static func unexpected(path: String, reason: String, remedy: String) -> Self {
    Self(.nonsense, .protocolViolation, path, "\(path) \(reason)", remedy)
  }

  package static func system(
    operation: String, path: String, errno code: Int32, remedy: String = "run 'pedometer doctor' to find the reason"
  ) -> Self {
    var error = Self(.system, .inputOutput, path, "cannot \(operation) \(path): \(text(of: code))", remedy)
    error.errno = code
    return error
  }

  static func text(of code: Int32) -> String { systemText(code) }

  static func from(
    errno code: Int32, operation: String, path: String, in machine: SensorEnvironment = .machine
  ) -> SensorError {
    switch code {
    case EACCES, EPERM: .permissionDenied(path: path, errno: code, remedy: permissionRemedy)
    case EBUSY: .busy(path: path, holders: DeviceHolder.holders(of: path, in: machine))
    case ENODEV, ENXIO: .removed(path: path)
    default: .system(operation: operation, path: path, errno: code)
    }
  }
}

extension Duration {
  /// Seconds with at most one decimal, for messages.
  var formattedSeconds: String {
    let tenths = wholeTenths
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private var wholeTenths: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 10 + attoseconds / 100_000_000_000_000_000
  }
}
