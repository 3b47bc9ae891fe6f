import Foundation
import History

/// A list of steps with the times of day: `date,time,steps`, `date,start,end,steps`, `begin;end;steps`, or
/// `timestamp,steps` with several lines a day.
struct TimedSteps {
  private let path: String
  private let rows: [ListTable.Row]
  private let columns: ListFormat.Columns
  private let calendar: DayCalendar
  private let begin: Int

  /// - Returns: `nil` for totals of days: a time without an end, once a day, may be that of the export.
  init?(_ path: String, _ rows: [ListTable.Row], _ columns: ListFormat.Columns, _ calendar: DayCalendar) {
    guard let begin = columns.begin ?? columns.day else { return nil }
    (self.path, self.rows, self.columns, self.calendar, self.begin) = (path, rows, columns, calendar, begin)
    guard columns.end == nil, !columns.areMinutes, let day = columns.day else { return }
    if columns.begin == nil {
      guard Self.haveTimes(rows, day, calendar) else { return nil }
      if columns.format.seconds == nil {
        guard !daysThatTell().isEmpty else { return nil }
        return
      }
    }
    // Several lines a day.
    let days = rows.compactMap { day < $0.cells.count ? $0.cells[day].prefix(10) : nil }
    guard Set(days).count < days.count else { return nil }
  }

  private static func haveTimes(_ rows: [ListTable.Row], _ column: Int, _ calendar: DayCalendar) -> Bool {
    rows.allSatisfy { row in
      guard column < row.cells.count else { return false }
      return ListDates.unixTime(row.cells[column]) != nil || calendar.reading(row.cells[column])?.duration == 0
    }
  }

  func file(now: Date) throws -> ImportedFile {
    let begins = try rows.map { try moment($0, begin) }
    let isGuessed = columns.end == nil && columns.format.seconds == nil
    if isGuessed { try checkTotals() }
    let length = columns.format.seconds ?? (isGuessed ? shortestStep(begins) : 0)
    let list = HistorySource(identity: "import:list", name: "list of steps")
    var file = ImportedFile()
    for (row, begin) in zip(rows, begins) {
      // Times without data.
      if columns.format.program != nil, row.cells.count > columns.count, row.cells[columns.count].isEmpty { continue }
      guard row.cells.count > columns.count, let steps = Int(row.cells[columns.count]) else { throw failure(row) }
      // Years without a clock, as SecUSo's Pedometer exports them.
      guard begin.timeIntervalSince1970 >= Self.earliest else {
        throw ImportFailure(
          at: "\(path):\(row.line)",
          "the times are of 1970, so they were lost; of SecUSo's Pedometer import the database instead of the CSV")
      }
      // An entry within a minute has its own moment.
      let isWithin = columns.format.seconds != nil && begin.timeIntervalSince1970.remainder(dividingBy: 60) != 0
      var end = try columns.end.map { try moment(row, $0) } ?? begin + (isWithin ? 0 : length)
      if end < begin, columns.day != nil || columns.date != nil { end = nextDay(end) }
      file.add(
        ImportedPeriod(start: begin, end: end, steps: steps, source: columns.source(row, or: list)),
        at: "line \(row.line)", now: now)
    }
    if isGuessed {
      file.notices.append(
        "the list has no ends; each line counts for \(Int(length)) s, the shortest distance of two lines")
    }
    return file
  }

  /// A year after the epoch: earlier times were set to 0, or divided once too often.
  static let earliest = 365 * 86_400.0

  /// The end of a period over midnight.
  private func nextDay(_ end: Date) -> Date {
    // With an offset.
    if columns.date != nil { return end + 86_400 }
    let day = calendar.day(containing: end)
    return day.end + end.timeIntervalSince(day.start)
  }

  /// The lines of each day that has so many that they show whether their steps are those of the day so far. Hours
  /// without a step say nothing.
  private func daysThatTell() -> [[ListTable.Row]] {
    guard let day = columns.day else { return [] }
    let rows = rows.filter { $0.cells.count > max(day, columns.count) }
    let days = Dictionary(grouping: rows) { row in
      guard begin == day, let moment = try? moment(row, day) else { return row.cells[day] }
      return calendar.civil(moment).date
    }
    return days.values.filter { rows in
      rows.count >= Self.fewestRowsOfTotals && rows.contains { $0.cells[columns.count] != rows[0].cells[columns.count] }
    }
  }

  /// Refuses steps that may be those of the day so far.
  private func checkTotals() throws {
    let days = daysThatTell()
    let rises = days.allSatisfy { rows in
      let steps = rows.compactMap { Int($0.cells[columns.count]) }
      return zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 }
    }
    guard rises, let row = days.compactMap(\.first).min(by: { $0.line < $1.line }) else { return }
    throw ImportFailure(
      at: "\(path):\(row.line)",
      "the steps never fall within a day, so they may be those of the day so far; leave only the last line of"
        + " each day, and name its columns date,steps")
  }

  private static let fewestRowsOfTotals = 4

  /// The shortest distance of two lines, at most an hour.
  private func shortestStep(_ begins: [Date]) -> TimeInterval {
    let sorted = begins.sorted()
    return min(3600, zip(sorted, sorted.dropFirst()).map { $1.timeIntervalSince($0) }.filter { $0 > 0 }.min() ?? 60)
  }

  /// The moment in a cell: a date and a time, or a time of the row's day.
  private func moment(_ row: ListTable.Row, _ column: Int) throws -> Date {
    guard column < row.cells.count else { throw failure(row) }
    let text = row.cells[column]
    if let time = ListDates.unixTime(text) { return Date(timeIntervalSince1970: time) }
    if let moment = calendar.reading(text), moment.duration == 0 { return moment.start }
    let day = columns.day.flatMap { $0 < row.cells.count ? row.cells[$0].split(separator: " ").first : nil }
    guard let date = columns.date ?? day.map(String.init),
      let moment = calendar.reading("\(date) \(Self.clock(text) ?? text)"), moment.duration == 0
    else { throw failure(row) }
    return moment.start
  }

  private func failure(_ row: ListTable.Row) -> ImportFailure {
    ImportFailure(
      at: "\(path):\(row.line)",
      "not a time and its steps, such as 2026-05-06,10:15,812 below the names date,time,steps")
  }

  /// `8:05`, `08:05:30` or `8:05 PM` with two digits each.
  static func clock(_ text: String) -> String? {
    let lower = text.lowercased()
    let isAfternoon = lower.hasSuffix("pm")
    let isNamed = isAfternoon || lower.hasSuffix("am")
    let digits = (isNamed ? lower.dropLast(2) : lower[...]).trimmingCharacters(in: .whitespaces)
    var parts = digits.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (2...3).contains(parts.count), parts.allSatisfy({ (0..<60).contains($0) }), parts[0] < 24 else { return nil }
    if isNamed {
      guard (1...12).contains(parts[0]) else { return nil }
      parts[0] = parts[0] % 12 + (isAfternoon ? 12 : 0)
    }
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
