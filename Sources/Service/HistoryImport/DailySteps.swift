import Foundation
import History
import JSONLines

/// A list of the steps of days, as stepsy and others export it: CSV with a column `date` (or `timestamp`, in seconds or
/// milliseconds) and one `steps`.
enum DailySteps {
  private static let times = ["date", "day", "timestamp"]
  private static let counts = ["steps", "step_count", "stepcount"]

  /// Whether a file begins like one.
  static func isList(_ head: some StringProtocol) -> Bool { columns(head.prefix { !$0.isNewline }) != nil }

  static func read(_ path: String, _ text: String, _ calendar: DayCalendar, now: Date) throws -> ImportedFile {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let heading = lines.first, let (time, count) = columns(heading) else { return ImportedFile() }
    var file = ImportedFile()
    var days = 0
    var texts: [Date: String] = [:]
    for (index, line) in lines.enumerated().dropFirst() {
      let cells = cells(line)
      guard cells.count > max(time, count), let day = day(cells[time], calendar), let steps = Int(cells[count]) else {
        throw ImportFailure(
          place: "\(path):\(index + 1)", reason: "not a day and its steps, such as 2026-05-06,8123")
      }
      guard texts[day.start, default: cells[time]] == cells[time] else {
        throw ImportFailure(
          place: "\(path):\(index + 1)",
          reason: "another time of a day that the list has already; give one line with the steps of each day")
      }
      texts[day.start] = cells[time]
      days += steps > 0 ? 1 : 0
      file.add(
        ImportedPeriod(
          // A day that has not ended counts as far as it has passed.
          start: day.start, end: min(day.end, max(now, day.start)), steps: steps,
          source: HistorySource(identity: "import:daily", name: "daily totals")),
        at: "line \(index + 1)", now: now)
    }
    if days > 0 { file.notices.append("the times within the days are unknown; steps are spread evenly over them") }
    return file
  }

  private static func columns(_ heading: some StringProtocol) -> (time: Int, count: Int)? {
    let names = cells(Substring(heading)).map { $0.lowercased() }
    guard let time = names.firstIndex(where: times.contains), let count = names.firstIndex(where: counts.contains)
    else { return nil }
    return (time, count)
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
