import Foundation
import Pedometry
import Testing

@testable import History

@Suite("Floors in the history", .timeLimit(.minutes(30))) struct FloorHistoryTests {
  private let history: TestHistory
  private let writer: HistoryWriter

  init() throws {
    history = try TestHistory()
    writer = try history.writer()
  }

  /// Records floors of a time.
  @discardableResult
  private func climb(
    _ up: Int, _ down: Int, at time: Date, source: HistorySource = TestHistory.wrist
  ) throws -> HistoryReceipt {
    try writer.record([], floors: [WalkedFloors(time: time, ascended: up, descended: down)], source: source)
  }

  private func floors(_ from: Double, _ to: Double) throws -> [Int?] {
    let totals = try history.reader().totals(from: TestHistory.morning + from, to: TestHistory.morning + to)
    return [totals.floorsAscended, totals.floorsDescended]
  }

  @Test("floors add up in totals, buckets, minutes and quarters of an hour")
  func addUp() throws {
    try history.walkAtOnce(4000, with: writer)
    try climb(3, 0, at: TestHistory.morning + 70)
    try climb(1, 2, at: TestHistory.morning + 100)
    try climb(0, 5, at: TestHistory.morning + 1500)
    let reader = try history.reader()
    let (start, end) = (TestHistory.morning, TestHistory.morning + 3600)
    let all = try reader.totals(from: start, to: end)
    #expect(all.floorsAscended == 4 && all.floorsDescended == 7 && all.steps == 4000)
    for length in HistoryBucketLength.allCases {
      let sum = try reader.buckets(from: start, to: end, by: length).reduce(WalkTotals()) { $0 + $1.totals }
      #expect(sum.floorsAscended == 4 && sum.floorsDescended == 7, "\(length)")
    }
    let minutes = try reader.buckets(from: start, to: start + 180, by: .minute)
    #expect(minutes.map(\.totals.floorsAscended) == [nil, 4, nil])
    // Without the sums of quarters.
    #expect(try floors(60, 840) == [4, 2])
    var exported: [Int?] = []
    try reader.minutes(from: start, to: end) { exported.append($0.totals.floorsDescended) }
    #expect(exported.count == 34 && exported.compactMap { $0 } == [2, 5])
  }

  @Test("a minute that is raised gets the larger number of floors")
  func raised() throws {
    func raise(_ steps: Int, _ up: Int?, _ down: Int?) throws {
      try writer.add([
        HistoryMinute(
          start: TestHistory.morning, source: TestHistory.wrist,
          totals: WalkTotals(
            steps: steps, distanceTravelled: 10, activeTime: .seconds(10), floorsAscended: up, floorsDescended: down))
      ])
    }
    try raise(20, nil, nil)
    try raise(30, 2, 1)
    #expect(try floors(0, 60) == [2, 1])
    try raise(40, 3, 0)
    #expect(try floors(0, 60) == [3, 1])
    try raise(50, nil, nil)
    #expect(try floors(0, 60) == [3, 1])
  }

  @Test("a barometer that finds no floors is told from no barometer")
  func none() throws {
    try history.walkAtOnce(100, with: writer)
    #expect(try floors(0, 60) == [nil, nil] && !history.reader().hasFloors())
    try climb(0, 0, at: TestHistory.morning + 30)
    #expect(try floors(0, 60) == [0, 0] && history.reader().hasFloors())
  }

  @Test("in each minute the source with the most steps counts among those with a barometer")
  func sources() throws {
    try history.walkAtOnce(90, with: writer, source: TestHistory.pocket)
    history.clock.set(by: 0)
    try writer.record(
      (1...50).map { TestHistory.step(TestHistory.morning + Double($0) * 0.5) }, source: TestHistory.wrist)
    try climb(2, 1, at: TestHistory.morning + 44)
    // The pocket has more steps and no barometer.
    #expect(try history.all().steps == 90 && floors(0, 60) == [2, 1] && floors(0, 3600) == [2, 1])
    let third = HistorySource(identity: "third", name: "third")
    try writer.record((1...60).map { TestHistory.step(TestHistory.morning + Double($0) * 0.5) }, source: third)
    try climb(1, 1, at: TestHistory.morning + 44, source: third)
    // The third has more than the wrist: its floors stand, and are not added to the wrist's.
    #expect(try floors(0, 60) == [1, 1] && floors(0, 3600) == [1, 1])
    #expect(
      try history.reader().buckets(
        from: TestHistory.morning, to: TestHistory.morning + 60, by: .minute
      ).first?.totals.floorsAscended == 1)
  }

  @Test("floors count in the minute of the step before them, at most two minutes back")
  func minutes() throws {
    // The last step is at 0:58.
    try history.walkAtOnce(116, with: writer)
    history.clock.pass(600)
    #expect(try climb(1, 0, at: TestHistory.morning + 62).refusedFloors == 0)
    #expect(try climb(1, 0, at: TestHistory.morning + 179).refusedFloors == 0)
    #expect(try climb(2, 1, at: TestHistory.morning + 181).refusedFloors == 3)
    #expect(try floors(0, 60) == [2, 0] && floors(60, 300) == [nil, nil])
  }

  @Test(
    "impossible floors are refused and counted as such",
    arguments: [(21, 0, 30.0), (0, 21, 30), (1, -1, 30), (1, 0, 7200), (1, 0, -600), (1, 0, .nan)])
  func impossible(up: Int, down: Int, seconds: Double) throws {
    try history.walkAtOnce(100, with: writer)
    #expect(try climb(up, down, at: TestHistory.morning + seconds).refusedFloors == max(up, down))
    #expect(try history.all().floorsAscended == nil)
  }

  @Test("periods that meet within a minute lose no floors", arguments: [0, 1, 2, 3, 7])
  func parts(count: Int) throws {
    try history.walkAtOnce(300, with: writer)
    try climb(count, 0, at: TestHistory.morning + 90)
    for edge in [60.0, 61, 75, 89.5, 90, 100, 119, 120] {
      let (before, after) = (try floors(0, edge)[0] ?? 0, try floors(edge, 240)[0] ?? 0)
      #expect(before + after == count, "\(edge)")
      #expect(before >= 0 && after >= 0)
    }
  }

  @Test("the floors of a minute count with its end")
  func partOfAMinute() throws {
    try history.walkAtOnce(50, with: writer)
    try climb(4, 0, at: history.clock.now)
    #expect(try floors(0, 59) == [0, 0] && floors(59, 60) == [4, 0] && floors(10, 20) == [0, 0])
  }

  @Test("imported minutes keep their floors, and one with more floors than steps is refused")
  func imported() throws {
    let minute = { (number: Double, floors: Int?) in
      HistoryMinute(
        start: TestHistory.morning + number * 60, source: TestHistory.wrist,
        totals: WalkTotals(
          steps: 90, distanceTravelled: 60, activeTime: .seconds(50), floorsAscended: floors, floorsDescended: floors))
    }
    #expect(try writer.add([minute(0, 3), minute(1, nil), minute(2, 91), minute(3, -1)]) == 2)
    #expect(
      try history.all()
        == WalkTotals(
          steps: 180, distanceTravelled: 120, activeTime: .seconds(100), floorsAscended: 3, floorsDescended: 3))
  }
}
