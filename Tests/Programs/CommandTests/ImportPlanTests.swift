import Foundation
import History
import Pedometry
import Platform
import Testing

@testable import HistoryImport
@testable import pedometer_full

/// What an import adds.
@Suite("Import: never twice", .timeLimit(.minutes(30)))
struct ImportPlanTests {
  private static let here = HistorySource(identity: "usb:1", name: "wrist")
  private static let phone = HistorySource(identity: "import:phone", name: "phone")
  private static let watch = HistorySource(identity: "import:watch", name: "watch")
  private static let start = Date(timeIntervalSince1970: 1_778_061_600)

  private static func minute(_ number: Int, _ steps: Int, _ source: HistorySource = here) -> HistoryMinute {
    HistoryMinute(
      start: start + Double(number) * 60, source: source, totals: WalkTotals(steps: steps, distanceTravelled: 1))
  }

  private static func period(
    _ from: Double, _ to: Double, _ steps: Int, _ source: HistorySource = phone
  ) -> ImportedPeriod {
    ImportedPeriod(start: start + from * 60, end: start + to * 60, steps: steps, source: source)
  }

  /// The steps of the history after an import: each minute counts with the source that has most.
  private static func total(_ known: [HistoryMinute], _ results: [ImportPlan.Result]) -> Int {
    Dictionary(grouping: known + results.flatMap(\.minutes), by: \.start)
      .values.reduce(0) { $0 + ($1.map(\.totals.steps).max() ?? 0) }
  }

  private static func planned(
    _ known: [HistoryMinute], _ periods: [ImportedPeriod]
  ) -> (results: [ImportPlan.Result], total: Int) {
    var plan = ImportPlan()
    for minute in known { plan.know(minute) }
    let results = plan.take([file(periods)])
    return (results, total(known, results))
  }

  @Test("a period is spread over its minutes, and its sum stays")
  func spread() throws {
    let (results, total) = Self.planned([], [Self.period(0.5, 10, 601)])
    let minutes = try #require(results.first).minutes
    #expect(minutes.count == 10 && total == 601 && results[0].new == 601)
    #expect(minutes[0].totals.steps == 32 && minutes[1].totals.steps == 63)
    // A minute has at most one minute of walking.
    #expect((565...570.01).contains(minutes.reduce(0) { $0 + $1.totals.activeTime / .seconds(1) }))
  }

  @Test("steps of a period that were counted here are not added, wherever in it they were")
  func counted() {
    let known = (3..<8).map { Self.minute($0, 120) }
    let (results, total) = Self.planned(known, [Self.period(0, 10, 600)])
    #expect(results[0].minutes.isEmpty && results[0].new == 0 && results[0].steps == 600 && total == 600)
  }

  @Test("only the missing steps are added, in the minutes without steps")
  func partly() {
    let known = (3..<8).map { Self.minute($0, 120) }
    let (results, total) = Self.planned(known, [Self.period(0, 10, 700)])
    #expect(results[0].new == 100 && total == 700)
    #expect(Set(results[0].minutes.map(\.start)).isDisjoint(with: known.map(\.start)))
  }

  @Test("in a single minute the larger count applies")
  func single() {
    #expect(Self.planned([Self.minute(0, 50)], [Self.period(0, 1, 90)]).total == 90)
    let less = Self.planned([Self.minute(0, 90)], [Self.period(0, 1, 50)])
    #expect(less.total == 90 && less.results[0].new == 0)
  }

  @Test("a telephone and a watch that recorded the same walk count once")
  func twoDevices() {
    let (results, total) = Self.planned([], [Self.period(0, 10, 600), Self.period(3, 8, 620, Self.watch)])
    #expect(results.map(\.source) == [Self.watch, Self.phone])
    #expect(total == 620)
  }

  @Test("the same file again adds nothing; a longer one adds what is new")
  func again() {
    let first = [Self.period(0, 10, 600), Self.period(10, 20, 500)]
    let known = Self.planned([], first).results.flatMap(\.minutes)
    let second = Self.planned(known, first)
    #expect(second.results[0].minutes.isEmpty && second.results[0].new == 0 && second.total == 1100)
    let third = Self.planned(known, first + [Self.period(30, 31, 80)])
    #expect(third.results[0].minutes.count == 1 && third.results[0].new == 80 && third.total == 1180)
  }

