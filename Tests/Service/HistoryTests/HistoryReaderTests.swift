import Foundation
import Pedometry
import Testing

@testable import History

@Suite("Reading a history", .timeLimit(.minutes(30))) struct HistoryReaderTests {
  private let history: TestHistory

  init() throws { history = try TestHistory() }

  private static func calendar(_ zone: String, dayStart: Duration = .zero) throws -> DayCalendar {
    DayCalendar(timeZone: try #require(TimeZone(identifier: zone)), dayStart: dayStart)
  }

  @Test("a period that ends within a minute is exact to the step, as long as the steps are kept")
  func cutMinutes() throws {
    let writer = try history.writer()
    try history.walkAtOnce(100, with: writer)
    let reader = try history.reader()
    let start = TestHistory.morning
    #expect(try reader.totals(from: start, to: start + 10.25).steps == 20)
    #expect(try reader.totals(from: start + 10.25, to: start + 20.25).steps == 20)
    #expect(try reader.totals(from: start + 40.25, to: start + 7200).steps == 20)
    // The end is exclusive.
    #expect(try reader.totals(from: start, to: start + 10).steps == 19)
    #expect(try reader.totals(from: start, to: start).steps == 0)
    // After two days a partial minute counts in proportion.
    history.clock.pass(3 * 86_400)
    try history.walk(1, with: writer)
    #expect(try reader.totals(from: start, to: start + 30).steps == 50)
    #expect(try reader.totals(from: start, to: start + 60).steps == 100)
  }

  @Test("parts of an older minute add up to it", arguments: [1, 2, 3, 7])
  func partsOfMinutes(count: Int) throws {
    let start = TestHistory.morning - 3600
    let whole = WalkTotals(steps: 101, distanceTravelled: 70.7, activeTime: .seconds(53))
    try history.writer().add([HistoryMinute(start: start, source: TestHistory.wrist, totals: whole)])
    let reader = try history.reader()
    let length = 60 / Double(count)
    let parts = try (0..<count).map {
      try reader.totals(from: start + Double($0) * length, to: start + Double($0 + 1) * length)
    }
    #expect(parts.reduce(0) { $0 + $1.steps } == 101)
    #expect(parts.reduce(Duration.zero) { $0 + $1.activeTime } == .seconds(53))
    #expect(abs(parts.reduce(0) { $0 + $1.distanceTravelled } - 70.7) < 1e-6)
    #expect(parts.allSatisfy { abs($0.steps - 101 / count) <= 1 })
  }

  @Test("a minute without a barometer between two with one has no floors, rather than none climbed")
  func floorsOfNeighbours() throws {
    let start = TestHistory.morning - 3600
    try history.writer().add(
      [1, nil, 1].enumerated().map { number, floors in
        HistoryMinute(
          start: start + Double(number) * 60, source: TestHistory.wrist,
          totals: WalkTotals(
            steps: 10, distanceTravelled: 5, activeTime: .seconds(5), floorsAscended: floors, floorsDescended: floors))
      })
    let totals = try history.reader().totals(from: start + 60, to: start + 120)
    #expect(totals.steps == 10 && totals.floorsAscended == nil && totals.floorsDescended == nil)
  }

  @Test("the longest walk goes on through pauses of two minutes, and counts a minute of two sources once")
  func longestWalk() throws {
    let start = TestHistory.morning - 86_400
    let writer = try history.writer()
    try writer.add([])
    #expect(try history.reader().longestWalk() == nil)
    func minute(_ number: Int, steps: Int, active: Int, _ source: HistorySource = TestHistory.wrist) -> HistoryMinute {
      HistoryMinute(
        start: start + Double(number) * 60, source: source,
        totals: WalkTotals(steps: steps, distanceTravelled: Double(steps) * 0.7, activeTime: .seconds(active)))
    }
    // Ten minutes at once, and eleven with pauses of two minutes, of which one is of two sources.
    try writer.add((0..<10).map { minute($0, steps: 110, active: 60) })
    try writer.add((0..<11).map { minute(100 + $0 * 3, steps: 60, active: 58) })
    try writer.add([minute(103, steps: 59, active: 60, TestHistory.pocket)])
    // A pause of three minutes ends a walk, and less than thirty steps are none.
    try writer.add([minute(134, steps: 100, active: 59), minute(200, steps: 29, active: 3000)])
    let walk = try #require(try history.reader().longestWalk())
    #expect(walk.start == start + 6000 && walk.end == start + 6000 + 31 * 60)
    #expect(walk.totals.steps == 660 && walk.totals.activeTime == .seconds(11 * 58))
    // What was no walk is none.
    let none = DateInterval(start: walk.start, end: walk.end)
    #expect(try history.reader().longestWalk(without: [none])?.start == start)
    #expect(
      try history.reader().longestWalk(without: [none, DateInterval(start: start + 30, end: start + 541)])?.start
        == start + 134 * 60)
  }

  @Test("the sums of quarters and of minutes agree for all periods")
  func sumsAgree() throws {
    let writer = try history.writer()
    for _ in 0..<40 {
      try history.walkAtOnce(90, with: writer)
      history.clock.pass(77)
      try history.walkAtOnce(33, with: writer, source: TestHistory.pocket, every: 0.6)
    }
    let reader = try history.reader()
    let whole = (from: TestHistory.morning - 3600, to: TestHistory.morning + 4 * 3600)
    let all = try reader.totals(from: whole.from, to: whole.to)
    #expect(all.steps > 4000)
    for cut in [600.0, 900, 1800, 1234, 4321.5, 5400, 7777] {
      let cutAt = TestHistory.morning + cut
      let (before, after) = (
        try reader.totals(from: whole.from, to: cutAt), try reader.totals(from: cutAt, to: whole.to)
      )
      #expect(before.steps + after.steps == all.steps)
      #expect(before.activeTime + after.activeTime == all.activeTime)
    }
    for length in HistoryBucketLength.allCases {
      let buckets = try reader.buckets(
        from: whole.from, to: whole.to, by: length, calendar: DayCalendar(timeZone: .gmt))
      #expect(buckets.map(\.steps).reduce(0, +) == all.steps)
    }
  }

  @Test(
    "pages together are the buckets of the whole period, in any zone and with any start of the day",
    arguments: ["GMT", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata"], HistoryBucketLength.allCases)
  func pages(zone: String, length: HistoryBucketLength) throws {
    let calendar = try Self.calendar(zone, dayStart: .seconds(4 * 3600 + 90 * 60))
    let from = try Date("2025-10-01T07:12:13Z", strategy: .iso8601)
    // Across clock changes in both directions; for minutes, a week.
    let to = from + (length == .minute ? 6 * 86_400 : 550 * 86_400) + 0.5
    var (edges, start) = ([from], from)
    var largest = 0
    while start < to {
      let end = min(to, calendar.endOfPage(at: start, by: length))
      let page = try calendar.edges(from: start, to: end, by: length, most: HistoryReader.mostBuckets)
      largest = max(largest, page.count)
      edges += page.dropFirst()
      start = end
    }
    #expect(try edges == calendar.edges(from: from, to: to, by: length, most: HistoryReader.mostBuckets))
    #expect(largest > 300 && largest <= 400)
  }

  /// A zone, an hour before a day with a clock change, and that day's length in hours.
  private static let changes: [(String, String, Double)] = [
    ("Europe/Berlin", "2026-03-28T22:00:00Z", 23), ("Europe/Berlin", "2026-10-24T21:00:00Z", 25),
    ("America/New_York", "2026-03-08T04:00:00Z", 23), ("America/New_York", "2026-11-01T03:00:00Z", 25),
    ("Australia/Lord_Howe", "2026-04-04T12:00:00Z", 24.5), ("Australia/Lord_Howe", "2026-10-03T12:30:00Z", 23.5),
  ]

  @Test(
    "on days with clock changes every step is in its day, in any zone and with any start of the day",
    arguments: changes, [0, 240, 150, 10])
  func changingDays(change: (String, String, Double), minutes: Int) throws {
    let (zone, start, hours) = change
    let dayStart = Duration.seconds(minutes * 60)
    let calendar = try Self.calendar(zone, dayStart: dayStart)
    let history = try TestHistory(Date(start, strategy: .iso8601))
    let writer = try history.writer()
    var walked: [DateInterval: Int] = [:]
    // Six steps every ten minutes, from before a changing day to after the next.
    for _ in 0..<6 * 56 {
      walked[calendar.day(containing: history.clock.now + 1), default: 0] += 6
      try history.walkAtOnce(6, with: writer)
      history.clock.pass(597)
    }
    let buckets = try history.reader().buckets(
      from: Date(start, strategy: .iso8601) - 86_400, to: history.clock.now + 86_400, by: .day, calendar: calendar)
    for bucket in buckets.dropFirst().dropLast() {
      let expected = walked[DateInterval(start: bucket.start, end: bucket.end)] ?? 0
      #expect(bucket.steps == expected)
    }
    let total = buckets.map(\.steps).reduce(0, +)
    #expect(total == 2016)
    if minutes == 0 {
      let length: TimeInterval = hours * 3600
      let changing = buckets.first { bucket in bucket.end.timeIntervalSince(bucket.start) == length }
      #expect(changing?.steps == Int(hours * 36))
    }
  }

  @Test("cadence and pace need walking time, and pace also needs a distance")
  func noRate() {
    #expect(WalkTotals(steps: 5, distanceTravelled: 4).cadence == nil)
    #expect(WalkTotals(steps: 5, distanceTravelled: 4).averageActivePace == nil)
    let totals = WalkTotals(steps: 5, activeTime: .seconds(2))
    #expect(totals.cadence == 2.5 && totals.averageActivePace == nil)
    #expect(WalkTotals(distanceTravelled: 4, activeTime: .seconds(2)).averageActivePace == 0.5)
    #expect(WalkTotals(distanceTravelled: 4, activeTime: .seconds(2)).cadence == nil)
  }

  @Test("a period of fifteen years is answered: there is no limit of seven days")
  func longPeriods() throws {
    let writer = try history.writer()
    for _ in 0..<15 {
      try history.walkAtOnce(100, with: writer)
      history.clock.pass(365 * 86_400)
    }
    let reader = try history.reader()
    #expect(try reader.totals(from: TestHistory.morning, to: history.clock.now).steps == 1500)
    let days = try reader.buckets(
      from: TestHistory.morning, to: history.clock.now, by: .day, calendar: DayCalendar(timeZone: .gmt))
    #expect(days.count > 5400 && days.count { $0.steps == 100 } == 15)
    #expect(days.first?.cadence == 2 && days[1].cadence == nil)
  }

  @Test("a bout ends after two seconds without a step; that of two sensors is one")
  func bouts() throws {
    let writer = try history.writer()
    try history.walk(20, with: writer)
    history.clock.pass(1.4)
    try history.walkAtOnce(20, with: writer)
    history.clock.pass(60)
    let start = history.clock.now
    try history.walkAtOnce(30, with: writer)
    try writer.record(
      (0..<25).map { TestHistory.step(start + 1 + Double($0) * 0.6 - 1e-3) }.filter { $0.time < history.clock.now },
      source: TestHistory.pocket)
    let bouts = try history.reader().bouts(from: .distantPast, to: .distantFuture)
    #expect(bouts.map(\.totals.steps) == [40, 30])
    #expect(bouts.map(\.start.microseconds) == [(TestHistory.morning + 0.5).microseconds, (start + 0.5).microseconds])
    #expect(bouts.last?.end.microseconds == (start + 15).microseconds)
    #expect(try history.reader().bouts(from: start + 5, to: start + 6).count == 1)
    #expect(try history.reader().bouts(from: start + 16, to: start + 100).isEmpty)
  }

  @Test("a period that ends before it begins is refused with a sentence")
  func badPeriod() throws {
    try history.walk(1, with: history.writer())
    let error = #expect(throws: HistoryError.self) {
      try history.reader().totals(from: TestHistory.morning, to: TestHistory.morning - 1)
    }
    #expect(error == .badPeriod(from: TestHistory.morning, to: TestHistory.morning - 1))
  }

  @Test("several readers during writing see whole batches only")
  func readersWhileWriting() throws {
    let writer = try history.writer()
    try history.walkAtOnce(10, with: writer)
    let readers = try (0..<3).map { _ in try history.reader() }
    for round in 2...20 {
      try history.walkAtOnce(10, with: writer)
      for reader in readers {
        #expect(try reader.totals(from: .distantPast, to: .distantFuture).steps == round * 10)
      }
    }
  }

  @Test("without a history a reader reports it, with the remedy")
  func nothingYet() {
    let error = #expect(throws: HistoryError.self) { try history.reader() }
    #expect(error == .nothingYet(path: history.path))
    #expect("\(error!)".contains("start pedometerd"))
  }
}
