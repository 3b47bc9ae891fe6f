import Platform

/// What went wrong with a sensor: compare ``code``, and show ``reason`` and ``remedy``, or both as one sentence.
public struct SensorError: Error, Sendable, Hashable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// There is no such sensor, or none at all.
    public static let notFound = Code(name: "notFound")
    /// The sensor is there, but nothing can be counted with it.
    public static let unusable = Code(name: "unusable")
    /// The sensor was unplugged.
    public static let removed = Code(name: "removed")
    /// A sensor that uses radio cannot be reached, or no longer.
    public static let disconnected = Code(name: "disconnected")
    /// This user may not do what is needed; ``SensorError/errno`` is EACCES or EPERM.
    public static let permissionDenied = Code(name: "permissionDenied")
    /// The sensor is in use and cannot be shared; see ``SensorError/holders``.
    public static let busy = Code(name: "busy")
    /// The device or its driver says something outside the kernel's ABI.
    public static let nonsense = Code(name: "nonsense")
    /// The sensor is there, but sends no data any more.
    public static let silent = Code(name: "silent")
    /// Any other failure of a system call; see ``SensorError/errno``.
    public static let system = Code(name: "system")
  }

  /// The classes of failure.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// No sensor that could be used.
    case unavailable
    /// A system call failed.
    case inputOutput
    /// In use: try later.
    case busy
    /// Invalid or no data from the device.
    case protocolViolation
    /// This user may not.
    case permission
  }

  /// The cause.
  public let code: Code
  /// The class of this failure.
  public let kind: Kind
  /// What was touched: the path of a node or folder, or a sensor's name.
  public let path: String
  /// What happened.
  public let reason: String
  /// What to do next.
  public let remedy: String
  /// The system's error number, where a system call failed.
  public private(set) var errno: Int32?
  /// Who uses the sensor, for ``Code/busy``. None: the program belongs to another user.
  public private(set) var holders: [DeviceHolder] = []

  private init(_ code: Code, _ kind: Kind, _ path: String, _ reason: String, _ remedy: String) {
    (self.code, self.kind, self.path, self.reason, self.remedy) = (code, kind, path, reason, remedy)
  }

  /// Whether the same sensor may be well again later: it was unplugged, or has fallen silent.
  public var mayPass: Bool {
    [.removed, .silent, .disconnected].contains(code)
      || (code == .system && (errno == EIO || errno == ETIMEDOUT))
  }

  /// What to do about a missing permission.
  public static let permissionRemedy = """
    install the udev rule (udev-rules/72-pedometer.rules; 'make install' does it), plug the sensor in again, and \
    join the group pedometer for an IIO sensor's buffer, a service or a remote login
    """
}

extension SensorError: CustomStringConvertible {
  /// One sentence: what happened, and what to do next.
  public var description: String { "\(reason); \(remedy)" }
}

extension SensorError {
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

  package static func permissionDenied(path: String, errno code: Int32, remedy: String) -> Self {
    var error = Self(.permissionDenied, .permission, path, "\(path): \(text(of: code))", remedy)
    error.errno = code
    return error
  }

  package static func busy(path: String, holders: [DeviceHolder]) -> Self {
    let users =
      holders.isEmpty ? "a program of another user" : holders.map(\.description).joined(separator: ", ")
    var error = Self(.busy, .busy, path, "\(path) is in use by \(users)", "stop it or choose another sensor")
    error.holders = holders
    return error
  }

  package static func nonsense(path: String, text: String, expected: String) -> Self {
    Self(
      .nonsense, .protocolViolation, path, "\(path) says '\(printable(text))' where \(expected) belongs",
      "report it with the output of 'pedometer devices', or choose another sensor")
  }

  package static func silent(path: String, after: Duration) -> Self {
    Self(
      .silent, .protocolViolation, path, "\(path) has sent no data for \(after.formattedSeconds) s",
      "plug it in again or reload its driver")
  }

  package static func system(operation: String, path: String, errno code: Int32) -> Self {
    var error = Self(
      .system, .inputOutput, path, "cannot \(operation) \(path): \(text(of: code))",
      "run 'pedometer doctor' to find the reason")
    error.errno = code
    return error
  }

  /// The C library's words for an errno.
  static func text(of code: Int32) -> String { systemText(code) }

  /// What a device said, without control characters and not endlessly.
  private static func printable(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map {
      $0.isASCII && $0.value >= 32 && $0.value != 127 ? String($0) : "·"
    }
    return shown.joined() + (text.unicodeScalars.count > 60 ? "…" : "")
  }
}

extension SensorError {
  /// The error that a system call's errno stands for.
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