  @Test("steps of a moment, and faster ones than people walk, are limited to what a minute can hold")
  func limits() {
    var file = ImportedFile()
    let now = Self.start + 86_400 * 3
    file.add(Self.period(0, 0, 40), now: now)
    file.add(Self.period(1, 2, 301), now: now)
    file.add(Self.period(1, 1 + 25 * 60 + 1, 900), now: now)
    file.add(Self.period(3, 2, 5), now: now)
    file.add(Self.period(0, 1, -5), now: now)
    file.add(Self.period(5000, 5001, 50), now: now)
    file.add(Self.period(0, 1, 0), now: now)
    #expect(file.periods.map(\.steps) == [40] && file.refused == 5)
    let crowded = Self.planned([], (0..<10).map { Self.period(Double($0) / 10, Double($0 + 1) / 10, 40) })
    #expect(crowded.total == 300)
  }

  @Test("a distance in the file is kept; without one it is computed from the step length")
  func distance() {
    var plan = ImportPlan(stepLength: .fixed(0.5))
    var measured = Self.period(0, 2, 200)
    measured.distance = 180
    let results = plan.take([Self.file([measured, Self.period(2, 3, 100)])])
    #expect(abs(results[0].minutes.reduce(0) { $0 + $1.totals.distanceTravelled } - 230) < 0.001)
  }

  @Test("an import that is repeated adds nothing, however the periods of the sources overlap")
  func repeated() {
    var random = SplitMix64(seed: 3)
    for trial in 0..<300 {
      let periods = (0..<Int.random(in: 2...5, using: &random)).map { _ in
        let start = Double.random(in: 0..<20, using: &random)
        let length = Double.random(in: 0.1..<40, using: &random)
        let source = Bool.random(using: &random) ? Self.phone : Self.watch
        return Self.period(start, start + length, .random(in: 1...(trial % 2 == 0 ? 40 : 4000), using: &random), source)
      }
      let first = Self.planned([Self.minute(4, 60)], periods)
      let again = Self.planned([Self.minute(4, 60)] + first.results.flatMap(\.minutes), periods)
      #expect(again.results.allSatisfy { $0.new == 0 }, "trial \(trial): \(periods)")
      #expect(again.total == first.total)
    }
  }

  /// A file of periods.
  private static func file(_ periods: [ImportedPeriod]) -> ImportedFile {
    var file = ImportedFile()
    file.periods = periods
    return file
  }

  private static func walk(_ range: Range<Int>, _ source: HistorySource = watch) -> [ImportedPeriod] {
    range.map { period(Double($0), Double($0 + 1), 80 + $0 * 7 % 40, source) }
  }

  @Test(
    "the files of a command are planned together, the finest first, whatever their order", arguments: [10, 60, 1440])
  func files(_ length: Int) {
    let fine = Self.file(Self.walk(3..<9))
    let steps = fine.periods.reduce(0) { $0 + $1.steps }
    // The coarse source has more, so it adds what is missing.
    let coarse = Self.file([Self.period(0, Double(length), steps + 400)])
    for (files, new) in [([fine, coarse], [steps, 400]), ([coarse, fine], [400, steps])] {
      var plan = ImportPlan()
      let results = plan.take(files)
      #expect(Self.total([], results) == steps + 400)
      #expect(results.map(\.new) == new)
    }
    var plan = ImportPlan()
    let twice = plan.take([fine, fine])
    #expect(twice.map(\.new) == [steps, 0] && twice.map(\.repeated) == [0, 6])
  }

  @Test("minutes that follow an earlier import of hours or days add only what exceeds it", arguments: [30, 60, 300])
  func finerLater(_ length: Int) {
    let known = Self.planned([], [Self.period(0, Double(length), 2000)]).results.flatMap(\.minutes)
    for count in [5, 9] {
      let fine = Self.walk(0..<count)
      let later = Self.planned(known, fine)
      #expect(later.total == 2000 && later.results[0].new == 0)
      #expect(later.results[0].spread > 0 && later.results[0].spreadSources == ["phone"])
    }
    // Faster than the coarse period, in sum.
    let more = (0..<length).map { (minute: Int) -> ImportedPeriod in
      let steps = minute.isMultiple(of: 2) ? 290 : 180
      return Self.period(Double(minute), Double(minute + 1), steps, Self.watch)
    }
    let sum = more.reduce(0) { $0 + $1.steps }
    let later = Self.planned(known, more)
    #expect(later.total == max(2000, sum))
    let again = Self.planned(known + later.results[0].minutes, more)
    #expect(again.total == later.total && again.results[0].new == 0)
  }

