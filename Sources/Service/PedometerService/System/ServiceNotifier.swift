import Glibc

/// Notifies the service manager: sd_notify(3), in plain Swift.
///
/// The protocol is one datagram of lines to the socket in `NOTIFY_SOCKET`. Without that variable, or without a
/// listener, nothing happens.
struct ServiceNotifier: Sendable {
  private let address: String?
  /// The manager's watchdog interval; `nil` if it does not watch this process.
  let watchdog: Duration?

  /// Reads the manager's environment variables.
  init(environment: [String: String], process: Int32 = getpid()) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdog = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
  /// A watchdog notification.
  func alive() { send("WATCHDOG=1") }
  func stopping() { send("STOPPING=1") }

  /// Sends lines of assignments.
  /// - Returns: whether they were delivered.
  @discardableResult
  func send(_ text: String) -> Bool {
    guard let address else { return false }
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    var name = Array(address.utf8)
    let room = MemoryLayout.size(ofValue: target.sun_path)
    guard name.count < room else { return false }
    // The name of an abstract socket begins with a zero byte, and its length defines its end.
    if name[0] == UInt8(ascii: "@") { name[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &target.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let message = Array(text.utf8)
    let count = unsafe withUnsafePointer(to: &target) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // A manager that does not listen must not block counting or shutting down.
        unsafe sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
      }
    }
    return count == message.count
  }
}
