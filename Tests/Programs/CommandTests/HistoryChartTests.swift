import Foundation
import History
import JSONLines
import Pedometry
import Testing

@testable import pedometer_full

@Suite("HistoryChart", .timeLimit(.minutes(30)))
struct HistoryChartTests {
  private let calendar = DayCalendar(timeZone: TimeZone(identifier: "UTC")!)
  /// 2026-05-06, a Wednesday.
  private static let first = Date(timeIntervalSince1970: 1_778_025_600)

  private func days(_ steps: [Int]) -> [HistoryBucket] {
    steps.enumerated().map { index, steps in
      let start = Self.first + Double(index) * 86_400
      var totals = WalkTotals()
      totals.steps = steps
      totals.distanceTravelled = Double(steps) * 0.7
      return HistoryBucket(start: start, end: start + 86_400, totals: totals)
    }
  }

  private func chart(_ length: HistoryInterval = .day, width: Int = 60) -> HistoryChart {
    var chart = HistoryChart(calendar: calendar, length: length, style: .init(depth: .none))
    (chart.width, chart.goal) = (width, { _ in 8000 })
    return chart
  }

  private func period(_ count: Int) -> DateInterval {
    DateInterval(start: Self.first, duration: Double(count) * 86_400)
  }

  @Test("on a terminal: bars, a mark at the goal of days that miss it, separators, and the average of a day")
  func terminal() {
    var chart = chart()
    chart.mean = .init(of: days([4000, 10_000, 0]), at: Self.first + 2.5 * 86_400)
    let lines = chart.text(days([4000, 10_000, 0]), period: period(3)).split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("Wed 2026-05-06 to Fri 2026-05-08 ("))
    #expect(lines[1].hasPrefix("  Wed 2026-05-06  4,000  ████") && lines[1].hasSuffix("┊"))
    #expect(lines[2].hasPrefix("  Thu 2026-05-07 10,000  ████") && !lines[2].contains("┊"))
    #expect(lines[3].hasSuffix("┊") && lines[1].count == lines[3].count)
    #expect(lines.allSatisfy { $0.count < 60 })
    #expect(lines[4].hasPrefix("  14,000 steps, 9.8 km"))
    #expect(lines[5] == "  7,000 steps a day in 2 complete days, goal of 8,000" && lines[6] == "  reached on 1")
    #expect(lines[7] == "  best day: 10,000 on Thu 2026-05-07")
  }

  @Test("beyond a thousand kilometres there are separators and no metres, and only floors that were walked are told")
  func largeFigures() {
    var year = days([3_351_204])
    (year[0].totals.floorsAscended, year[0].totals.floorsDescended) = (1, 0)
    #expect(chart().text(year, period: period(1)).contains("  3,351,204 steps, 2,346 km\n  1 floor up\n"))
    (year[0].totals.floorsAscended, year[0].totals.floorsDescended) = (1234, 1)
    #expect(chart().text(year, period: period(1)).hasSuffix("  1,234 floors up, 1 down\n"))
  }

  @Test(
    "the days in a row with the goal end with the last day, or the one before while that can still reach it",
    arguments: [
      ([9000, 100, 8000, 8000], ", on the last 2 in a row"), ([8000, 8000, 8000, 100], ", on the last 3 in a row"),
      ([8000, 8000, 100, 100], nil), ([100, 100, 100, 8000], nil),
    ] as [([Int], String?)])
  func streak(_ steps: [Int], _ words: String?) {
    var chart = chart()
    chart.width = 200
    chart.mean = .init(of: days(steps), at: .distantFuture)
    let text = chart.text(days(steps), period: period(steps.count))
    #expect(text.contains(words ?? "reached on") && (words != nil || !text.contains("in a row")), "\(text)")
  }

  @Test("today and days without steps count in no average; with neither a whole day nor steps there is none")
  func mean() throws {
    let now = Self.first + 3.5 * 86_400
    let mean = try #require(HistoryChart.Mean(of: days([4000, 0, 8000, 500]), at: now))
    #expect(mean.steps == 6000 && mean.days == 2)
    #expect(HistoryChart.Mean(of: days([500]), at: Self.first + 100) == nil)
    #expect(HistoryChart.Mean(of: days([0, 0]), at: now) == nil)
  }

  @Test("nothing is wider than the terminal, and lines end between words", arguments: [40, 60, 80])
  func fits(width: Int) {
    var chart = chart(width: width)
    let days = days((0..<365).map { 3000 + $0 * 37 % 9000 })
    chart.mean = .init(of: days, at: .distantFuture)
    for text in [chart.text(days, period: period(365)), chart.text(Array(days.prefix(7)), period: period(7))] {
      let lines = text.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width }, "\(text)")
      let words = Set("8,000 complete reached walking steps".split(separator: " "))
      #expect(words.isSubset(of: text.split { " \n".contains($0) } + ["walking"]), "\(text)")
    }
  }

  @Test("days and months without steps, of which there may be no data, have a dash")
  func nothing() {
    #expect(chart().text(days([4000, 0]), period: period(2)).contains("  Thu 2026-05-07     -  "))
    let months = [HistoryBucket(start: Self.first, end: Self.first + 86_400, totals: WalkTotals())]
    #expect(chart(.month).text(months, period: period(1)).contains("  2026-05     -\n"))
  }

  @Test("days are combined to weeks from Monday and to months")
  func combined() {
    let days = days(Array(repeating: 100, count: 40))
    let weeks = HistoryInterval.week.combined(days, calendar)
    // Wednesday to Sunday, then whole weeks; the sixth of May to the fourteenth of June
    #expect(weeks.map(\.steps) == [500, 700, 700, 700, 700, 700])
    #expect(calendar.civil(weeks[1].start).date == "2026-05-11")
    let months = HistoryInterval.month.combined(days, calendar)
    #expect(months.map(\.steps) == [2600, 1400])
    #expect(HistoryInterval.day.combined(days, calendar) == days)
    let text = chart(.month).text(months, period: period(40))
    #expect(text.contains("  2026-05 2,600  █") && text.contains("  2026-06 1,400  █"))
    #expect(chart(.week).text(weeks, period: period(40)).contains("week of 2026-05-11"))
  }

  @Test(
    "numbers are grouped by three digits",
    arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func grouped(value: Int, text: String) { #expect(Decimals.grouped(value) == text) }
}
