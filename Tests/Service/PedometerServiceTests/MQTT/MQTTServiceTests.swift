import Foundation
import History
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceMessaging

/// Publishing, with a broker and a clock of the tests.
@Suite("Publishing to MQTT", .timeLimit(.minutes(30)))
struct MQTTServiceTests {
  private let broker = ScriptedBroker()
  private let clock = ManualClock()
  private let figures = ScriptedFigures()
  private let log = LogLines()
  private let topics = MQTTTopics(identity: "0123456789abcdef", base: "home/ann")

  private func service(_ change: (inout MQTTSettings) -> Void = { _ in }) -> MQTTService {
    var settings = MQTTSettings(host: "broker.example", port: 1883)
    change(&settings)
    return MQTTService(
      settings: settings, topics: topics, version: "1.2.3", clock: .manual(clock), connect: broker.connect,
      figures: figures.closure, logger: log.logger)
  }

  /// Runs the service while the body runs, then shuts it down in order.
  private func running(_ service: MQTTService, _ body: () async throws -> Void) async throws {
    let group = ServiceGroup(configuration: .init(services: [service], logger: .silent))
    let task = Task { try await group.run() }
    try await body()
    await group.triggerGracefulShutdown()
    try await task.value
  }

  private var state: String { topics.state }
  private var steps: [Int] {
    broker.state.value.payloads(state).compactMap { payload in
      payload.split(separator: "\"stepsToday\":").last.flatMap { Int($0.prefix { $0.isNumber }) }
    }
  }

