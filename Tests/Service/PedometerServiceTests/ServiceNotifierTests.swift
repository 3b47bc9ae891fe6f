import Glibc
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore

/// A service manager's socket.
final class NotifySocket {
  /// The value for `NOTIFY_SOCKET`.
  let name: String
  private let descriptor: Int32

  /// - Parameter name: a path, or `@` and the name of an abstract socket.
  init(_ name: String) throws {
    self.name = name
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
    }
    try #require(result == 0, "errno \(errno)")
    var patience = timeval(tv_sec: Hang.seconds, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// The next message; `nil` if none arrives.
  func message() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// The first message that contains a text.
  func message(with text: String) -> String? {
    while let message = message() { if message.contains(text) { return message } }
    return nil
  }
}

@Suite("Service notifier", .timeLimit(.minutes(30)), .ownThreads)
struct ServiceNotifierTests {
  @Test("a manager that does not listen causes no delay")
  func deaf() throws {
    let folder = try TemporaryDirectory()
    let socket = try NotifySocket(folder.path + "/notify")
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": socket.name])
    for _ in 0..<2000 { notifier.alive() }
    #expect(socket.message() == "WATCHDOG=1")
  }

  @Test("a manager is notified of readiness, progress and the end", arguments: [false, true])
  func messages(isAbstract: Bool) throws {
    let folder = try TemporaryDirectory()
    let socket = try NotifySocket(isAbstract ? "@pedometer-test-\(getpid())" : folder.path + "/notify")
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": socket.name])
    notifier.ready("listening")
    #expect(socket.message() == "READY=1\nSTATUS=listening")
    notifier.alive()
    #expect(socket.message() == "WATCHDOG=1")
    notifier.stopping()
    #expect(socket.message() == "STOPPING=1")
  }

  @Test("without a manager, or with one that does not listen, nothing happens")
  func nobody() throws {
    #expect(!ServiceNotifier(environment: [:]).send("READY=1"))
    let folder = try TemporaryDirectory()
    for name in [folder.path + "/none", "relative", "@none-\(getpid())", "/" + String(repeating: "x", count: 200)] {
      #expect(!ServiceNotifier(environment: ["NOTIFY_SOCKET": name]).send("READY=1"))
    }
  }

  @Test(
    "the watchdog's interval counts if it is meant for this process",
    arguments: [
      (["WATCHDOG_USEC": "60000000"], Duration.seconds(60)),
      (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "17"], .seconds(60)),
      (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "18"], nil),
      (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
    ] as [([String: String], Duration?)])
  func watchdog(_ environment: [String: String], _ patience: Duration?) {
    #expect(ServiceNotifier(environment: environment, process: 17).watchdog == patience)
  }
}

@Suite("Watchdog", .timeLimit(.minutes(30)))
struct WatchdogTests {
  @Test("watchdog notifications are sent only while nothing hangs")
  func truth() throws {
    let folder = try TemporaryDirectory()
    let socket = try NotifySocket(folder.path + "/notify")
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": socket.name])
    let clock = ServiceClock.manual(ManualClock())
    #expect(
      Watchdog(notifier: notifier, clock: clock, logger: .silent, stuck: { _ in ["iio:device0"] }).beat()
        == ["iio:device0"])
    #expect(Watchdog(notifier: notifier, clock: clock, logger: .silent, stuck: { _ in [] }).beat().isEmpty)
    // The first message is that of the second beat.
    notifier.stopping()
    #expect(socket.message() == "WATCHDOG=1")
    #expect(socket.message() == "STOPPING=1")
  }

  @Test("watchdog notifications are three times as frequent as required")
  func rhythm() async throws {
    let folder = try TemporaryDirectory()
    let socket = try NotifySocket(folder.path + "/notify")
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "60000000"])
    let clock = ManualClock()
    let dog = Watchdog(notifier: notifier, clock: .manual(clock), logger: .silent, stuck: { _ in [] })
    let task = Task { try await dog.run() }
    for _ in 0..<3 {
      await clock.waitForSleepers()
      #expect(socket.message() == "WATCHDOG=1")
      clock.advance(by: .seconds(20))
    }
    task.cancel()
    _ = await task.result
  }
}
