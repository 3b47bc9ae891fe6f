import Foundation
import History
import JSONLines
import PedometerCommands

/// Months of days as a calendar: a column for each week, a row for each day of the week, darker with more steps.
struct CalendarStrip {
  let calendar: DayCalendar
  let style: HistoryChart.Style
  /// Steps that count as a full day; `nil` means the day with the most steps.
  let goal: Int?

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let unicode: [Character] = ["·", "░", "▒", "▓", "█"]
  private static let ascii: [Character] = [".", "-", "+", "*", "#"]

  /// The calendar of these days; as many weeks as fit, the latest ones.
  func text(_ days: [HistoryBucket], width: Int) -> String {
    guard let first = days.first else { return "" }
    let shift = calendar.civil(first.start).weekday - 1
    let weeks = (days.count + shift + 6) / 7
    let skipped = max(0, weeks - max(1, width - 6))
    let full = max(goal ?? days.map(\.steps).max() ?? 1, 1)
    var months = [Character](repeating: " ", count: weeks + 3)
    var rows = [[Character]](repeating: [Character](repeating: " ", count: weeks), count: 7)
    for (index, day) in days.enumerated() {
      let (week, weekday) = ((index + shift) / 7, (index + shift) % 7)
      let date = calendar.civil(day.start)
      rows[weekday][week] = glyph(day.steps, of: full)
      if date.day == 1 { months.replaceSubrange(week..<week + 3, with: Self.months[date.month - 1]) }
    }
    let title = String(months.dropFirst(skipped)).trimmedAtEnd
    var text = title.isEmpty ? "" : "      \(title)\n"
    for (name, row) in zip(["Mon", "", "Wed", "", "Fri", "", "Sun"], rows) {
      let cells = String(row.dropFirst(skipped))
      let shown = style.hasColour ? "\u{1B}[36m\(cells)\u{1B}[0m" : cells
      text += "  \(name.padding(toLength: 3, withPad: " ", startingAt: 0)) \(shown)".trimmedAtEnd + "\n"
    }
    let glyphs = style.isUnicode ? Self.unicode : Self.ascii
    return text + "      \(glyphs[0]) none  \(glyphs[1]) to a third  \(glyphs[2]) to two thirds"
      + "  \(glyphs[3]) below  \(glyphs[4]) \(Decimals.grouped(full)) or more\n"
  }

  private func glyph(_ steps: Int, of full: Int) -> Character {
    let level = steps <= 0 ? 0 : steps >= full ? 4 : min(3, 1 + steps * 3 / full)
    return (style.isUnicode ? Self.unicode : Self.ascii)[level]
  }
}