  @Test("minutes that follow a daily total with fewer steps than minutes add only what exceeds it")
  func finerLaterFew() {
    let known = Self.planned([], [Self.period(0, 600, 200)]).results.flatMap(\.minutes)
    let later = Self.planned(known, [Self.period(100, 101, 90, Self.watch), Self.period(101, 102, 110, Self.watch)])
    #expect(later.total == 200)
  }

  @Test("a repeated entry counts once; of overlapping ones of a source the finer first, and what they lack")
  func overlapping() {
    let minutes = Self.walk(0..<10, Self.phone)
    let steps = minutes.reduce(0) { $0 + $1.steps }
    let twice = Self.planned([], minutes + minutes)
    #expect(twice.total == steps && twice.results[0].repeated == 10 && twice.results[0].repeatedSteps == steps)
    let both = Self.planned([], [Self.period(0, 30, 3000)] + minutes)
    #expect(both.total == 3000 && both.results[0].repeatedSteps == steps)
    let less = Self.planned([], [Self.period(0, 30, 500)] + minutes)
    #expect(less.total == steps)
    let larger = Self.planned([], [Self.period(0, 10, 500), Self.period(0, 10, 800)])
    #expect(larger.total == 800)
  }

  @Test("steps above the limit of a minute are counted in the result")
  func crowded() {
    let periods = (0..<10).map { Self.period(Double($0) / 10, Double($0 + 1) / 10, 40) }
    #expect(Self.planned([], periods).results[0].crowded == 100)
  }

  @Test("steps of several entries in a minute are left out once")
  func leftOutOnce() {
    let crowded = Self.planned(
      [], [Self.period(-0.5, 0.4, 270), Self.period(0.5, 0.7, 200), Self.period(0.7, 0.9, 50)])
    #expect(crowded.total == 450 && crowded.results[0].crowded == 70)
    let known = Self.planned([], [Self.period(0, 300, 2000)]).results.flatMap(\.minutes)
    let entries = (0..<6).map { Self.period(Double($0) / 6, Double($0 + 1) / 6, 10, Self.watch) }
    let later = Self.planned(known, entries)
    #expect(later.total == 2000 && later.results[0].spread == 60 - known[0].totals.steps)
  }

  @Test("a longer export completes the minute in which the one before ended")
  func growing() {
    let first = [Self.period(0, 5.75, 575)]
    let known = Self.planned([], first).results.flatMap(\.minutes)
    let second = first + [Self.period(5.75, 15.75, 1000)]
    let grown = Self.planned(known, second)
    #expect(grown.total == 1575 && grown.results[0].new == 1000)
    // The history has the raised minute instead of the former one.
    let all = Self.planned([], second).results.flatMap(\.minutes)
    #expect(Self.planned(all, second).results[0].new == 0)
  }

  /// The totals of a history after each of several imports, and the steps that each is said to add.
  private static func totals(_ imports: [[ImportedPeriod]]) -> (totals: [Int], new: [Int]) {
    var known: [Date: HistoryMinute] = [:]
    var (totals, new): ([Int], [Int]) = ([], [])
    for periods in imports {
      let results = planned(Array(known.values), periods).results
      for minute in results.flatMap(\.minutes) { known[minute.start] = minute }
      totals.append(known.values.reduce(0) { $0 + $1.totals.steps })
      new.append(results.reduce(0) { $0 + $1.new })
    }
    return (totals, new)
  }

  @Test(
    "a period that has grown since its import adds its growth only, and the same steps in a longer time add nothing",
    arguments: [
      (720, 4000, 722, 4000), (720, 4000, 724, 9000), (720, 4000, 1080, 9000), (7.125, 500, 10, 700),
      (50, 2000, 60, 2400), (1440, 100, 1440, 4000), (1440, 4000, 1440, 9000), (1438, 4000, 1440, 9000),
    ] as [(Double, Int, Double, Int)])
  func grown(_ first: Double, _ steps: Int, _ second: Double, _ more: Int) {
    let imports = [Self.period(0, first, steps)]
    let grown = [Self.period(0, second, more)]
    let (totals, new) = Self.totals([imports, grown, grown, imports])
    #expect(totals == [steps, more, more, more] && new == [steps, more - steps, 0, 0])
  }