  @Test("a new connection gets discovery, then the figures, then the availability, all retained")
  func greeting() async throws {
    try await running(service()) { await clock.waitForSleepers() }
    let sent = broker.state.value.messages.map(\.message)
    #expect(sent.prefix(10).allSatisfy { $0.topic.hasPrefix("homeassistant/") })
    #expect(
      sent.dropFirst(10).map(\.topic) == [topics.state, topics.sources, topics.availability, topics.availability])
    #expect(sent.allSatisfy { $0.isRetained })
    #expect(broker.state.value.payloads(topics.availability) == ["online", "offline"])
  }

  @Test("it subscribes before it says that it is online, so no message to it is lost")
  func subscribesFirst() async throws {
    try await running(service { $0.subscriptions = ["watch/+"] }) { await clock.waitForSleepers() }
    let order = broker.state.value.topics
    #expect(try #require(order.firstIndex(of: "watch/+")) < #require(order.firstIndex(of: topics.availability)))
  }

  @Test("no description of the service, such as a log of all parts, contains the password")
  func secrecy() throws {
    let service = service { ($0.user, $0.password) = ("ann", "s3cret word") }
    var dumped = ""
    dump(service, to: &dumped)
    for text in ["\(service)", String(reflecting: service), "\(service.settings)", dumped] {
      #expect(!text.contains("s3cret") && text.contains("hidden"), "\(text)")
    }
  }

  @Test("without discovery only the service's own topics are used")
  func plain() async throws {
    try await running(service { $0.discovery = nil }) { await clock.waitForSleepers() }
    #expect(broker.state.value.messages.allSatisfy { $0.message.topic.hasPrefix("home/ann/") })
  }

  @Test("figures are published when they have changed, and not again")
  func changes() async throws {
    try await running(service()) {
      await clock.waitForSleepers()
      for count in [100, 100, 117, 117, 130] {
        figures.set(steps: count)
        clock.advance(by: MQTTService.interval)
        await clock.waitForSleepers()
      }
    }
    #expect(steps == [100, 117, 130])
  }

  @Test("while a message is not acknowledged only the newest figures wait")
  func slow() async throws {
    try await running(service { $0.discovery = nil }) {
      await clock.waitForSleepers()
      broker.state.update { $0.acknowledges = false }
      figures.set(steps: 101)
      clock.advance(by: MQTTService.interval)
      await broker.state.wait { $0.payloads("home/ann/state").count == 2 }
      for count in [102, 103, 104] {
        figures.set(steps: count)
        clock.advance(by: MQTTService.interval)
      }
      #expect(steps == [100, 101])
      broker.state.update { $0.acknowledges = true }
      await clock.waitForSleepers()
      clock.advance(by: MQTTService.interval)
      await broker.state.wait { $0.payloads("home/ann/state").count == 3 }
    }
    #expect(steps == [100, 101, 104])
  }

  @Test("attempts follow after 1, 2, 4 … 60 seconds; ten minutes take fourteen; the reason is in the log once")
  func backoff() async throws {
    broker.state.update { $0.failure = .lost("Connection refused") }
    let start = clock.now
    try await running(service()) {
      var waits: [Double] = []
      while start.duration(to: clock.now) < .seconds(600) {
        await clock.waitForSleepers()
        let wait = clock.now.duration(to: try #require(clock.nextDeadline))
        waits.append(wait / .seconds(1))
        clock.advance(by: wait)
      }
      await clock.waitForSleepers()
      #expect(waits == [1, 2, 4, 8, 16, 32] + Array(repeating: 60, count: 9))
    }
    #expect(broker.state.value.attempts == 16)
    let lines = log.all.filter { $0.contains("cannot connect") }
    #expect(lines.count == 1 && lines[0].contains("mqtt://broker.example:1883: Connection refused; trying again"))
  }

  @Test("after ten minutes without the broker it gets the newest figures, once, and nothing of the time between")
  func outage() async throws {
    try await running(service()) {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(70))
      await clock.waitForSleepers()
      let before = broker.state.value.messages.count
      broker.fall(.lost(MQTTFailure.hungUp))
      for count in stride(from: 200, through: 800, by: 60) {
        figures.set(steps: count)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
      }
      #expect(broker.state.value.messages.count == before)
      broker.state.update { $0.failure = nil }
      await clock.flying { await broker.state.wait { $0.payloads("home/ann/availability").count == 2 } }
    }
    #expect(steps == [100, 800])
    #expect(broker.state.value.payloads(topics.availability) == ["online", "online", "offline"])
  }

  @Test("a broker that accepts and hangs up at once is not asked ever faster")
  func hangup() async throws {
    try await running(service { $0.discovery = nil }) {
      for expected in [1.0, 2, 4] {
        await clock.waitForSleepers()
        broker.fall(.lost(MQTTFailure.hungUp))
        broker.state.update { $0.failure = nil }
        let attempts = broker.state.value.attempts
        await broker.state.wait { $0.closed.count == attempts }
        let due = clock.now.advanced(by: .seconds(expected))
        while clock.nextDeadline != due { await Task.yield() }
        clock.advance(by: .seconds(expected))
        await broker.state.wait { $0.attempts == attempts + 1 }
        await broker.state.wait { $0.payloads("home/ann/availability").count == attempts + 1 }
      }
    }
  }

  @Test("a shutdown while the broker does not answer does not leave the device online")
  func hung() async throws {
    broker.state.update { $0.acknowledges = false }
    let group = ServiceGroup(configuration: .init(services: [service()], logger: .silent))
    let task = Task { try await group.run() }
    await broker.state.wait { !$0.messages.isEmpty }
    await group.triggerGracefulShutdown()
    await clock.waitForSleepers()
    clock.advance(by: MQTTService.timeout)
    try await task.value
    // The broker publishes the will.
    #expect(broker.state.value.closed == [1] && !broker.state.value.isOrderly)
    #expect(broker.state.value.payloads(topics.availability).isEmpty)
  }

  @Test("without the last acknowledgement it ends after two seconds")
  func farewell() async throws {
    let group = ServiceGroup(configuration: .init(services: [service()], logger: .silent))
    let task = Task { try await group.run() }
    await clock.waitForSleepers()
    broker.state.update { $0.acknowledges = false }
    await group.triggerGracefulShutdown()
    await broker.state.wait { $0.payloads("home/ann/availability").last == "offline" }
    let due = clock.now.advanced(by: MQTTService.timeout)
    while clock.nextDeadline != due { await Task.yield() }
    clock.advance(by: MQTTService.timeout)
    try await task.value
    #expect(broker.state.value.closed == [1])
  }

  @Test("each message is stored and acknowledged once, also those that arrive just before the end")
  func lateMessages() async throws {
    let (time, stored) = (ServiceClock.manual(clock), Observed(0))
    let clients = ClientSources(
      registry: SourceRegistry(), access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: time,
      journals: nil, outlet: OutletLog().outlet, limits: ServiceLimits())
    let messages = ClientMessages(clients: clients, clock: time) { steps, _ in
      stored.update { $0 += steps.count }
      return HistoryReceipt()
    }
    let periods = (0..<40).map { minute in
      let start = time.now() - 86_400 + 60 * Double(minute)
      var message = MQTTMessage(
        "in/w", #"{"start":"\#(start.ISO8601Format())","end":"\#((start + 60).ISO8601Format())","steps":90}"#,
        isRetained: false)
      message.number = UInt16(minute + 1)
      return message
    }
    var service = service { $0.subscriptions = ["in/#"] }
    service.intake = MQTTIntake(messages: messages, limits: ServiceLimits(), clock: time, logger: log.logger)
    try await running(service) {
      await clock.waitForSleepers()
      for period in periods { broker.deliver(period) }
    }
    #expect(stored.value == 40 * 90)
    #expect(broker.state.value.finished == periods)
  }

  @Test("a wrong password is named in the log with its settings")
  func refused() async throws {
    broker.state.update { $0.failure = .refused(code: 5) }
    try await running(service()) { await clock.waitForSleepers() }
    #expect(log.all.contains { $0.contains("check mqtt.username and mqtt.password-file") })
  }
}
