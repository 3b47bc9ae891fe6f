import Foundation
import Glibc
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP
@testable import ServiceMessaging

/// A real broker on a free loopback port, with a user of the tests and, if required, TLS.
final class MosquittoBroker {
  private static let path = "/usr/sbin/mosquitto"
  static let (user, password) = ("ann", "s3cret")

  /// Whether it is installed.
  static let isPossible = FileManager.default.isExecutableFile(atPath: path)

  let port: Int
  let folder: TemporaryDirectory
  private let configuration: String
  private var process: RunningExecutable?

  /// Starts it, and returns when it listens.
  /// - Parameters:
  ///   - certificate: for TLS.
  ///   - isGuarded: whether clients need user and password.
  init(certificate: SelfSignedCertificate? = nil, isGuarded: Bool = false) throws {
    folder = try TemporaryDirectory()
    port = try Self.freePort()
    let name = unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "root"
    // Nobody reads its log after the start: of each message, it would fill the pipe, and block the broker.
    let logged = ["error", "warning", "notice", "information"].map { "log_type " + $0 }
    var lines = ["listener \(port) 127.0.0.1", "log_dest stderr", "persistence false", "user \(name)"] + logged
    if let certificate { lines += ["certfile \(certificate.chain)", "keyfile \(certificate.key)"] }
    if isGuarded {
      let passwords = folder.path + "/passwords"
      let made = try Executable(path: "/usr/bin/mosquitto_passwd").run([
        "-c", "-b", passwords, Self.user, Self.password,
      ])
      try #require(made.exitCode == 0, "\(made.errors)")
      lines.append("password_file \(passwords)")
    } else {
      lines.append("allow_anonymous true")
    }
    configuration = try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "mosquitto.conf")
    try start()
  }

  /// A port that has just been free: mosquitto does not tell a port that the system chose.
  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Starts it again, without memory.
  func start() throws {
    // Standard output would be buffered.
    let process = try Executable(path: "/bin/sh").start(["-c", "exec \(Self.path) -c '\(configuration)' 2>&1"])
    var count = 1
    while true {
      let lines = try process.outputLines(count)
      if lines.last?.contains(" running") == true { break }
      try #require(lines.count == count, "mosquitto ended: \(lines)")
      count += 1
    }
    self.process = process
  }

  /// Ends it without a word to its clients.
  func kill() throws {
    process?.send(signal: SIGKILL)
    _ = try process?.finish()
    process = nil
  }

  /// The settings of a client.
  func settings(_ change: (inout MQTTSettings) -> Void = { _ in }) -> MQTTSettings {
    var settings = MQTTSettings(host: "127.0.0.1", port: port)
    change(&settings)
    return settings
  }
}

/// A client that remembers what it receives.
final class MQTTListener: Sendable {
  let received = Observed<[MQTTMessage]>([])
  private let connection: BrokerConnection

  init(_ settings: MQTTSettings) async throws {
    connection = try await BrokerConnection.open(settings, MQTTTopics(identity: "listener", base: "listener"))
    Task { [connection, received] in
      for await message in connection.messages {
        received.update { $0.append(message) }
        connection.finish(message)
      }
    }
  }

  deinit { connection.close(isOrderly: true) }

  func subscribe(_ topic: String) async throws { #expect(try await connection.subscribe(topic)) }

  func publish(_ message: MQTTMessage) async throws { try await connection.publish(message) }

  /// The latest text on each topic.
  var latest: [String: String] { Self.latest(received.value) }

  private static func latest(_ messages: [MQTTMessage]) -> [String: String] {
    messages.reduce(into: [:]) { $0[$1.topic] = String(decoding: $1.payload, as: UTF8.self) }
  }

  /// Waits until the latest text on a topic contains a text.
  func wait(for topic: String, _ text: String) async {
    await received.wait { Self.latest($0)[topic]?.contains(text) == true }
  }
}
