import Foundation
import History
import JSONLines

/// A list of the steps of days, as stepsy and others export it: CSV with a column `date` (or `timestamp`, in seconds or
/// milliseconds) and one `steps`. With the times of day in further columns, it is a ``TimedSteps``.
enum DailySteps {
  /// The columns of a list, from 0.
  struct Columns {
    var day: Int?
    var begin: Int?
    var end: Int?
    var count: Int
  }

  private static let days = ["date", "day", "timestamp", "datum", "data", "fecha", "日付"]
  private static let begins = ["time", "start", "begin", "from", "start time", "start_time", "starttime"]
  private static let ends = ["end", "to", "end time", "end_time", "endtime"]
  private static let counts = [
    "steps", "step_count", "stepcount", "schritte", "pas", "pasos", "passi", "stappen", "歩数",
  ]

  /// Whether a file begins like one. A title may stand above the names.
  static func isList(_ head: some StringProtocol, of path: String) -> Bool {
    head.split(maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(2)
      .contains { columns($0, of: path) != nil }
  }

  static func read(_ path: String, _ text: String, _ calendar: DayCalendar, now: Date) throws -> ImportedFile {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let heading = lines.prefix(2).firstIndex(where: { columns($0, of: path) != nil }),
      let columns = columns(lines[heading], of: path)
    else { return ImportedFile() }
    let rows = lines.indices.dropFirst(heading + 1).filter { !lines[$0].isEmpty }
      .map { Row(line: $0 + 1, cells: cells(lines[$0])) }
    return try TimedSteps(path, rows, columns, calendar)?.file(now: now)
      ?? totals(path, rows, columns, calendar, now: now)
  }

  struct Row {
    /// From 1.
    var line: Int
    var cells: [String]
  }

  private static func totals(
    _ path: String, _ rows: [Row], _ columns: Columns, _ calendar: DayCalendar, now: Date
  ) throws -> ImportedFile {
    var file = ImportedFile()
    var known: [Date: Row] = [:]
    var (repeated, empty) = (0, 0)
    for row in rows {
      if row.cells.count > columns.count, row.cells[columns.count].isEmpty {
        empty += 1
        continue
      }
      func fail(_ reason: String) -> ImportFailure { ImportFailure(place: "\(path):\(row.line)", reason: reason) }
      guard let place = columns.day, row.cells.count > max(place, columns.count),
        let day = day(row.cells[place], calendar), let steps = Int(row.cells[columns.count])
      else { throw fail(Self.trouble(row, columns, calendar)) }
      if let other = known[day.start] {
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
          source: HistorySource(identity: "import:daily", name: "daily totals")),
        at: "line \(row.line)", now: now)
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
  private static func trouble(_ row: Row, _ columns: Columns, _ calendar: DayCalendar) -> String {
    let cells = [columns.day, columns.count].compactMap(\.self).map { $0 < row.cells.count ? row.cells[$0] : "" }
    if cells.count == 2, !cells[0].isEmpty, day(cells[0], calendar) == nil {
      return "'\(cells[0].prefix(longestCell))' is no date such as 2026-05-06"
    }
    if let steps = cells.last, steps.contains(where: \.isNumber), Int(steps) == nil {
      return "'\(steps.prefix(longestCell))' is no number of steps such as 8123, without separators"
    }
    return "not a day and its steps, such as 2026-05-06,8123"
  }

  private static let longestCell = 40

  private static func columns(_ heading: some StringProtocol, of path: String) -> Columns? {
    let names = cells(Substring(heading)).map { $0.lowercased().trimmingCharacters(in: ["<", ">"]) }
    let place = { (known: [String]) in names.firstIndex(where: known.contains) }
    // Withings names neither its column nor its file's lines after what they count, but the file.
    let isNamed = path.split(separator: "/").last?.lowercased().contains("steps") ?? false
    // Google Takeout's list of days; its lists of one day have times.
    let google = names.first == "date" ? names.firstIndex(of: "step count") : nil
    guard let count = place(counts) ?? google ?? (isNamed && names == ["date", "value"] ? 1 : nil) else { return nil }
    let columns = Columns(day: place(days), begin: place(begins), end: place(ends), count: count)
    return columns.day != nil || columns.begin != nil && columns.end != nil ? columns : nil
  }

  private static func cells(_ line: Substring) -> [String] {
    CSV.cells(line.contains(",") ? line : Substring(line.replacing(";", with: ",")))
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func day(_ text: String, _ calendar: DayCalendar) -> DateInterval? {
    if let number = Double(text), number > 100_000_000, number < 1e13 {
      return calendar.day(containing: Date(timeIntervalSince1970: number / (number > 1e11 ? 1000 : 1)))
    }
    return calendar.reading(text).map { calendar.day(containing: $0.start) }
  }
}
