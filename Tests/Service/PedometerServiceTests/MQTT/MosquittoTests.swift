import Foundation
import Glibc
import History
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP
@testable import ServiceMessaging
@testable import ServiceSettings

/// The connection and the service with a real broker.
@Suite(
  "A real MQTT broker", .enabled(if: MosquittoBroker.isPossible, "mosquitto is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct MosquittoTests {
  /// Why a broker is not connected; `nil` if it is.
  private static func failure(_ settings: MQTTSettings) async -> MQTTFailure? {
    do throws(MQTTFailure) {
      try await BrokerConnection.open(settings, MQTTTopics(identity: "test", base: nil)).close(isOrderly: true)
      return nil
    } catch { return error }
  }

  @Test("the right password is accepted; a wrong one, and none, are refused by name")
  func password() async throws {
    let broker = try MosquittoBroker(isGuarded: true)
    let right = await Self.failure(
      broker.settings { ($0.user, $0.password) = (MosquittoBroker.user, Secret(MosquittoBroker.password)) })
    #expect(right == nil)
    let wrong = await Self.failure(broker.settings { ($0.user, $0.password) = (MosquittoBroker.user, "guess") })
    #expect(wrong == .refused(code: 5))
    #expect(await Self.failure(broker.settings()) == .refused(code: 5))
  }

  @Test(
    "TLS works with the broker's authority; another one and another name are refused",
    .enabled(if: SelfSignedCertificateTests.hasOpenSSL))
  func encryption() async throws {
    let (here, elsewhere) = (try TemporaryDirectory(), try TemporaryDirectory())
    let own = try SelfSignedCertificate(in: here.path, names: OwnNames(hosts: ["walker"], addresses: ["127.0.0.1"]))
    let names = OwnNames(hosts: ["x"], addresses: ["127.0.0.1"])
    let stranger = try SelfSignedCertificate(in: elsewhere.path, names: names)
    let broker = try MosquittoBroker(certificate: own)
    #expect(await Self.failure(broker.settings { ($0.isEncrypted, $0.authorities) = (true, own.chain) }) == nil)
    for authority in [stranger.chain, nil] {
      let end = await Self.failure(broker.settings { ($0.isEncrypted, $0.authorities) = (true, authority) })
      guard case .untrusted(let reason)? = end else {
        Issue.record("\(String(describing: end))")
        continue
      }
      #expect(reason == "its certificate is not trusted")
    }
    let plain = await Self.failure(broker.settings())
    #expect(plain == .lost(MQTTFailure.hungUp))
    let other = try MosquittoBroker()
    let unencrypted = await Self.failure(other.settings { $0.isEncrypted = true })
    #expect(unencrypted == .lost(MQTTFailure.unencrypted))
  }

  @Test("a broker that is not there, and a host without a name, are failures with a reason")
  func absent() async throws {
    let broker = try MosquittoBroker()
    try broker.kill()
    #expect(await Self.failure(broker.settings()) == .lost("Connection refused"))
    let unknown = await Self.failure(broker.settings { $0.host = "no-such-host.invalid" })
    #expect(unknown?.description.contains("no such host") == true, "\(String(describing: unknown))")
  }

  @Test("after a kill and a restart of the broker, which forgets all, it has everything again, with the newest figures")
  func restart() async throws {
    let (clock, figures) = (ManualClock(), ScriptedFigures())
    let broker = try MosquittoBroker()
    let topics = MQTTTopics(identity: "0123456789abcdef", base: nil)
    let service = MQTTService(
      settings: broker.settings(), topics: topics, version: "1", clock: .manual(clock), figures: figures.closure,
      logger: .silent)
    let task = Task { try await service.run() }
    var listener = try await MQTTListener(broker.settings())
    try await listener.subscribe("#")
    await listener.wait(for: topics.availability, "online")
    await listener.wait(for: topics.state, #""steps":10100,"#)
    try broker.kill()
    // Ten minutes without a broker, on the manual clock.
    figures.set(steps: 700)
    let start = clock.now
    while start.duration(to: clock.now) < .seconds(600) {
      await clock.waitForSleepers()
      // The sleep of an attempt that has failed meanwhile is gone.
      if let deadline = clock.nextDeadline { clock.advance(by: clock.now.duration(to: deadline)) }
    }
    try broker.start()
    listener = try await MQTTListener(broker.settings())
    try await listener.subscribe("#")
    await clock.flying { await listener.wait(for: topics.availability, "online") }
    #expect(listener.latest.keys.count { $0.hasPrefix("homeassistant/") } == 10)
    #expect(listener.latest[topics.state]?.contains(#""steps":10700,"#) == true)
    task.cancel()
    try await task.value
  }

  /// `pedometerd` with a broker.
  private static func daemon(
    _ broker: MosquittoBroker, _ folder: TemporaryDirectory, subscribing topic: String? = nil
  ) throws -> RunningExecutable {
    let settings = "mqtt: {url: \"mqtt://127.0.0.1:\(broker.port)\", topic: home/ann"
    let file = try folder.write(
      Array((settings + (topic.map { ", subscribe: \"\($0)\"" } ?? "") + "}\n").utf8), to: "p.yaml")
    return try Executable.built("pedometerd").start(
      [
        "--state", folder.path + "/state", "--listen", "127.0.0.1:0", "--config", file,
        "--source", "synthetic:cadence=120,duration=600",
      ], environment: ["XDG_RUNTIME_DIR": folder.path])
  }

  @Test(
    "pedometerd is online while it runs, and offline when it ends or is killed", arguments: [SIGTERM, SIGKILL])
  func availability(_ signal: Int32) async throws {
    let (broker, folder) = (try MosquittoBroker(), try TemporaryDirectory())
    defer { try? FileManager.default.removeItem(atPath: folder.path + "/state") }
    let listener = try await MQTTListener(broker.settings())
    try await listener.subscribe("home/#")
    let daemon = try Self.daemon(broker, folder)
    await listener.wait(for: "home/ann/availability", "online")
    // Whether the source counts already or not: a start is no problem.
    let state = try #require(listener.latest["home/ann/state"])
    #expect(state.contains(#""problem":null"#) || state.contains(#""problem":"OFF""#), "\(state)")
    daemon.send(signal: signal)
    await listener.wait(for: "home/ann/availability", "offline")
    #expect(try daemon.finish().ending == (signal == SIGTERM ? .exit(0) : .signal(SIGKILL)))
  }

  @Test("steps on a subscribed topic are in the total, also those that were sent while the service was not running")
  func subscription() async throws {
    let (broker, folder) = (try MosquittoBroker(), try TemporaryDirectory())
    defer { try? FileManager.default.removeItem(atPath: folder.path + "/state") }
    let listener = try await MQTTListener(broker.settings())
    try await listener.subscribe("home/#")
    let minute = { (who: String, hour: Int) in
      MQTTMessage(
        "watch/\(who)",
        #"{"start":"2026-01-02T0\#(hour):00:00Z","end":"2026-01-02T0\#(hour):01:00Z","steps":90}"#, isRetained: false)
    }
    let first = try Self.daemon(broker, folder, subscribing: "watch/+")
    await listener.wait(for: "home/ann/availability", "online")
    try await listener.publish(minute("bob", 1))
    await listener.wait(for: "home/ann/sources", "client:watch.bob")
    first.send(signal: SIGTERM)
    _ = try first.finish()
    await listener.wait(for: "home/ann/availability", "offline")
    // The broker keeps these for the service; the first one is repeated, and the last one shows that all were read.
    for (who, hour) in [("bob", 1), ("bob", 2), ("carl", 3)] { try await listener.publish(minute(who, hour)) }
    let second = try Self.daemon(broker, folder, subscribing: "watch/+")
    await listener.wait(for: "home/ann/sources", "client:watch.carl")
    second.send(signal: SIGTERM)
    _ = try second.finish()
    let day = Date(timeIntervalSince1970: 1_767_312_000)
    let totals = try HistoryReader(folder: HistoryFolder(path: folder.path + "/state")).totals(
      from: day, to: day + 86_400)
    #expect(totals.steps == 270)
  }
}
