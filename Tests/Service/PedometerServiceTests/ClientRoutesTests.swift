import Accelerometry
import Foundation
import HTTPTypes
import History
import Recordings
import StepDetection
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("Samples and steps of clients", .timeLimit(.minutes(30)), .ownThreads)
final class ClientRoutesTests {
  let clock = ManualClock()
  let log = OutletLog()
  let registry = SourceRegistry()
  let clients: ClientSources
  let service: FakeService
  private let folder: TemporaryDirectory

  init() throws {
    var limits = ServiceLimits()
    limits.clients = 3
    limits.waitingSamples = 20_000
    let clients = ClientSources(
      registry: registry, access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: .manual(clock),
      journals: nil, outlet: log.outlet, limits: limits)
    folder = try TemporaryDirectory()
    let time = ServiceClock.manual(clock)
    let writer = try HistoryWriter(
      folder: HistoryFolder(path: folder.path), application: "test",
      clock: HistoryClock(now: time.now, uptime: time.elapsed, bootID: "boot"))
    self.clients = clients
    service = try FakeService(
      groups: [
        ClientRoutes(clients: clients, limits: limits, clock: time) { steps, source in
          try writer.record(period: steps, source: source)
        }
      ])
  }

  private struct Answer: Decodable {
    var source: String
    var accepted: Int
    var repeated: Int
    var skipped: Int?
    var impossible: Int?
  }

  private func post(_ path: String, _ body: String, _ headers: HTTPFields = .json) async throws -> ServiceAnswer {
    try await service.ask(.post, path, headers, body: body)
  }

