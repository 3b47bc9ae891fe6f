import Foundation
import History

/// A list of the steps of days, as stepsy and others export it: CSV with a column `date` (or `timestamp`, in seconds or
/// milliseconds) and one `steps`. With the times of day in further columns, it is a ``TimedSteps``.
enum DailySteps {
  static func read(_ input: InputFile, _ calendar: DayCalendar, now: Date) throws -> ImportedFile {
    let bytes = try input.whole()
    try ListTable.check(bytes, input.path)
    return try read(input.path, ListTable.text(Data(bytes)), calendar, now: now)
  }

  static func read(_ path: String, _ text: String, _ calendar: DayCalendar, now: Date) throws -> ImportedFile {
    guard let table = try ListTable(path, text, now: now) else { return ImportedFile() }
    var file =
      try TimedSteps(path, table.rows, table.columns, calendar)?.file(now: now)
      ?? totals(path, table.rows, table.columns, calendar, now: now)
    file.notices = table.notices + file.notices
    return file
  }

  private static func totals(
    _ path: String, _ rows: [ListTable.Row], _ columns: ListFormat.Columns, _ calendar: DayCalendar, now: Date
  ) throws -> ImportedFile {
    var file = ImportedFile()
    let daily = HistorySource(identity: "import:daily", name: "daily totals")
    var known: [Date: ListTable.Row] = [:]
    var (repeated, empty) = (0, 0)
    for row in rows {
      if row.cells.count > columns.count, row.cells[columns.count].isEmpty {
        empty += 1
        continue
      }
      func fail(_ reason: String) -> ImportFailure { ImportFailure(at: "\(path):\(row.line)", reason) }
      guard let place = columns.day, row.cells.count > max(place, columns.count),
        let day = day(row.cells[place], calendar), let steps = Int(row.cells[columns.count])
      else { throw fail(Self.trouble(row, columns, calendar)) }
      guard day.end.timeIntervalSince1970 >= TimedSteps.earliest else {
        throw fail("the days are of 1970, so the dates were lost; export the list again, or write the days by hand")
      }
      if columns.format.program == nil, let other = known[day.start] {
        guard other.cells[place] == row.cells[place] else {
          throw fail("another time of a day that the list has already; give one line with the steps of each day")
        }
        var same = other.cells
        same[columns.count] = row.cells[columns.count]
        guard same == row.cells else {
          throw fail(
            "a second line of \(row.cells[place]), and no times of day; add the steps of each day up to one line, or"
              + " leave the lines of one device")
        }
        repeated += other.cells == row.cells ? 0 : 1
      }
      known[day.start] = row
      file.add(
        ImportedPeriod(
          // A day that has not ended counts as far as it has passed.
          start: day.start, end: min(day.end, max(now, day.start)), steps: steps,
          source: columns.source(row, or: daily)),
        at: "line \(row.line)", now: now)
    }
    // A program's weeks and months have dates as well.
    let days = known.keys.sorted()
    if columns.format.program != nil,
      let shortest = zip(days.dropFirst(), days).map({ $0.timeIntervalSince($1) }).min(),
      shortest > 6 * 86_400
    {
      throw ImportFailure(at: path, "its lines are of weeks or months; export the steps of each day")
    }
    if !file.periods.isEmpty {
      file.notices.append("the times within the days are unknown; steps are spread evenly over them")
    }
    if empty > 0 { file.notices.append("lines without a number of steps, whose days have no data: \(empty)") }
    if repeated > 0 {
      file.notices.append("lines that repeat a day with other steps: \(repeated); of each day the largest counts")
    }
    return file
  }

  /// Why a line is no day and its steps.
  private static func trouble(_ row: ListTable.Row, _ columns: ListFormat.Columns, _ calendar: DayCalendar) -> String {
    let cells = [columns.day, columns.count].compactMap(\.self).map { $0 < row.cells.count ? row.cells[$0] : "" }
    if cells.count == 2, !cells[0].isEmpty, day(cells[0], calendar) == nil {
      return "'\(cells[0].prefix(longestCell))' is no date such as 2026-05-06"
    }
    if let steps = cells.last, steps.contains(where: \.isNumber), Int(steps) == nil {
      return "'\(steps.prefix(longestCell))' is no number of steps such as 8123"
    }
    return "not a day and its steps, such as 2026-05-06,8123"
  }

  private static let longestCell = 40

  private static func day(_ text: String, _ calendar: DayCalendar) -> DateInterval? {
    if let time = ListDates.unixTime(text) { return calendar.day(containing: Date(timeIntervalSince1970: time)) }
    return calendar.reading(text).map { calendar.day(containing: $0.start) }
  }
}
