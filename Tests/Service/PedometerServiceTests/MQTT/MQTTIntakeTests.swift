import Foundation
import History
import Recordings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceMessaging

/// Samples and steps that arrive on topics.
@Suite("Clients over MQTT", .timeLimit(.minutes(30)))
final class MQTTIntakeTests {
  private let clock = ManualClock()
  private let log = LogLines()
  private let registry = SourceRegistry()
  private let folder: TemporaryDirectory
  private let reader: HistoryReader
  private let intake: MQTTIntake
  private let arrivals: AsyncStream<MQTTMessage>
  private let arrival: AsyncStream<MQTTMessage>.Continuation
  private let stored = Observed(0)
  /// The messages that may be acknowledged.
  private let finished = Observed<[MQTTMessage]>([])
  /// How many of the next writes fail.
  private let failures = Observed(0)
  /// 2026-11-18, the start of the manual clock.
  private static let start = Date(timeIntervalSince1970: 1_795_000_000)

  init() throws {
    folder = try TemporaryDirectory()
    let time = ServiceClock.manual(clock)
    let writer = try HistoryWriter(
      folder: HistoryFolder(path: folder.path), application: "test",
      clock: HistoryClock(now: time.now, uptime: time.elapsed, bootID: "boot"))
    reader = try HistoryReader(folder: HistoryFolder(path: folder.path))
    let clients = ClientSources(
      registry: registry, access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: time, journals: nil,
      outlet: OutletLog().outlet, limits: ServiceLimits())
    let (stored, failures) = (stored, failures)
    let messages = ClientMessages(clients: clients, clock: time) { steps, source in
      let fails = failures.update { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
      if fails { throw StateFileError(path: "/history", errno: 28) }
      defer { stored.update { $0 += 1 } }
      return try writer.record(period: steps, source: source)
    }
    (arrivals, arrival) = AsyncStream.makeStream()
    intake = MQTTIntake(messages: messages, limits: ServiceLimits(), clock: time, logger: log.logger)
  }

  /// Adds a message.
  private func add(_ message: MQTTMessage) { arrival.yield(message) }

  /// Processes messages until they end, or the task is cancelled.
  private func start() -> Task<Void, Never> {
    Task { [intake, arrivals, finished] in
      await intake.run(arrivals) { message in finished.update { $0.append(message) } }
    }
  }

  private func run() async { await start().value }

  private func message(_ topic: String, _ text: String, isRetained: Bool = false) -> MQTTMessage {
    MQTTMessage(topic, text, isRetained: isRetained)
  }

  private static let minute = #"{"start":"2026-11-18T10:00:00Z","end":"2026-11-18T10:01:00Z","steps":90}"#

  private func total() throws -> Int {
    try reader.totals(from: Date(timeIntervalSince1970: 0), to: Self.start + 86_400).steps
  }

  /// Processes messages until a last one was stored.
  private func process(_ messages: [MQTTMessage], stores count: Int) async {
    let task = start()
    for message in messages { add(message) }
    await stored.wait { $0 >= count }
    task.cancel()
    await task.value
  }

  @Test("finished steps are stored once, however often and by whichever message they come; the topic is the name")
  func steps() async throws {
    let named = #"{"source":"ann","start":"2026-11-18T11:00:00Z","end":"2026-11-18T11:01:00Z","steps":60}"#
    await process(
      [message("watch/ann", Self.minute), message("watch/ann", Self.minute, isRetained: true), message("x", named)],
      stores: 2)
    #expect(try total() == 150)
    #expect(registry.states.map(\.uri) == ["client:watch.ann", "client:ann"])
  }

  @Test("steps that cannot be written now are written later")
  func full() async throws {
    failures.update { $0 = 2 }
    await clock.flying { await process([message("w", Self.minute)], stores: 1) }
    #expect(try total() == 90)
    #expect(log.all.count { $0.contains("MQTT topic w: ") } == 1)
  }

  @Test("a message is acknowledged when its steps are in the history, not before")
  func acknowledgement() async throws {
    failures.update { $0 = 1 }
    let task = start()
    add(Self.period(0))
    await clock.waitForSleepers()
    #expect(finished.value == [])
    #expect(try total() == 0)
    await clock.flying { await finished.wait { $0.count == 1 } }
    #expect(try total() == 90)
    task.cancel()
    await task.value
  }

  @Test("a message that cannot be understood is acknowledged, since it would come for ever")
  func nonsense() async {
    add(message("w", "nonsense"))
    arrival.finish()
    await run()
    #expect(finished.value.count == 1)
  }

  @Test(
    "at the end, all messages that have arrived are stored; those that cannot be are tried once, and stay with the broker"
  )
  func draining() async throws {
    for minute in 0..<90 { add(Self.period(minute)) }
    let task = start()
    task.cancel()
    await task.value
    #expect(try total() == 90 * 90)
    #expect(finished.value.count == 90)
  }

  @Test("messages that cannot be stored at the end are not acknowledged", arguments: [0, 1])
  func lost(_ waiting: Int) async throws {
    failures.update { $0 = 1000 }
    let task = start()
    for minute in 0..<3 { add(Self.period(minute)) }
    // The end comes before the first attempt, or while it is waited for the second.
    if waiting == 1 { await clock.waitForSleepers() }
    task.cancel()
    await task.value
    #expect(try total() == 0)
    #expect(finished.value == [])
  }

  @Test("a message that was too long to be read is refused with the limit")
  func tooLong() async {
    var message = MQTTMessage("w", "", isRetained: false)
    message.isTooLong = true
    add(message)
    arrival.finish()
    await run()
    #expect(finished.value == [message])
    #expect(log.all.contains { $0.contains("MQTT topic w: a message is longer than 524288 bytes; send less") })
  }

  @Test("a message that comes again is not counted again, and causes no line")
  func repetition() async throws {
    var again = Self.period(0)
    (again.number, again.isRepeated) = (1, true)
    // So many periods are not in memory any more, as after a restart.
    for minute in 0..<260 { add(Self.period(minute)) }
    add(again)
    arrival.finish()
    await run()
    #expect(try total() == 90 * 260)
    #expect(log.all == [])
  }

  private static func period(_ minute: Int) -> MQTTMessage {
    let start = Self.start - 86_400 * 3 + 60 * Double(minute)
    return MQTTMessage(
      "w", #"{"start":"\#(start.ISO8601Format())","end":"\#((start + 60).ISO8601Format())","steps":90}"#,
      isRetained: false)
  }

  @Test(
    "a period before the latest of its source counts; one that overlaps with it is reported, and one that comes twice is not"
  )
  func disorder() async throws {
    let early = #"{"start":"2026-11-18T08:00:00Z","end":"2026-11-18T08:10:00Z","steps":800}"#
    let overlapping = #"{"start":"2026-11-18T08:05:00Z","end":"2026-11-18T08:15:00Z","steps":800}"#
    await process(
      [
        message("v", Self.minute), message("v", Self.minute), message("w", Self.minute), message("w", early),
        message("w", overlapping), message("u", Self.minute),
      ], stores: 5)
    #expect(try total() == 90 + 800)
    #expect(log.all.count == 1, "\(log.all)")
    #expect(log.all.contains { $0.contains("MQTT topic w: 800 of 800 steps are in a time in which this source has") })
  }

  @Test("different topics are different clients")
  func names() {
    let topics = [
      "in/watch/ann", "in/watch.ann", "in.watch/ann", "in/\u{C4}nne", "in/\u{D6}nne", "in/ nne",
      String(repeating: "a", count: 64), String(repeating: "a", count: 65), "b/" + String(repeating: "a", count: 64),
    ]
    let names = topics.map(MQTTIntake.sourceName)
    #expect(Set(names).count == topics.count, "\(names)")
    #expect(names.allSatisfy { $0.utf8.count <= 64 })
    #expect(names[0] == "in.watch.ann" && names[6] == topics[6])
  }

  @Test("samples are counted under the name of their topic, and retained ones are not")
  func samples() async throws {
    let lines = try SyntheticWalk.brisk(seconds: 1).samples().map {
      "{\"t\":\(Double($0.nanoseconds) / 1e9),\"x\":\($0.acceleration.x),\"y\":\($0.acceleration.y),\"z\":\($0.acceleration.z)}\n"
    }.joined()
    await process(
      [
        message("phones/bob", lines, isRetained: true), message("phones/ann", lines), message("w", Self.minute),
      ], stores: 1)
    #expect(registry.states.map(\.uri) == ["client:phones.ann", "client:w"])
    #expect(log.all.contains { $0.contains("MQTT topic phones/bob: a retained message with samples is not counted") })
  }

  @Test(
    "a message that is neither is reported with its topic, once, and the next one is processed",
    arguments: [
      ("[]", "no samples found"), ("nonsense", "line 1 is not JSON"), (#"{"steps":5}"#, "'start' is missing"),
      (#"{"start":"2026-11-18T10:00:00Z","end":"2026-11-18T10:01:00Z","steps":5.5}"#, "a number in the body is not"),
      (#"{"start":"2026-11-18T10:00:00Z","end":"2026-11-18T09:00:00Z","steps":9}"#, "'end' is not after 'start'"),
    ])
  func invalid(_ text: String, _ reason: String) async throws {
    await process([message("bad", text), message("bad", text), message("w", Self.minute)], stores: 1)
    let lines = log.all.filter { $0.contains("MQTT topic bad: ") }
    #expect(lines.count == 1 && lines[0].contains(reason), "\(lines)")
    #expect(try total() == 90)
  }
}
