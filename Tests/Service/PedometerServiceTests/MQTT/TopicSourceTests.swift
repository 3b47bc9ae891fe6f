import Glibc
import ServiceTransport
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceMessaging
@testable import ServiceSettings

@Suite(
  "A topic of an MQTT broker as a source", .enabled(if: MosquittoBroker.isPossible, "mosquitto is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct TopicSourceTests {
  @Test("live receives the samples of a topic with user and password, and is refused without")
  func live() async throws {
    let broker = try MosquittoBroker(isGuarded: true)
    let password = try broker.folder.write(Array((MosquittoBroker.password + "\n").utf8), to: "password")
    try #require(unsafe chmod(password, 0o600) == 0)
    let listener = try MQTTListener(
      broker.settings { ($0.user, $0.password) = (MosquittoBroker.user, Secret(MosquittoBroker.password)) })
    await listener.wait { $0 == .connected }
    let pedometer = try Executable.built("pedometer")
    let address = "127.0.0.1:\(broker.port)/phones/+"
    let refused = try pedometer.run(["live", "mqtt://" + address])
    #expect(refused.ending == .exit(69), "\(refused)")
    #expect(refused.errors.contains("the broker refuses the user or the password"), "\(refused.errors)")
    let unread = try pedometer.run(["live", "mqtt://ann@\(address),password-file=/nowhere/password"])
    #expect(unread.ending == .exit(69) && unread.errors.contains("/nowhere/password cannot be opened"), "\(unread)")
    let running = try pedometer.start(["live", "--format", "json", "mqtt://ann@\(address),password-file=\(password)"])
    listener.startSamples(on: "phones/ann")
    // On a slow machine, it warns first that there are no data yet.
    var lines: [Substring] = []
    repeat {
      let count = lines.count + 1
      lines = try running.outputLines(count)
      if lines.count < count { break }
    } while lines.count < 5 && lines.last?.contains("no data from") == true
    listener.stopSamples()
    #expect(lines.last?.contains("(the topic phones/+ at 127.0.0.1:") == true, "\(lines)")
    running.send(signal: SIGINT)
    #expect(try running.finish().ending == .exit(0))
  }

  @Test("messages that the broker kept are not passed on, and the broker's end is the end")
  func messages() async throws {
    let broker = try MosquittoBroker()
    let listener = try MQTTListener(broker.settings())
    try await listener.subscribe("phones/ann")
    try listener.publish(MQTTMessage("phones/ann", "old", isRetained: true))
    await listener.wait(for: "phones/ann", "old")
    var server = MessageServer(host: "127.0.0.1", port: UInt16(broker.port), authority: "", target: "/")
    server.subscription = MessageServer.Subscription(topic: "phones/#")
    let events = Observed<[MessageEvent]>([])
    let connection = MessageClients().connect(to: server) { event in events.update { $0.append(event) } }
    // Until the subscription is accepted, nothing of them arrives.
    listener.startSamples(on: "phones/ann")
    await events.wait { $0.count >= 2 }
    listener.stopSamples()
    try broker.kill()
    await events.wait { if case .ended? = $0.last { true } else { false } }
    let all = events.value
    #expect(!all.contains(.message(Array("old".utf8))))
    guard case .ended(.unreachable)? = all.last else {
      Issue.record("\(all)")
      return
    }
    connection.close()
  }
}
