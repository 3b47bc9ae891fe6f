import Foundation
import Pedometry
import Platform
import Testing

@testable import History

@Suite("Writing a history", .timeLimit(.minutes(30))) struct HistoryWriterTests {
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

  @Test("a closed writer lets another one write, and writes nothing itself")
  func closed() throws {
    let first = try history.writer()
    try history.walk(10, with: first)
    first.close()
    let second = try history.writer()
    #expect(try history.walk(10, with: second).recorded == 10)
    #expect(throws: HistoryError.self) {
      try first.record([TestHistory.step(history.clock.now)], source: TestHistory.wrist)
    }
    first.close()
    #expect {
      try history.writer()
    } throws: {
      "\($0)".contains("is being written by tests")
    }
    #expect(try history.all().steps == 20)
  }

  @Test("a file that was removed or replaced gets no steps, which can be recorded once it is back")
  func removed() throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    let (path, aside) = (history.folder.database, history.folder.database + ".aside")
    try #require(unsafe rename(path, aside) == 0)
    history.clock.pass(1)
    let step = TestHistory.step(history.clock.now)
    func expectRefusal() {
      #expect {
        try writer.record([step], source: TestHistory.wrist)
      } throws: {
        "\($0)".contains("was removed or replaced while it was open")
      }
    }
    expectRefusal()
    try Data("another".utf8).write(to: URL(fileURLWithPath: path))
    expectRefusal()
    try #require(unsafe rename(aside, path) == 0)
    #expect(try writer.record([step], source: TestHistory.wrist).recorded == 1)
    #expect(try history.all().steps == 11)
  }

  @Test("steps of a batch count in any order")
  func unsortedBatch() throws {
    let writer = try history.writer()
    history.clock.pass(10)
    let steps = [3.0, 1, 2].map { TestHistory.step(TestHistory.morning + $0) }
    #expect(try writer.record(steps, source: TestHistory.wrist).recorded == 3)
  }

  @Test("steps beyond five per second are dropped and reported")
  func fasterThanAHuman() throws {
    let writer = try history.writer()
    let receipt = try history.walkAtOnce(1200, with: writer, every: 0.1)
    // The last step is in the third minute.
    #expect(receipt.recorded == 601 && receipt.impossible == 599)
    #expect(try history.reader().sources().first?.impossibleSteps == 599)
    let minutes = try history.reader().buckets(
      from: TestHistory.morning, to: TestHistory.morning + 180, by: .minute, calendar: DayCalendar())
    #expect(minutes.map(\.steps).max() == 300)
    // Ten per second for a while, then at walking pace: the minute after is complete again.
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
    // The pocket missed some of the first minute, and detected more in the second.
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

  @Test("a minute is raised to more steps of the same source, never lowered, and other sources have their own")
  func raised() throws {
    let writer = try history.writer()
    func raise(_ steps: Int, _ metres: Double, _ active: Int, source: HistorySource = TestHistory.wrist) throws -> Int {
      try writer.add([
        HistoryMinute(
          start: TestHistory.morning, source: source,
          totals: WalkTotals(steps: steps, distanceTravelled: metres, activeTime: .seconds(active)))
      ])
    }
    #expect(try raise(10, 8, 6) == 1)
    #expect(try raise(15, 12, 8) == 1)
    #expect(try history.all() == WalkTotals(steps: 15, distanceTravelled: 12, activeTime: .seconds(8)))
    // As many steps, and fewer, change nothing.
    #expect(try raise(15, 20, 20) == 0)
    #expect(try raise(9, 20, 20) == 0)
    #expect(try history.all() == WalkTotals(steps: 15, distanceTravelled: 12, activeTime: .seconds(8)))
    // More steps in less distance and time, as another program may estimate them.
    #expect(try raise(16, 5, 5) == 1)
    #expect(try history.all() == WalkTotals(steps: 16, distanceTravelled: 12, activeTime: .seconds(8)))
    #expect(try raise(5, 4, 3, source: TestHistory.pocket) == 1)
    #expect(try history.all().steps == 16)
  }

  @Test("the figures of a minute have limits: a minute at them is stored, one beyond is not")
  func limits() {
    let most = StepDeduplicator.mostStepsPerMinute
    let farthest = 10 * WalkedStep.longestDistance
    func isStored(_ steps: Int, _ distance: Double, _ active: Duration, _ floors: (Int?, Int?)) -> Bool {
      MinuteTable.Entry(
        WalkTotals(
          steps: steps, distanceTravelled: distance, activeTime: active, floorsAscended: floors.0,
          floorsDescended: floors.1)) != nil
    }
    for (steps, isPossible) in [(0, false), (1, true), (most, true), (most + 1, false)] {
      #expect(isStored(steps, 0, .zero, (nil, nil)) == isPossible, "\(steps)")
    }
    for (distance, isPossible) in [(-1e-6, false), (0, true), (farthest, true), (farthest + 1e-6, false)] {
      #expect(isStored(10, distance, .zero, (nil, nil)) == isPossible, "\(distance)")
    }
    for (active, isPossible) in [(-1, false), (0, true), (64_000_000, true), (64_000_001, false)] {
      #expect(isStored(10, 0, .microseconds(active), (nil, nil)) == isPossible, "\(active)")
    }
    for (floors, isPossible) in [(-1, false), (0, true), (10, true), (11, false)] {
      #expect(isStored(10, 0, .zero, (floors, nil)) == isPossible, "\(floors)")
      #expect(isStored(10, 0, .zero, (nil, floors)) == isPossible, "\(floors)")
    }
  }

  /// Steps every half second from a moment in the first minute on.
  private func steps(_ count: Int, from second: Double) -> [WalkedStep] {
    (0..<count).map { TestHistory.step(TestHistory.morning + second + Double($0) * 0.5) }
  }

  @Test(
    "two sensors within one minute: what only one of them counted is added, what both counted is not",
    arguments: [
      // One after the other: the pause between them may be short, and the second may be recorded first.
      ((0.5, 32), (17.0, 32), 64), ((30, 32), (2, 32), 64), ((0.5, 32), (16.5, 32), 64),
      // The same walk, and one whose ends two sensors see differently.
      ((0.5, 32), (0.6, 32), 32), ((0.5, 32), (2.2, 32), 32), ((10, 40), (12, 30), 40),
      // Partly together: the second goes on for ten seconds, of which two may be the first one's end.
      ((0.5, 40), (10.5, 40), 56),
    ] as [((Double, Int), (Double, Int), Int)])
  func handover(first: (Double, Int), second: (Double, Int), total: Int) throws {
    let writer = try history.writer()
    history.clock.pass(60)
    try writer.record(steps(first.1, from: first.0), source: TestHistory.wrist)
    // In two records, as a service does it.
    let others = steps(second.1, from: second.0)
    try writer.record(Array(others.prefix(7)), source: TestHistory.pocket)
    try writer.record(Array(others.dropFirst(7)), source: TestHistory.pocket)
    let reader = try history.reader()
    #expect(try history.all().steps == total)
    #expect(try history.all().distanceTravelled == Double(total) * 0.75)
    let (start, cut) = (TestHistory.morning, TestHistory.morning + 16.2)
    let parts = try [reader.totals(from: start, to: cut), reader.totals(from: cut, to: start + 60)].map(\.steps)
    #expect(parts[0] + parts[1] == total)
    let bouts = try reader.bouts(from: start, to: start + 60)
    #expect(abs(bouts.map(\.totals.steps).reduce(0, +) - total) <= 1)
    #expect(try reader.sources().map(\.source.name) == ["wrist", "pocket"])
    #expect(try writer.check() == nil)
  }

  @Test("minutes of two sensors in turn remain after the single steps are deleted, and in an export")
  func handoverKept() throws {
    let writer = try history.writer()
    history.clock.pass(60)
    try writer.record(steps(32, from: 0), source: TestHistory.wrist)
    try writer.record(steps(32, from: 30), source: TestHistory.pocket)
    history.clock.pass(3 * 86_400)
    try history.walk(1, with: writer)
    #expect(try writer.check() == nil)
    #expect(try history.all().steps == 65)
    var minutes: [HistoryMinute] = []
    try history.reader().minutes(from: .distantPast, to: .distantFuture) { minutes.append($0) }
    let copy = try TestHistory(history.clock.now)
    try copy.writer().add(minutes)
    #expect(try copy.all().steps == 65)
  }

  @Test("a sensor that comes back under another name continues its steps")
  func replug() throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    let renamed = HistorySource(identity: TestHistory.wrist.identity, name: "left wrist")
    history.clock.pass(5)
    try history.walk(10, with: writer, source: renamed)
    let reader = try history.reader()
    #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == 20)
    #expect(try reader.sources().map(\.source) == [renamed])
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

  @Test("the first minute of 1970 can be imported, and none before it")
  func firstMinute() throws {
    let writer = try history.writer()
    let totals = WalkTotals(steps: 10, distanceTravelled: 7, activeTime: .seconds(5))
    let minutes = [-60.0, 0].map {
      HistoryMinute(start: Date(timeIntervalSince1970: $0), source: TestHistory.wrist, totals: totals)
    }
    #expect(try writer.add(minutes) == 1)
    #expect(try history.reader().totals(from: minutes[1].start, to: minutes[1].start + 60).steps == 10)
  }

  @Test("bouts whose steps are recorded at once are all stored")
  func boutsAtOnce() throws {
    let start = history.clock.now
    history.clock.pass(3600)
    let steps = [0.0, 600, 1200].flatMap { begin in (1...20).map { TestHistory.step(start + begin + Double($0) / 2) } }
    try history.writer().record(steps, source: TestHistory.wrist)
    let bouts = try history.reader().bouts(from: .distantPast, to: .distantFuture)
    #expect(bouts.map(\.totals.steps) == [20, 20, 20])
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