  @Test("a period that has grown keeps those beside it, and stays as even as possible")
  func grownBetween() throws {
    let first = [Self.period(0, 60, 600), Self.period(60, 120, 600)]
    let (totals, _) = Self.totals([first, [first[0], Self.period(60, 120, 700)]])
    #expect(totals == [1200, 1300])
    let known = Self.planned([], [Self.period(0, 60, 100)]).results.flatMap(\.minutes)
    let minutes = try #require(Self.planned(known, [Self.period(0, 60, 400)]).results.first).minutes
    #expect(minutes.count == 60 && minutes.allSatisfy { (6...7).contains($0.totals.steps) })
  }

  @Test("a day's total that is read in another time zone adds its last hour at most")
  func otherZone() {
    let (totals, _) = Self.totals([[Self.period(0, 1440, 4000)], [Self.period(60, 1500, 4000)]])
    #expect((4000...4170).contains(totals[1]))
  }

  @Test("finer periods of a source add nothing to its own totals of longer ones, and it says why without its own name")
  func finerOfSameSource() throws {
    var plan = ImportPlan(calendar: DayCalendar(timeZone: .gmt))
    for minute in Self.planned([], [Self.period(0, 120, 1200)]).results.flatMap(\.minutes) { plan.know(minute) }
    let result = try #require(plan.take([Self.file([Self.period(0, 60, 1000), Self.period(60, 120, 200)])]).first)
    #expect(result.new == 0 && result.spread == 400 && result.spreadSources.isEmpty)
    #expect(result.notices.contains { $0.contains("phone are taken to be among its totals of longer periods") })
  }

  @Test("a minute of our own export grows if another file has more of its steps, in whatever order the files are given")
  func ownMinutes() {
    let files = [[(0, 40)], [(0, 110), (1, 100)]].map { minutes in
      var file = ImportedFile()
      file.minutes = minutes.map { Self.minute($0.0, $0.1) }
      return file
    }
    for files in [files, files.reversed()] {
      var together = ImportPlan()
      #expect(Self.total([], together.take(files)) == 210)
      var known: [Date: HistoryMinute] = [:]
      for file in files {
        var plan = ImportPlan()
        for minute in known.values { plan.know(minute) }
        for minute in plan.take([file]).flatMap(\.minutes) { known[minute.start] = minute }
      }
      #expect(known.values.reduce(0) { $0 + $1.totals.steps } == 210)
    }
  }

  @Test("minutes of our own export grow within a period that an earlier import spread, too")
  func ownSpreadMinutes() {
    let known = (0..<60).map { Self.minute($0, 10, Self.phone) }
    var plan = ImportPlan()
    for minute in known { plan.know(minute) }
    var file = ImportedFile()
    file.minutes = (0..<60).map { Self.minute($0, $0 < 30 ? 10 : 20, Self.phone) }
    let results = plan.take([file])
    #expect(results.map(\.new) == [300] && results[0].spread == 0 && Self.total(known, results) == 900)
  }

  @Test("a period whose minutes our own export has as well counts once")
  func ownMinutesOfPeriod() {
    var export = ImportedFile()
    export.minutes = Self.planned([], [Self.period(0, 10, 600)]).results.flatMap(\.minutes)
    var plan = ImportPlan()
    let results = plan.take([export, Self.file([Self.period(0, 10, 600)])])
    #expect(Self.total([], results) == 600 && results.map(\.new) == [600, 0])
  }

  @Test("a source that has got another name is the same one")
  func renamed() {
    let known = Self.planned([], [Self.period(0, 5.75, 575), Self.period(8, 9, 50)]).results.flatMap(\.minutes)
    let phone = HistorySource(identity: Self.phone.identity, name: "new name")
    let later = Self.planned(known, [Self.period(0, 5.75, 575, phone), Self.period(8, 9, 50, phone)])
    #expect(later.results[0].new == 0 && later.results[0].minutes.isEmpty)
  }

  @Test("the order of files makes no difference")
  func anyOrder() {
    var random = SplitMix64(seed: 5)
    for trial in 0..<200 {
      let files = [Self.phone, Self.watch].map { source in
        Self.file(
          (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let start = Double.random(in: 0..<20, using: &random)
            return Self.period(
              start, start + .random(in: 0.1..<40, using: &random), .random(in: 1...60, using: &random), source)
          })
      }
      var (plan, reversed) = (ImportPlan(), ImportPlan())
      let totals = (Self.total([], plan.take(files)), Self.total([], reversed.take(files.reversed())))
      #expect(totals.0 == totals.1, "trial \(trial)")
    }
  }
}
