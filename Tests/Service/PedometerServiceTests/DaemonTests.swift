import Foundation
import Glibc
import History
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

/// The installed service: the executable, a service manager's socket, requests.
@Suite("pedometerd", .timeLimit(.minutes(30)), .ownThreads)
final class DaemonTests {
  private let folder: TemporaryDirectory
  private let socket: NotifySocket
  private var state: String { folder.path + "/state" }

  init() throws {
    folder = try TemporaryDirectory()
    socket = try NotifySocket(folder.path + "/notify")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder.path + "/state") }

  private func start(_ arguments: [String] = []) throws -> RunningExecutable {
    try Executable.built("pedometerd").start(
      ["--state", state, "--listen", "127.0.0.1:0"] + arguments,
      environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "1000000", "XDG_RUNTIME_DIR": folder.path])
  }

  /// The port that the service reports to its manager.
  private func port() throws -> UInt16 {
    let ready = try #require(socket.message(with: "READY=1"))
    return try #require(ready.split(separator: ":").last.flatMap { UInt16($0) })
  }

  @Test("it notifies its manager of readiness, answers, sends watchdog notifications, and ends cleanly")
  func life() throws {
    let daemon = try start(["--source", "synthetic:cadence=120,duration=600", "--goal", "5000"])
    let port = try port()
    let today = try Self.get("/api/today", port)
    #expect(today.hasPrefix("HTTP/1.1 200") && today.contains(#""goal":5000"#))
    #expect(try Self.get("/health", port).contains(#""uri":"synthetic:cadence=120,duration=600""#))
    #expect(socket.message(with: "WATCHDOG=1") != nil)
    let second = try Executable.built("pedometerd").run(["--state", state, "--listen", "127.0.0.1:0"])
    #expect(second.exitCode == 75)
    #expect(second.errors.contains("the history is being written by pedometerd"))
    // A source that has not begun is not in the history.
    #expect(try daemon.complains(with: "counting with"))
    daemon.send(signal: SIGHUP)
    daemon.send(signal: SIGTERM)
    #expect(socket.message(with: "STOPPING=1") != nil)
    let transcript = try daemon.finish()
    #expect(transcript.ending == .exit(0))
    #expect(transcript.output.isEmpty)
    #expect(transcript.errors.contains("SIGHUP: a changed configuration takes effect when the service is restarted"))
    // The next start therefore need not check every row of the history.
    #expect(try TemporaryDirectory.text(of: state + "/history.lock").hasPrefix("ended in order\n"))
  }

  @Test("localhost is reported as its addresses on this machine, and answers")
  func localhost() throws {
    let daemon = try Executable.built("pedometerd").start(
      ["--state", state, "--listen", "localhost:0", "--source", "synthetic:cadence=120,duration=600"],
      environment: ["NOTIFY_SOCKET": socket.name, "XDG_RUNTIME_DIR": folder.path])
    let ready = try #require(socket.message(with: "READY=1"))
    let has6 = try ListenPlaces([ListenAddress("localhost:1")]).addresses.count == 2
    let addresses = ready.split(separator: "listening on ").last?.split(separator: ", ") ?? []
    #expect(addresses.map { String($0.prefix(5)) } == (has6 ? ["127.0", "[::1]"] : ["127.0"]), "\(ready)")
    let port = try #require(addresses.first?.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(try Self.get("/health", port).hasPrefix("HTTP/1.1 200"))
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().ending == .exit(0))
  }

  @Test(
    "with a self-signed certificate it serves TLS, and prints the address and the fingerprint, once and without colours",
    .enabled(if: SelfSignedCertificateTests.hasOpenSSL))
  func invitation() throws {
    let daemon = try start(["--source", "synthetic:cadence=120,duration=600", "--tls-self-signed", "--invite"])
    let port = try port()
    daemon.send(signal: SIGTERM)
    let transcript = try daemon.finish()
    #expect(transcript.ending == .exit(0))
    // Nobody is sent to an address that only this computer has.
    #expect(!transcript.output.contains("127.0.0.1") && port > 0)
    #expect(transcript.output.contains("A phone cannot reach this service"))
    // The QR code is for a terminal.
    #expect(!transcript.output.contains("\u{1B}") && !transcript.output.contains("▀"))
    #expect(!transcript.errors.contains("/phone") && !transcript.errors.contains("SHA-256"), "\(transcript.errors)")
    let line = transcript.output.split(separator: "\n").last ?? ""
    #expect(line.hasPrefix("SHA-256 of the certificate: ") && line.count { $0 == ":" } == 32)
    #expect(FileManager.default.fileExists(atPath: state + "/tls-key.pem"))
  }

  @Test("the sentence of --invite has the host name that was given", arguments: ["steps", "steps.example.org"])
  func namedInvitation(_ name: String) throws {
    let daemon = try start(["--source", "synthetic:cadence=120,duration=600", "--host-name", name, "--invite"])
    _ = try port()
    daemon.send(signal: SIGTERM)
    let transcript = try daemon.finish()
    #expect(transcript.output == "Walk with a phone: https://\(name)/phone\n", "\(transcript)")
  }

  @Test("pedometer import goes through the service that writes the history, and adds nothing twice")
  func importing() throws {
    let daemon = try start(["--source", "synthetic:cadence=120,duration=600"])
    let port = try port()
    let export = "date,steps\n2026-05-06,1440\n2026-05-07,2880\n"
    let file = try folder.write(Array(export.utf8), to: "days.csv")
    let pedometer = try Executable.built("pedometer")
    let arguments = ["import", "--state", state, file]
    let here = ["PEDOMETER_SERVICE": "http://127.0.0.1:\(port)"]
    let first = try pedometer.run(arguments, environment: here)
    #expect(first.exitCode == 0 && first.output.contains("added 4320 of 4320 steps"), "\(first)")
    let again = try pedometer.run(arguments, environment: here)
    #expect(again.exitCode == 0 && again.output.contains("added 0 of 4320 steps"), "\(again)")
    let days = try Self.get("/api/history?from=2026-05-06T00:00:00Z&to=2026-05-09T00:00:00Z&bucket=day", port)
    let steps = days.matches(of: /"steps":(\d+)/).compactMap { Int($0.1) }.reduce(0, +)
    #expect(steps == 4320, "\(days)")
    let more = try folder.write(Array("date,steps\n2026-05-08,1440\n".utf8), to: "more.csv")
    let nowhere = ["PEDOMETER_SERVICE": "http://127.0.0.1:1"]
    let elsewhere = try pedometer.run(["import", "--state", state, more], environment: nowhere)
    #expect(elsewhere.exitCode == 75 && elsewhere.errors.contains("set PEDOMETER_SERVICE"), "\(elsewhere)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().ending == .exit(0))
  }

  @Test("pedometer history and export query the running service if this user has no history")
  func history() throws {
    let daemon = try start(["--source", "synthetic:cadence=120,duration=600"])
    let port = try port()
    while try !Self.get("/api/today", port).contains(/"steps":[1-9]/) {}
    let pedometer = try Executable.built("pedometer")
    let nowhere = ["XDG_STATE_HOME": folder.path + "/nowhere", "PEDOMETER_SERVICE": "http://127.0.0.1:\(port)"]
    let shown = try pedometer.run(["history", "--format", "json"], environment: nowhere)
    #expect(shown.exitCode == 0)
    #expect(shown.output.contains(/"steps":[1-9]/), "\(shown)")
    // At this moment it is another day and hour in at least one of these zones.
    for (zone, offset) in [("Pacific/Kiritimati", "+14:00"), ("Pacific/Pago_Pago", "-11:00")] {
      let place = ["--time-zone", zone, "--day-start", "04:30"]
      let days = try pedometer.run(["history", "--week", "--format", "csv"] + place, environment: nowhere)
      let starts = days.outputLines.dropFirst().compactMap { $0.split(separator: ",").first }
      #expect(starts.count == 7 && starts.allSatisfy { $0.hasSuffix("T04:30:00\(offset)") }, "\(days)")
      let status = try pedometer.run(["status", "--format", "json"] + place, environment: nowhere)
      #expect(starts.last.map { status.output.contains("\"date\":\"\($0.prefix(10))\"") } == true, "\(status)")
    }
    let exported = try pedometer.run(["export"], environment: nowhere)
    #expect(exported.exitCode == 0 && exported.outputLines.count >= 2, "\(exported)")
    #expect(exported.outputLines.last?.contains(",service,") == true, "\(exported)")
    #expect(exported.errors.contains("the service provides the minutes of all sensors together"), "\(exported.errors)")
    let off = nowhere.merging(["PEDOMETER_SERVICE": "off"]) { $1 }
    #expect(try pedometer.run(["history"], environment: off).exitCode == 66)
    #expect(try pedometer.run(["export"], environment: off).exitCode == 66)
    daemon.send(signal: SIGTERM)
    _ = try daemon.finish()
  }

  @Test("an invalid configuration is reported with file and line, and exit code 78")
  func configuration() throws {
    let file = try folder.write(Array("goal: 1\nlisen: x\n".utf8), to: "p.yaml")
    for arguments in [["--config", file], ["--config", file, "--check-config"]] {
      let transcript = try Executable.built("pedometerd").run(arguments)
      #expect(transcript.exitCode == 78)
      #expect(transcript.errors == "pedometerd: \(file):2: unknown key 'lisen'; did you mean 'listen'?\n")
    }
    let right = try folder.write(Array("goal: 1\n".utf8), to: "p.yaml")
    #expect(try Executable.built("pedometerd").run(["--config", right, "--check-config"]).exitCode == 0)
    #expect(try Executable.built("pedometerd").run(["--nonsense"]).exitCode == 64)
    #expect(try Executable.built("pedometerd").run(["--listen", "0.0.0.0:80", "--check-config"]).exitCode == 78)
  }

  @Test("an address in use, or of another machine, is reported in words; an empty folder name is refused")
  func addresses() throws {
    let daemon = try start(["--source", "synthetic:cadence=120,duration=600"])
    let address = "127.0.0.1:\(try port())"
    let pedometerd = try Executable.built("pedometerd")
    let taken = try pedometerd.run(["--state", folder.path + "/other", "--listen", address])
    #expect(taken.exitCode == 75)
    let reason = "pedometerd: \(address) is in use by another program; stop it, or choose another"
    #expect(taken.errors.contains(reason))
    let byName = try pedometerd.run(
      ["--state", folder.path + "/other", "--listen", address.replacing("127.0.0.1", with: "localhost")])
    #expect(byName.exitCode == 75 && byName.errors.contains(reason), "\(byName.errors)")
    daemon.send(signal: SIGTERM)
    _ = try daemon.finish()
    let token = try folder.write(Array("a-token-of-good-length".utf8), to: "token")
    try #require(unsafe chmod(token, 0o600) == 0)
    for address in ["192.0.2.1:8080", "no-such-host.invalid:8080"] {
      let foreign = try pedometerd.run(
        ["--state", folder.path + "/other", "--token-file", token, "--listen", address])
      #expect(foreign.exitCode == 78)
      #expect(foreign.errors.contains("pedometerd: \(address) is not an address of this machine"), "\(foreign.errors)")
    }
    let nameless = try pedometerd.run(["--state", "", "--check-config"])
    #expect(nameless.exitCode == 78 && nameless.errors.contains("missing folder"), "\(nameless.errors)")
  }

  @Test("a source that cannot be counted is in the log, with the reason")
  func hindered() throws {
    let missing = folder.path + "/nope.csv"
    let daemon = try start(["--source", missing, "--source", "synthetic:cadence=120,duration=600"])
    let port = try port()
    while try !Self.get("/health", port).contains(#""state":"lost""#) {}
    daemon.send(signal: SIGTERM)
    let transcript = try daemon.finish()
    #expect(transcript.errors.contains("pedometerd: \(missing): no such file or directory"), "\(transcript.errors)")
  }

  @Test("the manual has every option, and every key of the file")
  func manual() throws {
    let page = try TemporaryDirectory.text(of: Repository.path("packaging/man/pedometerd.8"))
    let help = try Executable.built("pedometerd").run(["--help"]).output
    let options = help.split(whereSeparator: { " \n,.;)".contains($0) }).filter { $0.hasPrefix("--") }
    #expect(options.count > 15)
    for option in options { #expect(page.contains("Fl -\(option.dropFirst(2))"), "\(option)") }
    for key in SettingKey.allCases { #expect(page.contains(".It Ic \(key.rawValue)\n"), "\(key.rawValue)") }
  }

  /// The answer to a request, head and all.
  private static func get(_ path: String, _ port: UInt16) throws -> String {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "errno \(errno)")
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
    _ = unsafe send(descriptor, request, request.count, 0)
    var answer: [UInt8] = []
    var some = [UInt8](repeating: 0, count: 4096)
    while case let count = unsafe recv(descriptor, &some, some.count, 0), count > 0 { answer += some[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }
}
