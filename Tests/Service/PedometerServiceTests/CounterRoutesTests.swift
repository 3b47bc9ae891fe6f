import Foundation
import HTTPTypes
import History
import HistoryImport
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("Counters of phones and watches", .timeLimit(.minutes(30)), .ownThreads)
final class CounterRoutesTests {
  private let registry = SourceRegistry()
  private let service: FakeService
  private let folder: TemporaryDirectory
  private let writer: HistoryWriter

  /// 2026-11-27T12:00:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_780_800)

  init() throws {
    let time = ServiceClock.manual(ManualClock(), from: Self.now)
    var limits = ServiceLimits()
    limits.clients = 3
    let clients = ClientSources(
      registry: registry, access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: time, journals: nil,
      outlet: OutletLog().outlet, limits: limits)
    folder = try TemporaryDirectory()
    let writer = try HistoryWriter(
      folder: HistoryFolder(path: folder.path), application: "test",
      clock: HistoryClock(now: time.now, uptime: time.elapsed, bootID: "boot"))
    self.writer = writer
    service = try FakeService(
      groups: [
        ClientRoutes(
          clients: clients, limits: limits, clock: time,
          count: { try writer.record($0, source: $1, stepLength: .fixed(0.7)) },
          keep: { try writer.record($0, source: $1) })
      ])
  }

  private struct Answer: Decodable, Equatable {
    var source = "client:ann-phone"
    var taken = true
    var restarted = false
    var accepted = 0
    var elsewhere = 0
    var dropped = 0
    var remark: String?
  }

  private func post(_ body: String, _ path: String = "/api/counters") async throws -> ServiceAnswer {
    try await service.ask(.post, path, .json, body: body)
  }

