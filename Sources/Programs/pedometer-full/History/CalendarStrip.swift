import Foundation
import History
import JSONLines
import PedometerCommands
import Terminals

/// Months of days as a calendar: a column for each week, a row for each day of the week, darker with more steps.
struct CalendarStrip {
  let calendar: DayCalendar
  let style: HistoryChart.Style
  /// Steps that count as a full day; `nil` means the day with the most steps.
  let goal: Int?

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let unicode: [Character] = ["·", "░", "▒", "▓", "█"]
  private static let ascii: [Character] = [".", "-", "+", "*", "#"]
  /// Grey and four greens of the palette with 256 colours; the glyphs say the same without colours.
  private static let greens = [240, 22, 28, 34, 40]

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
      // A name without room is left out.
      if date.day == 1, week >= skipped, 6 + week + 3 - skipped <= width {
        months.replaceSubrange(week..<week + 3, with: Self.months[date.month - 1])
      }
    }
    let title = String(months.dropFirst(skipped)).trimmedAtEnd
    var text = title.isEmpty ? "" : "      \(title)\n"
    for (name, row) in zip(["Mon", "", "Wed", "", "Fri", "", "Sun"], rows) {
      let cells = String(row.dropFirst(skipped))
      text +=
        "  \(name.padding(toLength: 3, withPad: " ", startingAt: 0)) \(coloured(cells.trimmedAtEnd))".trimmedAtEnd
        + "\n"
    }
    return text + legend(full, width: width)
  }

  /// The steps of each shade.
  private func legend(_ full: Int, width: Int) -> String {
    // The first number of each shade; ``glyph(_:of:)`` rounds down.
    let starts = [1, (full + 2) / 3, (2 * full + 2) / 3, full]
    var parts = [(glyphs[0], "none")]
    for (index, start) in starts.enumerated() where index == 3 || starts[index + 1] > start {
      let end = index < 3 ? starts[index + 1] - 1 : nil
      let range = end.map { $0 > start ? "\(Decimals.grouped(start)) to \(Decimals.grouped($0))" : "\(start)" }
      parts.append((glyphs[index + 1], range ?? "\(Decimals.grouped(start)) or more"))
    }
    var (text, column) = ("", width)
    for (glyph, words) in parts {
      let isNewLine = column + words.count + 4 >= width
      if isNewLine { (text, column) = (text + (text.isEmpty ? "" : "\n") + "    ", 4) }
      text += "  \(coloured(String(glyph))) \(words)"
      column += words.count + 4
    }
    return text + "\n"
  }

  private var glyphs: [Character] { style.isUnicode ? Self.unicode : Self.ascii }

  /// Runs of a shade in its green.
  private func coloured(_ cells: String) -> String {
    switch style.depth {
    case .none: return cells
    case .sixteen: return "\u{1B}[32m\(cells)\u{1B}[0m"
    default: break
    }
    var (text, last) = ("", -1)
    for cell in cells {
      let level = glyphs.firstIndex(of: cell) ?? -1
      if level != last, level >= 0 { text += "\u{1B}[38;5;\(Self.greens[level])m" }
      if level >= 0 { last = level }
      text.append(cell)
    }
    return last >= 0 ? text + "\u{1B}[0m" : text
  }

  private func glyph(_ steps: Int, of full: Int) -> Character {
    glyphs[steps <= 0 ? 0 : steps >= full ? 4 : min(3, 1 + steps * 3 / full)]
  }
}
