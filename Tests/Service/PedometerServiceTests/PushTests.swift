import Foundation
import Glibc
import History
import Logging
import Pedometry
import ServiceTransport
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceSettings

@Suite("Telling other services", .timeLimit(.minutes(30)), .ownThreads)
final class PushTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let writer: HistoryWriter
  private let walks: WalkAnswers
  /// The evening of 3 May 2026, in UTC.
  private static let now = Date(timeIntervalSince1970: 1_777_832_000)

  init() throws {
    directory = try TemporaryDirectory()
    writer = try HistoryWriter(folder: HistoryFolder(path: directory.path), application: "test")
    walks = try WalkAnswers(folder: directory.path)
  }

  deinit { writer.close() }

  /// Adds a minute at noon, some days ago.
  private static func walk(_ steps: Int, _ days: Int, before now: Date, _ writer: HistoryWriter) throws {
    let noon = DayCalendar(timeZone: .gmt).day(containing: now).start + 43_200 - Double(days) * 86_400
    _ = try writer.add([
      HistoryMinute(
        start: noon, source: HistorySource(identity: "usb:1", name: "Wrist"),
        totals: WalkTotals(steps: steps, distanceTravelled: Double(steps) * 0.75, activeTime: .seconds(50)))
    ])
  }

  private func walk(_ steps: Int, daysAgo days: Int) throws {
    try Self.walk(steps, days, before: Self.now, writer)
  }

  private func target(_ yaml: String, _ token: String? = nil) throws -> PushTarget {
    var lines = yaml
    if let token {
      let path = try directory.write(Array("\(token)\n".utf8), to: "token")
      try #require(unsafe chmod(path, 0o600) == 0)
      lines += "\n  token-file: \(path)"
    }
    return try #require(try PushTarget(ConfigurationFile.parse("push:\n  \(lines)", path: "p.yaml")))
  }

  private func service(_ transport: any Transport, _ yaml: String = "url: http://other.example/days") throws
    -> PushService
  {
    let (reader, time) = (
      try HistoryReader(folder: HistoryFolder(path: directory.path)), ServiceClock.manual(clock, from: Self.now)
    )
    let target = try target(yaml)
    return PushService(
      target: target, transport: transport, ledger: PushLedger(folder: directory.path),
      days: { [walks] in
        try PushedDay.days(target.days, of: reader, walks, DayCalendar(timeZone: .gmt), now: time.now())
      },
      clock: time, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private static func bodies(_ transport: StubTransport) -> [String] {
    transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test("each day that has ended is told once, the oldest first, and again if it changes; today is not")
  func onceEach() async throws {
    try walk(100, daysAgo: 2)
    try walk(90, daysAgo: 1)
    try walk(80, daysAgo: 0)
    let transport = StubTransport()
    let service = try service(
      transport, "url: http://other.example/days\n  body: '{date} {steps} {distance} {activeTime}'")
    #expect(try await service.tell() == 2)
    #expect(Self.bodies(transport) == ["2026-05-01 100 75 50", "2026-05-02 90 68 50"])
    #expect(try await service.tell() == 0)
    try walk(95, daysAgo: 1)
    #expect(try await service.tell() == 1)
    #expect(Self.bodies(transport).last == "2026-05-02 95 71 50")
    clock.advance(by: .seconds(86_400))
    #expect(try await service.tell() == 1)
    #expect(Self.bodies(transport).last?.hasPrefix("2026-05-03 80 ") == true)
  }

  @Test(
    "a day that fails is told again before the next one, whether it was refused or its answer was lost",
    arguments: [
      StubTransport.Answer.response(status: 503, body: "later"),
      .failure(TransportError.interrupted(address: "other.example", reason: "reset")),
    ])
  func failure(_ answer: StubTransport.Answer) async throws {
    try walk(100, daysAgo: 2)
    try walk(90, daysAgo: 1)
    let transport = StubTransport([answer])
    let service = try service(transport, "url: http://other.example/days\n  body: '{date}'")
    await #expect(throws: (any Error).self) { try await service.tell() }
    #expect(Self.bodies(transport) == ["2026-05-01"])
    #expect(try await service.tell() == 2)
    #expect(Self.bodies(transport) == ["2026-05-01", "2026-05-01", "2026-05-02"])
  }

  @Test("a day that is refused for itself does not keep the others from being told, and is tried again")
  func refusedDay() async throws {
    try walk(100, daysAgo: 2)
    try walk(90, daysAgo: 1)
    let transport = StubTransport([.response(status: 422, body: "no")])
    let service = try service(transport, "url: http://other.example/days\n  body: '{date}'")
    let failure = await #expect(throws: PushService.Failure.self) { try await service.tell() }
    #expect(failure?.description.hasSuffix("was answered with 422: no") == true)
    #expect(Self.bodies(transport) == ["2026-05-01", "2026-05-02"])
    #expect(try await service.tell() == 1)
    #expect(Self.bodies(transport).last == "2026-05-01")
  }

  @Test("a walk that was none does not count for others either, and its answer makes the day due again")
  func corrected() async throws {
    try walk(100, daysAgo: 1)
    let transport = StubTransport()
    let service = try service(transport, "url: http://other.example/days\n  body: '{date} {steps} {distance}'")
    #expect(try await service.tell() == 1)
    let noon = DayCalendar(timeZone: .gmt).day(containing: Self.now).start - 43_200
    try walks.answer(from: noon, to: noon + 60, "a bus")
    #expect(try await service.tell() == 1)
    #expect(Self.bodies(transport) == ["2026-05-02 100 75", "2026-05-02 0 0"])
  }

  @Test("the running service waits twice as long after each failure, and ends when it is cancelled")
  func backoff() async throws {
    try walk(100, daysAgo: 1)
    let busy = StubTransport.Answer.response(status: 500, body: "")
    let transport = StubTransport([busy, busy])
    let service = try service(transport)
    let running = Task { try await service.run() }
    for (count, wait) in [(1, 30), (2, 60)] {
      await transport.waitForRequests(count)
      await clock.waitForSleeper(until: clock.now.advanced(by: .seconds(wait)))
      clock.advance(by: .seconds(wait))
    }
    await transport.waitForRequests(3)
    await clock.waitForSleeper(until: clock.now.advanced(by: PushService.interval))
    clock.advance(by: PushService.interval)
    await clock.waitForSleeper(until: clock.now.advanced(by: PushService.interval))
    #expect(transport.requests.count == 3)
    running.cancel()
    try await running.value
  }

  private static let date = "2026-05-02"
  private static let span = (start: "2026-05-02T00:00:00Z", end: "2026-05-03T00:00:00Z")
  private static let uuid = "70656400-6f6d-4000-8000-000020260502"

  @Test(
    "each service gets the form of its public description",
    arguments: [
      (
        "sparkyfitness", "/api/health-data", "Authorization: Bearer secret",
        #"[{"type":"step","value":90,"date":"\#(date)","source":"pedometer"}]"#
      ),
      ("endurain", "/api/v1/health/steps", "Authorization: Bearer secret", #"{"date":"\#(date)","steps":90}"#),
      (
        "open-wearables", "/api/v1/sdk/users/7/sync", "X-Open-Wearables-API-Key: secret",
        #"{"provider":"apple","sdkVersion":"1.0.0","syncTimestamp":"\#(span.end)","data":{"records":[{"id":"\#(uuid)","#
          + #""type":"HKQuantityTypeIdentifierStepCount","startDate":"\#(span.start)","endDate":"\#(span.end)","value":90,"unit":"count"}]}}"#
      ),
      (
        "wger", "/api/v2/measurement/", "Authorization: Token secret",
        #"{"category":"7","date":"\#(span.start)","value":90,"external_id":"\#(uuid)"}"#
      ),
      (
        "webhook", "", "Authorization: Bearer secret",
        #"{"date":"\#(date)","steps":90,"distance":68,"activeTime":50,"start":"\#(span.start)","end":"\#(span.end)"}"#
      ),
    ])
  func forms(_ name: String, _ path: String, _ header: String, _ body: String) throws {
    try walk(90, daysAgo: 1)
    let reader = try HistoryReader(folder: HistoryFolder(path: directory.path))
    let day = try #require(
      try PushedDay.days(1, of: reader, walks, DayCalendar(timeZone: .gmt), now: Self.now).first)
    let request = try target("to: \(name)\n  url: https://other.example/\n  id: 7", "secret").request(day)
    #expect(request.url == "https://other.example" + path && request.method == "POST")
    #expect(request.headers.contains { "\($0.name): \($0.value)" == header }, "\(request.headers)")
    #expect(String(decoding: request.body, as: UTF8.self) == body)
    #expect((try? JSONSerialization.jsonObject(with: Data(request.body))) != nil)
  }

  @Test(
    "wger: the entry of the day that is there is changed, and another one is not added", arguments: [#""abc""#, "7"])
  func entry(id: String) async throws {
    try walk(90, daysAgo: 1)
    let transport = StubTransport([
      .response(status: 200, body: #"{"count":0,"results":[]}"#), .response(status: 201, body: "{}"),
      .response(status: 200, body: #"{"count":1,"results":[{"id":\#(id),"value":90}]}"#),
    ])
    let service = try service(transport, "to: wger\n  url: https://wger.example\n  id: 7")
    #expect(try await service.tell() == 1)
    try walk(95, daysAgo: 1)
    #expect(try await service.tell() == 1)
    let base = "https://wger.example/api/v2/measurement/"
    let search = "GET \(base)?category=7&external_id=\(Self.uuid)"
    let change = "PATCH \(base)\(id.filter { $0 != "\"" })/"
    #expect(transport.requests.map { "\($0.method) \($0.url)" } == [search, "POST \(base)", search, change])
  }

  @Test(
    "a token for another machine needs https, or there is a warning",
    arguments: [
      ("http://other.example", true), ("https://other.example", false), ("http://127.0.0.1:8000", false),
      ("http://[::1]:8000", false),
    ])
  func exposed(url: String, isExposed: Bool) throws {
    #expect(try target("url: \(url)", "secret").exposesToken == isExposed)
    #expect(try !target("url: \(url)").exposesToken)
  }

  @Test("a header whose token is not given is left out, and method, header and body are those of the settings")
  func settings() throws {
    try walk(90, daysAgo: 1)
    let reader = try HistoryReader(folder: HistoryFolder(path: directory.path))
    let day = try #require(try PushedDay.days(1, of: reader, walks, DayCalendar(timeZone: .gmt), now: Self.now).first)
    #expect(try target("url: http://other.example").request(day).headers.map(\.name) == ["Content-Type"])
    let own = "url: 'http://other.example/{date}'\n  method: PUT\n  header: 'X-Key: {token}'\n  body: '{steps}'"
    let request = try target(own, "secret").request(day)
    #expect(request.method == "PUT" && request.url == "http://other.example/2026-05-02")
    #expect(request.headers.first == .init("X-Key", "secret") && request.body == Array("90".utf8))
  }

  @Test(
    "settings that cannot be right are refused with what to do",
    arguments: [
      ("to: wger", "push.url is missing"), ("url: ftp://other.example", "is not an address; write https://HOST"),
      ("url: https://ann:secret@other.example", "is not an address"),
      ("url: https://other.example\n  to: strava", "is none of the services endurain, open-wearables"),
      ("url: https://other.example\n  to: wger", "push.id is missing"),
      ("url: https://other.example\n  days: 0", "is not a number of days from 1 to 3660"),
      ("url: https://other.example\n  token-file: /nowhere/token", "push.token-file /nowhere/token cannot be opened"),
    ])
  func refused(_ yaml: String, _ reason: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try target(yaml) }
    #expect(error?.description.contains(reason) == true, "\(error as Any)")
  }

  // MARK: the process

  /// A service that is told days, and answers the requests with some numbers.
  private func receiver(answering answered: Set<Int>) throws -> (server: LoopbackServer, bodies: Observed<[String]>) {
    let bodies = Observed<[String]>([])
    let server = try LoopbackServer { connection in
      let text = connection.receive(upTo: "Z\"}")
      let number = bodies.update { all in
        all.append(text.components(separatedBy: "\r\n\r\n").last ?? "")
        return all.count
      }
      if answered.contains(number) {
        connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      } else {
        connection.waitForEnd()
      }
    }
    return (server, bodies)
  }

  @Test("a process that is killed before an answer tells the day again, and one that was acknowledged not")
  func killed() async throws {
    let state = directory.path + "/own"
    let history = try HistoryWriter(folder: HistoryFolder(path: state), application: "test")
    try Self.walk(100, 2, before: Date(), history)
    try Self.walk(90, 1, before: Date(), history)
    history.close()
    // Without an answer: the first time of each day.
    let (server, bodies) = try receiver(answering: [2, 4])
    defer { server.close() }
    let yaml = "time-zone: UTC\npush:\n  url: http://127.0.0.1:\(server.port)\n  days: 5\n"
    let configuration = try directory.write(Array(yaml.utf8), to: "pedometerd.yaml")
    for count in [1, 3, 4] {
      let running = try Executable.built("pedometerd").start([
        "--config", configuration, "--state", state, "--listen", "localhost:0", "--source", "iio:none",
      ])
      await bodies.wait { $0.count >= count }
      running.send(signal: SIGKILL)
      #expect(try running.finish().ending == .signal(SIGKILL))
    }
    let steps = bodies.value.map { body in
      body.contains("\"steps\":100,") ? 100 : body.contains("\"steps\":90,") ? 90 : 0
    }
    #expect(steps == [100, 100, 90, 90], "\(bodies.value)")
    #expect(bodies.value[0] == bodies.value[1] && bodies.value[2] == bodies.value[3])
  }

  @Test("'pedometerd push --dry-run' shows what is due without the token, and sends nothing")
  func dryRun() throws {
    let state = directory.path + "/own"
    let history = try HistoryWriter(folder: HistoryFolder(path: state), application: "test")
    try Self.walk(100, 1, before: Date(), history)
    history.close()
    let yaml = "time-zone: UTC\nstate: \(state)\npush:\n  url: http://127.0.0.1:9\n  token-file: /nowhere/token\n"
    let configuration = try directory.write(Array(yaml.utf8), to: "pedometerd.yaml")
    let command = try Executable.built("pedometerd")
    let shown = try command.run(["push", "--dry-run", "--config", configuration])
    #expect(
      shown.exitCode == 0 && shown.output.hasPrefix("POST http://127.0.0.1:9\nAuthorization: Bearer (hidden)\n"),
      "\(shown)")
    #expect(shown.output.contains("\"steps\":100,"))
    #expect(try command.run(["push", "--config", configuration]).exitCode == 64)
    let none = try command.run(["push", "--dry-run", "--config", "/dev/null"])
    #expect(none.exitCode == 78 && none.errors.contains("has no 'push'"), "\(none)")
  }
}
