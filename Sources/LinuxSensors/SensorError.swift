import Platform

/// What went wrong with a sensor: what was touched, what the kernel said, and what to do about it.
public enum SensorError: Error, Sendable, Hashable {
  /// There is no such sensor, or none at all.
  case notFound(name: String, remedy: String)
  /// The sensor is there, but nothing can be counted with it.
  case unusable(path: String, reason: String, remedy: String)
  /// The sensor was unplugged.
  case removed(path: String)
  /// A sensor that speaks by radio cannot be reached, or not any more.
  case disconnected(name: String, reason: String, remedy: String)
  /// This user may not do what is needed; `errno` is EACCES or EPERM.
  case permissionDenied(path: String, errno: Int32, remedy: String)
  /// The sensor is in use and cannot be shared. Without holders, the program belongs to another user.
  case busy(path: String, holders: [DeviceHolder])
  /// The device or its driver says something outside the kernel's ABI.
  case nonsense(path: String, text: String, expected: String)
  /// The sensor is there, but has stopped to speak.
  case silent(path: String, after: Duration)
  /// Any other failure of a system call.
  case system(operation: String, path: String, errno: Int32)

  /// The classes of failure; each has its exit code of sysexits.h.
  public enum Kind: Int32, Sendable, Hashable, CaseIterable {
    /// EX_UNAVAILABLE: no sensor that could be used.
    case unavailable = 69
    /// EX_IOERR.
    case inputOutput = 74
    /// EX_TEMPFAIL: busy, try later.
    case busy = 75
    /// EX_PROTOCOL: the device speaks nonsense, or not at all.
    case protocolViolation = 76
    /// EX_NOPERM.
    case permission = 77

    /// What a command ends with.
    public var exitCode: Int32 { rawValue }
  }

  /// The class of this failure.
  public var kind: Kind {
    switch self {
    case .notFound, .unusable, .removed, .disconnected: .unavailable
    case .permissionDenied: .permission
    case .busy: .busy
    case .nonsense, .silent: .protocolViolation
    case .system: .inputOutput
    }
  }

  /// Whether the same sensor may be well again later: it was unplugged, or has fallen silent.
  public var mayPass: Bool {
    switch self {
    case .removed, .silent, .disconnected: true
    case .system(_, _, let code): code == EIO || code == ETIMEDOUT
    default: false
    }
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

  /// What happened.
  public var reason: String {
    switch self {
    case .notFound(let name, _): "cannot find \(name)"
    case .unusable(let path, let reason, _): "\(path) cannot be used: \(reason)"
    case .removed(let path): "\(path) was unplugged"
    case .disconnected(let name, let reason, _): "\(name) is not connected: \(reason)"
    case .permissionDenied(let path, let code, _): "\(path): \(Self.text(of: code))"
    case .busy(let path, let holders):
      "\(path) is in use by "
        + (holders.isEmpty ? "a program of another user" : holders.map(\.description).joined(separator: ", "))
    case .nonsense(let path, let text, let expected):
      "\(path) says '\(Self.printable(text))' where \(expected) belongs"
    case .silent(let path, let after): "\(path) has sent no data for \(after.formattedSeconds) s"
    case .system(let operation, let path, let code): "cannot \(operation) \(path): \(Self.text(of: code))"
    }
  }

  /// What to do next.
  public var remedy: String {
    switch self {
    case .notFound(_, let remedy), .unusable(_, _, let remedy), .disconnected(_, _, let remedy),
      .permissionDenied(_, _, let remedy):
      remedy
    case .removed: "plug it in again"
    case .busy: "stop it or choose another sensor"
    case .nonsense: "report it with the output of 'pedometer devices', or choose another sensor"
    case .silent: "plug it in again or reload its driver"
    case .system: "run 'pedometer doctor' to find the reason"
    }
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
