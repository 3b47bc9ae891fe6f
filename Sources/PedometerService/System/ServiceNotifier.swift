import Glibc

/// Tells the service manager how the service is: sd_notify(3), in plain Swift.
///
/// The protocol is one datagram of lines to the socket that `NOTIFY_SOCKET` names. Without that variable, or without a
/// listener, nothing happens.
struct ServiceNotifier: Sendable {
  private let address: String?
  /// How long the manager waits for a sign of life; `nil` when it does not watch this process.
  let watchdog: Duration?

  /// Reads what the manager says in the environment.
  init(environment: [String: String], process: Int32 = getpid()) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdog = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// Everything runs.
  func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
  /// What people read in the manager's status.
  func status(_ text: String) { send("STATUS=\(text)") }
  /// A sign of life.
  func alive() { send("WATCHDOG=1") }
  /// The end has begun.
  func stopping() { send("STOPPING=1") }

  /// Sends lines of assignments.
  /// - Returns: whether somebody took them.
  @discardableResult
  func send(_ text: String) -> Bool {
    guard let address else { return false }
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    var name = Array(address.utf8)
    let room = MemoryLayout.size(ofValue: target.sun_path)
    guard name.count < room else { return false }
    // An abstract socket's name begins with a zero, and ends where its length says.
    if name[0] == UInt8(ascii: "@") { name[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &target.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let message = Array(text.utf8)
    let count = unsafe withUnsafePointer(to: &target) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // A manager that does not listen must not keep anything from counting, or from ending.
        unsafe sendto(
          descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
      }
    }
    return count == message.count
  }
}