  private func read(_ time: String, _ steps: String, since: String = #""boot""#) async throws -> Answer {
    let answer = try await post(Self.body(time, steps, since: since))
    try #require(answer.status == .ok, "\(answer.text)")
    return try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView))
  }

  private static func body(
    _ time: String = "2026-11-27T10:00:00Z", _ steps: String = "100", since: String = #""boot""#,
    source: String = "ann-phone"
  ) -> String {
    let time = time.first?.isNumber == true && !time.contains("T") ? time : "\"\(time)\""
    return #"{"source":"\#(source)","time":\#(time),"steps":\#(steps),"since":\#(since)}"#
  }

  private func total() throws -> Int {
    try HistoryReader(folder: writer.folder).totals(from: .distantPast, to: .distantFuture).steps
  }

  @Test("the steps between readings are in the history, and what does not count is said")
  func readings() async throws {
    #expect(
      try await read("2026-11-27T10:00:00Z", "5000")
        == Answer(remark: "the first reading of this counter; steps count from here"))
    #expect(try await read("2026-11-27T10:10:00Z", "5900") == Answer(accepted: 900))
    #expect(
      try await read("2026-11-27T10:10:00Z", "5900") == Answer(taken: false, remark: "the same reading as before"))
    #expect(
      try await read("2026-11-27T10:05:00Z", "5400")
        == Answer(taken: false, remark: "not later than the latest reading, which counts already"))
    #expect(try await read("2026-11-27T11:20:00+01:00", "40") == Answer(restarted: true, accepted: 40))
    // Seconds since 1970, and a fraction of a health app.
    #expect(try await read("1795775400", "60.9") == Answer(accepted: 20))
    #expect(try total() == 960)
    #expect(registry.states.map(\.uri) == ["client:ann-phone"] && registry.states.first?.steps == 960)
  }

  @Test("several readings of one message count as if they came alone, in the order of their times")
  func severalReadings() async throws {
    let body =
      #"{"source":"ann-phone","since":"boot","readings":[{"time":"2026-11-27T10:20:00Z","steps":6000},"#
      + #"{"time":"2026-11-27T10:00:00Z","steps":5000},{"time":"2026-11-27T11:10:00+01:00","steps":5900}]}"#
    let answer = try await post(body)
    #expect(try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView)).accepted == 1000)
    #expect(try await post(body).text.contains(#""accepted":0,"#))
    #expect(try total() == 1000)
    #expect(try await post(#"{"source":"ann-phone","since":"boot","readings":[]}"#).status == .badRequest)
  }

  @Test("the sums of days that a shortcut sends count from the second day on, and again add nothing")
  func sumsOfDays() async throws {
    func list(_ today: Int) -> String {
      #"[{"value":"7961","type":"step","unit":"count","date":"2026-11-25"},{"value":"275","type":"water","date":"2026-11-26"},"#
        + #"{"value":\#(today),"type":"step","date":"2026-11-27"},{"value":"7860","type":"step","date":"2026-11-26"}]"#
    }
    let first = try await post(list(275))
    #expect(
      first.text.contains(#""source":"client:shortcut""#) && first.text.contains(#""accepted":8135,"#), "\(first.text)")
    #expect(try await post(list(275)).text.contains(#""accepted":0,"#))
    #expect(try total() == 8135)
    for body in [#"[{"type":"water","value":1,"date":"2026-11-27"}]"#, #"[{"type":"step","date":"2026-11-27"}]"#, "[]"]
    {
      #expect(try await post(body).status == .badRequest, "\(body)")
    }
  }

  @Test("steps since midnight begin anew with the day of the time's own offset")
  func midnight() async throws {
    let midnight = #""midnight""#
    _ = try await read("2026-11-26T23:50:00+01:00", "9000", since: midnight)
    #expect(
      try await read("2026-11-27T00:20:00+01:00", "900", since: midnight) == Answer(restarted: true, accepted: 900))
    // 23:00 UTC.
    let start = Date(timeIntervalSince1970: 1_795_734_000)
    let reader = try HistoryReader(folder: writer.folder)
    #expect(try reader.totals(from: start, to: start + 1200).steps == 900)
  }

  @Test("a day's sum counts whole on the next day")
  func nextDay() async throws {
    let midnight = #""midnight""#
    _ = try await read("2026-11-26T23:50:00+01:00", "9000", since: midnight)
    #expect(
      try await read("2026-11-27T09:00:00+01:00", "1200", since: midnight) == Answer(restarted: true, accepted: 1200))
    #expect(
      try await read("2026-11-27T10:00:00+01:00", "1190", since: midnight)
        == Answer(taken: false, remark: "fewer steps than before, so the earlier count stays"))
    #expect(try await read("2026-11-27T11:00:00+01:00", "1300", since: midnight) == Answer(accepted: 100))
    #expect(try total() == 1300)
  }

  @Test(
    "wrong readings are refused with a remedy",
    arguments: [
      (body("2026-11-27T10:00:00Z", "-1"), "a number from 0"),
      (body("2026-11-27T10:00:00Z", "1e12"), "a number from 0"),
      (body("2026-11-27T10:00:00Z", "NaN"), "not JSON"), (body("2026-11-27T10:00:00Z", "\"12\""), "wrong type"),
      (body("2026-11-28T10:00:00Z"), "in the future"), (body("1969-11-28T10:00:00Z"), "before 1970"),
      (body("today"), "offset from UTC"), (body("2026-11-27T10:00:00Z", since: "\"noon\""), "'since' is a time"),
      (body("2026-11-27T10:00:00Z", since: "\"2026-11-27T11:00:00Z\""), "not later than 'time'"),
      (body("1795775400", since: "\"midnight\""), "needs a 'time' with its offset"),
      (body(source: "ann phone"), "ann-phone"), (#"{"steps":1,"time":1,"since":"boot"}"#, "the device has no name"),
      (#"{"source":"a","time":1,"since":"boot"}"#, "'steps' is the count so far"),
      (#"{"source":"a","steps":1,"since":"boot"}"#, "'time' is missing"),
      (#"{"source":"a","steps":1,"time":1}"#, "boot, midnight or a time"), ("[]", "there is no reading; send one"),
    ])
  func refused(_ body: String, _ reason: String) async throws {
    let answer = try await post(body)
    #expect(answer.status == .badRequest && answer.reason?.contains(reason) == true, "\(answer.text)")
    #expect(registry.states.isEmpty)
  }

  @Test("a jump of 200,000 steps in a minute is refused; what follows it counts")
  func jump() async throws {
    _ = try await read("2026-11-27T10:00:00Z", "100")
    let jump = try await post(Self.body("2026-11-27T10:01:00Z", "200100"))
    #expect(
      jump.status == .badRequest && jump.reason?.hasPrefix("200000 steps in 60 s are more than people walk") == true,
      "\(jump.text)")
    #expect(try await read("2026-11-27T10:02:00Z", "200150") == Answer(accepted: 50))
    #expect(try total() == 50)
  }

  @Test("more than a day between two readings: the steps have no day, and are dropped")
  func pause() async throws {
    _ = try await read("2026-11-20T10:00:00Z", "100")
    let late = try await read("2026-11-27T10:00:00Z", "30100")
    #expect(late.dropped == 30_000 && late.accepted == 0 && late.taken && late.remark?.contains("25 hours") == true)
  }

  @Test("the same walk as finished steps of another device is not added again")
  func beside() async throws {
    _ = try await read("2026-11-27T10:00:00Z", "0")
    let walk = #"{"source":"watch","start":"2026-11-27T10:10:00Z","end":"2026-11-27T10:20:00Z","steps":1000}"#
    #expect(try await post(walk, "/api/steps").status == .ok)
    let answer = try await read("2026-11-27T11:00:00Z", "1100")
    #expect(answer.elsewhere == 1000 && answer.accepted == 100 && answer.remark?.contains("another source") == true)
    #expect(try total() == 1100)
  }

  @Test("an import of the same walk, before or after the readings, adds nothing twice", arguments: [true, false])
  func imported(isFirst: Bool) async throws {
    var file = ImportedFile()
    // 2026-11-27T10:10:00Z.
    let start = Date(timeIntervalSince1970: 1_795_774_200)
    for minute in 0..<5 {
      file.add(
        ImportedPeriod(
          start: start + Double(minute) * 60, end: start + Double(minute + 1) * 60, steps: 120,
          source: HistorySource(identity: "import:gadgetbridge:band", name: "Band")), now: Self.now)
    }
    let add = { [writer, file] in
      for result in try ImportPlan.results(
        of: [file], in: writer.folder, stepLength: .fixed(0.7), calendar: DayCalendar(timeZone: .gmt))
      {
        try writer.add(result.minutes)
      }
    }
    _ = try await read("2026-11-27T10:00:00Z", "0")
    if isFirst { try add() }
    let answer = try await read("2026-11-27T11:00:00Z", "600")
    #expect(answer.accepted == (isFirst ? 0 : 600) && answer.elsewhere == (isFirst ? 600 : 0))
    if !isFirst { try add() }
    #expect(try total() == 600)
  }

  @Test("a device sends samples, finished steps or readings of a counter, and each only once")
  func kinds() async throws {
    _ = try await read("2026-11-27T10:00:00Z", "0")
    let steps = #"{"source":"ann-phone","start":"2026-11-27T10:10:00Z","end":"2026-11-27T10:20:00Z","steps":1000}"#
    #expect(try await post(steps, "/api/steps").status == .conflict)
    let sample = #"{"t":0,"x":0,"y":0,"z":1}"#
    #expect(try await post(sample, "/api/samples?source=ann-phone").status == .conflict)
    #expect(try await post(steps.replacing("ann-phone", with: "watch"), "/api/steps").status == .ok)
    #expect(try await post(Self.body(source: "watch")).status == .conflict)
    _ = try await post(sample, "/api/samples?source=pod")
    #expect(try await post(Self.body(source: "pod")).status == .conflict)
    // The number of devices is limited.
    let fourth = try await post(Self.body(source: "fourth"))
    #expect(fourth.status == .tooManyRequests || registry.states.count < 3, "\(fourth.text)")
  }

  @Test("only JSON is taken, and no long bodies")
  func bodies() async throws {
    let text = try await service.ask(.post, "/api/counters", [.contentType: "text/plain"], body: Self.body())
    #expect(text.status == .unsupportedMediaType)
    let long = Self.body(source: String(repeating: "a", count: 70_000))
    #expect(try await post(long).status == .contentTooLarge)
  }
}
