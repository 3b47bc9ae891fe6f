import Foundation
import LinuxSensors
import ServiceTransport
import SourceNames
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("Phones and the programs", .timeLimit(.minutes(30)), .ownThreads)
struct PhoneProgramTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func steps(_ text: String) -> Int? { text.firstMatch(of: /"steps":(\d+)/).flatMap { Int($0.1) } }

  private func health(_ port: UInt16) async throws -> [(state: String, steps: Int)] {
    struct Health: Decodable {
      struct Source: Decodable {
        var state: String
        var steps: Int
      }
      var sources: [Source]
    }
    let request = TransportRequest(url: "http://127.0.0.1:\(port)/health")
    let body = try await PlainTransport().send(request, timeout: Hang.limit).body
    return try JSONDecoder().decode(Health.self, from: Data(body)).sources.map { ($0.state, $0.steps) }
  }

  @Test("a walk in real time by udp:, phyphox: and ws: is recorded and counted, within two steps")
  func walk() async throws {
    // Samples are stamped when they arrive, so a machine that stalls changes the walk.
    var wrong = try await walkOnce()
    for _ in 0..<2 where !wrong.isEmpty { wrong = try await walkOnce() }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  /// Returns the counts that are more than two steps off.
  private func walkOnce() async throws -> [String] {
    var wrong: [String] = []
    // Ports that are free now.
    let ports = try (0..<2).map { _ in try DatagramPort(UDPAddress(host: "127.0.0.1", port: 0)) }.map(\.port)
    let phones = try await WalkingPhones(to: ports)
    let others = ["phyphox:" + phones.phyphoxURL, "ws://\(phones.web.authority)/"]
    let socket = try NotifySocket(folder.path + "/notify")
    defer {
      for name in ["notify", "state"] { try? FileManager.default.removeItem(atPath: folder.path + "/" + name) }
    }
    let daemon = try Executable.built("pedometerd").start(
      ["--state", folder.path + "/state", "--listen", "127.0.0.1:0"]
        + (["udp:127.0.0.1:\(ports[0])"] + others).flatMap { ["--source", $0] },
      environment: ["NOTIFY_SOCKET": socket.name, "XDG_RUNTIME_DIR": folder.path])
    let recorders = try (["udp:127.0.0.1:\(ports[1])"] + others).map {
      try Executable.built("pedometer").start(["record", $0, "-o", "-"])
    }
    let ready = try #require(socket.message(with: "READY=1"))
    let port = try #require(ready.split(separator: ":").last.flatMap { UInt16($0) })
    for recorder in recorders { #expect(try recorder.outputLines(40).count == 40) }
    // Not more often: the service refuses clients that ask too often.
    while try await health(port).contains(where: { $0.state != "counting" }) { await phones.nextSample() }
    phones.walk()
    let truth = (WalkingPhones.steps - 2)...(WalkingPhones.steps + 2)
    var counted = try await health(port)
    while !phones.isOver, counted.contains(where: { $0.steps < truth.lowerBound }) {
      await phones.nextSample()
      counted = try await health(port)
    }
    if counted.count != 3 || !counted.allSatisfy({ truth.contains($0.steps) }) { wrong.append("\(counted)") }
    for (index, recorder) in recorders.enumerated() {
      recorder.send(signal: SIGINT)
      let transcript = try recorder.finish()
      #expect(transcript.ending == .exit(0), "\(transcript.errors)")
      let file = try folder.write(Array(transcript.output.utf8), to: "walk\(index).csv")
      let count = try Executable.built("pedometer").run(["count", "--format", "json", file])
      if steps(count.output).map({ truth.contains($0) }) != true { wrong.append("\(count)") }
    }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().ending == .exit(0))
    return wrong
  }

  /// What a server sends, and what `live` makes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var target = "/sensor/connect?type=android.sensor.accelerometer"
    var script: [WebSocketPhone.Part]
    var exitCode: Int32
    var words: [String]
  }

  private static func rows(_ text: String) -> [WebSocketPhone.Part] {
    (0..<250).map { .text(text.replacing("#", with: "\(1000 + $0 * 20)")) }
  }

  static let cases = [
    Case(
      testDescription: "a gyroscope", target: "/sensor/connect?type=android.sensor.gyroscope", script: [], exitCode: 69,
      words: ["android.sensor.gyroscope is not an accelerometer", "type=android.sensor.accelerometer"]),
    Case(
      testDescription: "text that is not JSON", script: rows("step #"), exitCode: 65,
      words: ["sends no samples that can be read: 'step ", "ask for the accelerometer alone"]),
    Case(
      testDescription: "bytes that are not text",
      script: (0..<250).map { _ in .binary([UInt8](repeating: 0x81, count: 99)) },
      exitCode: 65, words: ["most of the data is not text", "let the app send text"]),
    Case(
      testDescription: "a refusal of the app", script: [.close(4002, "no such sensor")], exitCode: 69,
      words: ["the app closed the connection: 'no such sensor' (4002)", "start the server in the app"]),
  ]

  @Test("live refuses what it cannot count, and says what to do", arguments: cases)
  func refuses(_ example: Case) async throws {
    let phone = try await WebSocketPhone(example.script)
    let transcript = try Executable.built("pedometer").run(["live", "ws://\(phone.authority)\(example.target)"])
    #expect(transcript.ending == .exit(example.exitCode), "\(transcript)")
    for words in example.words { #expect(transcript.errors.contains(words), "\(transcript.errors)") }
  }

  @Test(
    "live counts over TLS with the server's certificate in ,ca=FILE, and refuses it without",
    .enabled(if: SelfSignedCertificateTests.hasOpenSSL))
  func encrypted() async throws {
    let own = OwnNames(hosts: [], addresses: ["127.0.0.1"])
    let certificate = try SelfSignedCertificate(in: folder.path, names: own)
    let phone = try await WebSocketPhone(
      (0..<250).map { .text("\(Double($0) / 50),0,0,1") } + [.close(1000, "done")],
      certificate: (certificate.chain, certificate.key))
    let url = "wss://\(phone.authority)/walk"
    let refused = try Executable.built("pedometer").run(["live", url])
    #expect(refused.ending == .exit(76), "\(refused)")
    #expect(refused.errors.contains("its certificate is not trusted"), "\(refused.errors)")
    #expect(refused.errors.contains("append ,ca=FILE"), "\(refused.errors)")
    let unread = try Executable.built("pedometer").run(["live", url + ",ca=/nowhere/ca.pem"])
    #expect(unread.ending == .exit(69) && unread.errors.contains("/nowhere/ca.pem cannot be read"), "\(unread)")
    let running = try Executable.built("pedometer").start(
      ["live", "--format", "json", url + ",ca=" + certificate.chain])
    // The app ends, and is waited for again.
    var count = 1
    while let line = try running.outputLines(count).dropFirst(count - 1).first, !line.contains("sourceLost") {
      count += 1
    }
    running.send(signal: SIGINT)
    let transcript = try running.finish()
    #expect(transcript.ending == .exit(0), "\(transcript)")
    #expect(phone.targets.first == "/walk")
    #expect(transcript.output.contains("the app closed the connection: 'done'"), "\(transcript.output)")
  }

  @Test("live refuses a server that has no WebSocket, and reports one that is away")
  func noWebSocket() async throws {
    let server = try TestSupport.FakeService { _ in TransportResponse(status: 404) }
    let url = server.url.replacing("http://", with: "ws://")
    let transcript = try Executable.built("pedometer").run(["live", url])
    #expect(transcript.ending == .exit(76), "\(transcript)")
    #expect(transcript.errors.contains("answers 404 instead of a WebSocket; check the address"), "\(transcript.errors)")
    let port = try UnheardPort()
    let away = try Executable.built("pedometer").run(["live", "ws:\(port.authority)"])
    #expect(away.ending == .exit(69) && away.errors.contains("Connection refused; start the server"), "\(away)")
  }
}
