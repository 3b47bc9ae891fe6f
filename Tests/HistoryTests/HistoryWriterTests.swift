import Foundation
import Testing

@testable import History

@Suite("Writing a history", .timeLimit(.minutes(10))) struct HistoryWriterTests {
  private let history: TestHistory

  init() throws { history = try TestHistory() }

  @Test("steps, metres and active time can be read back, also after the writer has ended")
  func recordsAndKeeps() throws {
    let receipt = try history.walkAtOnce(100, with: history.writer())
    #expect(receipt.recorded == 100 && receipt.repeated == 0 && receipt.impossible == 0)
    #expect(try history.all() == WalkTotals(steps: 100, distanceTravelled: 75, activeTime: .seconds(50)))
    #expect(try history.all().cadence == 2)
    #expect(try history.reader().period()?.start == TestHistory.morning)
  }

  @Test("a repeated step does not count again, nor does a batch, nor after a restart")
  func replays() throws {
    var writer: HistoryWriter? = try history.writer()
    let steps = (1...20).map { TestHistory.step(history.clock.now + Double($0) * 0.5) }
    history.clock.pass(20)
    try writer?.record(Array(steps[..<15]), source: TestHistory.wrist)
    let overlap = try writer?.record(Array(steps[10...]), source: TestHistory.wrist)
    #expect(overlap?.recorded == 5 && overlap?.repeated == 5)
    writer = nil
    let again = try history.writer().record(steps, source: TestHistory.wrist)
    #expect(again.recorded == 0 && again.repeated == 20)
    #expect(try history.all().steps == 20)
    #expect(try history.reader().sources().first?.repeatedSteps == 25)
  }

  @Test("steps of a batch count in any order")
  func unsortedBatch() throws {
    let writer = try history.writer()
    history.clock.pass(10)
    let steps = [3.0, 1, 2].map { TestHistory.step(TestHistory.morning + $0) }
    #expect(try writer.record(steps, source: TestHistory.wrist).recorded == 3)
  }

  @Test("steps beyond five a second are dropped and reported")
  func fasterThanAHuman() throws {
    let writer = try history.writer()
    let receipt = try history.walkAtOnce(1200, with: writer, every: 0.1)
    // The last step is in the third minute.
    #expect(receipt.recorded == 601 && receipt.impossible == 599)
    #expect(try history.reader().sources().first?.impossibleSteps == 599)
    let minutes = try history.reader().buckets(
      from: TestHistory.morning, to: TestHistory.morning + 180, by: .minute, calendar: DayCalendar())
    #expect(minutes.map(\.steps).max() == 300)
    // Ten a second for a while, then as people walk: the minute after is whole again.
    #expect(try history.walkAtOnce(100, with: writer).recorded == 100)
  }

  @Test(
    "implausible figures of a step are clamped to human limits",
    arguments: [
      (-1.0, Duration.seconds(-5), 0.0, Duration.zero), (50, .seconds(1000), 3, .seconds(4)),
      (.nan, .zero, 0, .zero), (.infinity, .milliseconds(500), 3, .milliseconds(500)),
    ])
  func absurdFigures(distance: Double, active: Duration, metres: Double, activeTime: Duration) throws {
    let writer = try history.writer()
    history.clock.pass(1)
    try writer.record(
      [WalkedStep(time: history.clock.now, distance: distance, activeTime: active)], source: TestHistory.wrist)
    #expect(try history.all() == WalkTotals(steps: 1, distanceTravelled: metres, activeTime: activeTime))
  }

  @Test("a step in the future, before 1970 or at NaN does not count", arguments: [3600.0, -1.8e9, .nan, .infinity])
  func impossibleTimes(seconds: Double) throws {
    let writer = try history.writer()
    let receipt = try writer.record([TestHistory.step(TestHistory.morning + seconds)], source: TestHistory.wrist)
    #expect(receipt.impossible == 1 && receipt.recorded == 0)
    #expect(try history.walk(3, with: writer).recorded == 3)
  }

  @Test("two sensors on one walker do not double the walk: in each minute the one with more steps counts")
  func twoSensors() throws {
    let writer = try history.writer()
    try history.walkAtOnce(240, with: writer, source: TestHistory.wrist)
    // The pocket missed some of the first minute, and heard more in the second.
    let missed = stride(from: 0.0, to: 59.9, by: 0.6).map { TestHistory.step(TestHistory.morning + $0) }
    let heard = stride(from: 60.0, to: 119.9, by: 0.4).map { TestHistory.step(TestHistory.morning + $0) }
    try writer.record(missed + heard, source: TestHistory.pocket)
    let buckets = try history.reader().buckets(
      from: TestHistory.morning, to: TestHistory.morning + 180, by: .minute, calendar: DayCalendar())
    #expect(buckets.map(\.steps) == [119, 150, 1])
    #expect(try history.all().steps == 270)
    var each: [String: Int] = [:]
    try history.reader().minutes(from: .distantPast, to: .distantFuture) {
      each[$0.source.name, default: 0] += $0.totals.steps
    }
    #expect(each == ["wrist": 240, "pocket": 250])
  }

  @Test("a sensor that comes back under another name continues its steps")
  func replug() throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    let renamed = HistorySource(identity: TestHistory.wrist.identity, name: "left wrist")
    try writer.record(HistoryEvent(time: history.clock.now, kind: .sourceLost, source: TestHistory.wrist))
    history.clock.pass(5)
    try writer.record(HistoryEvent(time: history.clock.now, kind: .sourceBack, source: renamed, message: "again"))
    try history.walk(10, with: writer, source: renamed)
    let reader = try history.reader()
    #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == 20)
    #expect(try reader.sources().map(\.source) == [renamed])
    let events = try reader.events(from: .distantPast, to: .distantFuture)
    #expect(events.map(\.kind) == [.sourceLost, .sourceBack] && events.last?.message == "again")
    #expect(try reader.bouts(from: .distantPast, to: .distantFuture).map(\.totals.steps) == [10, 10])
  }

  @Test("a second writer gets the name of the first, and may write after it")
  func secondWriter() throws {
    var first: HistoryWriter? = try history.writer("pedometerd")
    let error = #expect(throws: HistoryError.self) { try history.writer("another") }
    #expect(error == .held(by: "pedometerd", pid: getpid()))
    #expect("\(error!)".contains("pedometerd (process \(getpid()))"))
    #expect(first != nil)
    first = nil
    _ = try history.writer("another")
  }

  @Test("minutes can be imported from another history, once")
  func importing() throws {
    try history.walkAtOnce(300, with: history.writer())
    let other = try TestHistory()
    var minutes: [HistoryMinute] = []
    try history.reader().minutes(from: .distantPast, to: .distantFuture) { minutes.append($0) }
    let writer = try other.writer()
    #expect(try writer.add(minutes) == 3)
    #expect(try writer.add(minutes) == 0)
    #expect(try other.all() == history.all())
  }

  @Test("the folder is created for its owner alone")
  func makesFolder() throws {
    let folder = HistoryFolder(path: history.path + "/state/pedometer/")
    _ = try HistoryWriter(folder: folder, application: "tests", clock: history.clock.history)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    try FileManager.default.removeItem(atPath: history.path + "/state")
  }
}