  private func receipt(_ answer: ServiceAnswer) throws -> Answer {
    try #require(answer.status == .ok, "\(answer.text)")
    return try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView))
  }

  private static func lines(_ samples: some Sequence<AccelerationSample>) -> String {
    samples.map {
      let a = $0.acceleration
      return "{\"t\":\(Double($0.nanoseconds) / 1e9),\"x\":\(a.x),\"y\":\(a.y),\"z\":\(a.z)}\n"
    }.joined()
  }

  /// A walk in messages every half second.
  private static func messages(seconds: Double) throws -> [String] {
    let samples = try SyntheticWalk.brisk(seconds: seconds).samples()
    return stride(from: 0, to: samples.count, by: 25).map { lines(samples[$0..<min($0 + 25, samples.count)]) }
  }

  private static func reference(seconds: Double) throws -> Int {
    var counter = WalkCounter()
    let samples = try SyntheticWalk.brisk(seconds: seconds).samples()
    return counter.process(samples.span).count + counter.finish().count
  }

  /// Counts the received samples until the service would shut down.
  private func count() async throws {
    let running = Task { [clients] in try await clients.run() }
    running.cancel()
    try await running.value
  }

  @Test("a walk sent by a client is counted like a sensor's, and repeated messages count once")
  func walk() async throws {
    for (number, message) in try Self.messages(seconds: 60).enumerated() {
      clock.advance(by: .milliseconds(500))
      let path = "/api/samples?source=ann&session=s&seq=\(number)"
      let count = message.split(separator: "\n").count
      #expect(try receipt(try await post(path, message)).accepted == count)
      if number % 7 == 0 {
        let again = try receipt(try await post(path, message))
        #expect(again.accepted == 0 && again.repeated == count)
      }
    }
    try await count()
    let expected = try Self.reference(seconds: 60)
    #expect(log.steps.count == expected && expected > 110)
    #expect(registry.states.map(\.uri) == ["client:ann"] && registry.states.first?.steps == expected)
    #expect(Set(log.sources.map(\.identity)) == ["client:ann"])
    #expect(log.all.contains { $0.contains(#""source":"client:ann""#) && $0.contains(#""event":"started""#) })
  }

  @Test("samples that a phone queued without a network are counted with their original times")
  func cut() async throws {
    var now = 0.0
    for (number, message) in try Self.messages(seconds: 60).enumerated() {
      // Twenty seconds without a network, then everything at once.
      let arrival = (40..<80).contains(number) ? 40 : Double(number + 1) / 2
      clock.advance(by: .seconds(arrival - now))
      now = arrival
      _ = try receipt(try await post("/api/samples?source=ann&session=s&seq=\(number)&sent=\(now)", message))
    }
    try await count()
    let expected = try Self.reference(seconds: 60)
    #expect(log.steps.count == expected)
    let times = log.steps.map { $0.timestamp / .seconds(1) }
    let widest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect(widest < 1)
  }

  @Test("two clients are two sources; an invalid name, and too many clients, are refused")
  func several() async throws {
    let message = try Self.messages(seconds: 1)[0]
    for name in ["a", "b", "c"] { _ = try receipt(try await post("/api/samples?source=\(name)", message)) }
    let fourth = try await post("/api/samples?source=d", message)
    #expect(fourth.status == .tooManyRequests && fourth.headers[.retryAfter] != nil)
    #expect(try await post("/api/samples", message).reason?.contains("?source=NAME") == true)
    #expect(try await post("/api/samples?source=a%20b", message).reason?.contains("ann-phone") == true)
    #expect(registry.states.count == 3)
  }

  @Test("a client whose messages are all refused is not a source, and takes no other client's place")
  func refused() async throws {
    for number in 0..<10 {
      #expect(try await post("/api/samples?source=bad\(number)", #"{"a":1}"#).status == .badRequest)
    }
    #expect(registry.states.isEmpty)
    let message = try Self.messages(seconds: 1)[0]
    for name in ["a", "b", "c"] {
      #expect(try await post("/api/samples?source=\(name)", message).status == .ok)
      // A later refusal does not remove it.
      #expect(try await post("/api/samples?source=\(name)", #"{"a":1}"#).status == .badRequest)
    }
    #expect(try await post("/api/samples?source=d", message).status == .tooManyRequests)
    #expect(registry.states.count == 3)
  }

  @Test("missing gravity is tolerated at first, and reported after ten messages")
  func weightless() async throws {
    let zeros = { (message: Int) in
      Self.lines(
        (0..<25).map {
          AccelerationSample(nanoseconds: Int64(message * 25 + $0) * 20_000_000, acceleration: SIMD3(0, 0, 0))
        })
    }
    for number in 0..<9 { _ = try receipt(try await post("/api/samples?source=ann&seq=\(number)", zeros(number))) }
    try await count()
    #expect(!log.all.contains { $0.contains("no gravity") })
    let last = try ClientRoutesTests()
    for number in 0..<10 {
      _ = try last.receipt(try await last.post("/api/samples?source=ann&seq=\(number)", zeros(number)))
    }
    try await last.count()
    #expect(last.log.all.contains { $0.contains(#""event":"warning""#) && $0.contains("no gravity") })
  }

  @Test("two phones with one name are not mixed: the first one is refused")
  func sameName() async throws {
    let messages = try Self.messages(seconds: 2)
    _ = try receipt(try await post("/api/samples?source=ann&session=one&seq=0", messages[0]))
    _ = try receipt(try await post("/api/samples?source=ann&session=two&seq=0", messages[0]))
    let first = try await post("/api/samples?source=ann&session=one&seq=1", messages[1])
    #expect(first.status == .conflict && first.reason?.contains("another name") == true)
    #expect(try receipt(try await post("/api/samples?source=ann&session=two&seq=1", messages[1])).accepted == 25)
  }

  @Test("if samples arrive faster than they are counted, the client must wait, and the message is not accepted")
  func pressure() async throws {
    let message = Self.lines(
      (0..<2000).map { AccelerationSample(nanoseconds: Int64($0) * 1_000_000, acceleration: SIMD3(0, 0, 1)) })
    var refused: ServiceAnswer?
    var accepted = 0
    for number in 0..<15 where refused == nil {
      let answer = try await post("/api/samples?source=ann&session=\(number)&seq=0", message)
      if answer.status == .ok { accepted += 1 } else { refused = answer }
    }
    #expect(accepted == 10)
    #expect(refused?.status == .tooManyRequests && refused?.headers[.retryAfter] == "1")
    try await count()
    #expect(try receipt(try await post("/api/samples?source=ann&session=10&seq=0", message)).accepted == 2000)
  }

  @Test(
    "invalid messages are refused with a remedy",
    arguments: [
      ("source=a", "{\"t\":0", "line 1 is not JSON"),
      ("source=a", "{}", "no samples found"),
      ("source=a&seq=-1", "{\"t\":0,\"x\":0,\"y\":0,\"z\":1}", "'seq' is a whole number"),
      ("source=a&sent=now", "{\"t\":0,\"x\":0,\"y\":0,\"z\":1}", "'sent' is the client's time"),
      ("source=a&units=lb", "{\"t\":0,\"x\":0,\"y\":0,\"z\":1}", "'units' is g"),
      ("source=a&sequence=1", "{\"t\":0,\"x\":0,\"y\":0,\"z\":1}", "'sequence' is not a parameter"),
    ])
  func refused(_ query: String, _ body: String, _ reason: String) async throws {
    let answer = try await post("/api/samples?\(query)", body)
    #expect(answer.status == .badRequest && answer.reason?.contains(reason) == true, "\(answer.text)")
    let text = try await post("/api/samples?source=a", body, [.contentType: "text/plain"])
    #expect(text.status == .unsupportedMediaType)
  }

  private static func steps(
    _ source: String = "watch", _ start: String = "2026-11-18T00:00:00Z", _ end: String = "2026-11-18T00:10:00Z",
    _ steps: Int = 1000
  ) -> String {
    "{\"source\":\"\(source)\",\"start\":\"\(start)\",\"end\":\"\(end)\",\"steps\":\(steps)}"
  }

  @Test("finished steps are stored once, however often they are sent")
  func finished() async throws {
    let first = try receipt(try await post("/api/steps", Self.steps()))
    #expect(first.source == "client:watch" && first.accepted == 1000 && first.repeated == 0)
    let again = try receipt(try await post("/api/steps", Self.steps()))
    #expect(again.accepted == 0 && again.repeated == 1000)
    // A part of the period is recognised by its times.
    let part = Self.steps("watch", "2026-11-18T00:00:00Z", "2026-11-18T00:05:00Z", 500)
    #expect(try receipt(try await post("/api/steps", part)).repeated == 500)
    let next = Self.steps("watch", "2026-11-18T00:10:00Z", "2026-11-18T00:20:00Z", 900)
    #expect(try receipt(try await post("/api/steps", next)).accepted == 900)
    #expect(registry.states.first?.steps == 1900 && registry.states.first?.state == .waiting)
  }

  @Test("periods count in any order; one that overlaps with another is repeated, and the answer says so")
  func disorder() async throws {
    _ = try receipt(try await post("/api/steps", Self.steps()))
    let early = Self.steps("watch", "2026-11-17T22:00:00Z", "2026-11-17T22:10:00Z", 800)
    #expect(try receipt(try await post("/api/steps", early)).accepted == 800)
    let answer = try await post("/api/steps", Self.steps("watch", "2026-11-17T22:05:00Z", "2026-11-17T22:20:00Z", 900))
    #expect(try receipt(answer).accepted == 0)
    #expect(answer.text.contains(#""remark":"900 of 900 steps are in a time in which this source has steps"#))
    #expect(try await !post("/api/steps", early).text.contains("remark"))
  }

  @Test("times that no clock shows are left out, and the next messages count", arguments: ["-8.9e9", "3.9e9", "0"])
  func extremeClock(_ sent: String) async throws {
    for times in ["-9e9,-8e9,9.2e9,9.3e9", "-3.9e9,-1,0,3.9e9", "9223372036.8,9223372036.9,1e300,5"] {
      let lines = times.split(separator: ",").map { "{\"t\":\($0),\"x\":0,\"y\":0,\"z\":1}\n" }.joined()
      _ = try await post("/api/samples?source=a&sent=\(sent)&units=g", lines)
    }
    #expect(try await post("/api/samples?source=b", try Self.messages(seconds: 1)[0]).status == .ok)
  }

  @Test("a client that sends samples may not send steps, because its steps are counted already")
  func both() async throws {
    _ = try receipt(try await post("/api/samples?source=a", try Self.messages(seconds: 1)[0]))
    #expect(try await post("/api/steps", Self.steps("a")).status == .conflict)
    _ = try receipt(try await post("/api/steps", Self.steps("b")))
    #expect(try await post("/api/samples?source=b", try Self.messages(seconds: 1)[0]).status == .conflict)
  }

  @Test(
    "impossible steps are refused with a remedy",
    arguments: [
      (steps("w", "2026-11-18T00:00:00Z", "2026-11-18T00:01:00Z", 301), "more than 5 per second"),
      (steps("w", "2026-11-18T00:10:00Z", "2026-11-18T00:00:00Z"), "swap them"),
      (steps("w", "2026-11-16T00:00:00Z", "2026-11-18T00:00:00Z"), "longer than a day"),
      (steps("w", "2027-11-18T00:00:00Z", "2027-11-18T00:10:00Z"), "in the future"),
      (steps("w", "yesterday"), "offset from UTC"), (steps("w w"), "ann-phone"),
      (steps().replacing("1000", with: "0"), "from 1 to"), ("{\"source\":\"w\"}", "'start' is missing"),
    ])
  func impossible(_ body: String, _ reason: String) async throws {
    let answer = try await post("/api/steps", body)
    #expect(answer.status == .badRequest && answer.reason?.contains(reason) == true, "\(answer.text)")
  }
}
