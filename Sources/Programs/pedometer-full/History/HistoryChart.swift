import Foundation
import History
import JSONLines
import Pedometry
import Terminals

/// A period as bars, the same in a pipe and on a terminal.
struct HistoryChart {
  var calendar: DayCalendar
  var length: HistoryInterval
  var style: ScreenStyle
  /// The columns of the terminal.
  var width = 80
  /// The goal of a date, such as 2026-11-26; `nil` without one.
  var goal: (_ date: String) -> Int? = { _ in nil }
  /// `nil` without complete days.
  var mean: Mean?

  /// The steps of an average day. As on the page, only days that are over and have steps count.
  struct Mean {
    var steps: Int
    var days: Int

    init?(of days: [HistoryBucket], at now: Date) {
      let complete = days.filter { $0.end <= now && $0.steps > 0 }
      guard !complete.isEmpty else { return nil }
      self.days = complete.count
      steps = Int((Double(complete.reduce(0) { $0 + $1.steps }) / Double(complete.count)).rounded())
    }
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The chart and the totals of a period.
  func text(_ buckets: [HistoryBucket], period: DateInterval) -> String {
    var text = title(period) + "\n"
    let shown = shown(buckets)
    let labels = shown.map { label($0, isSingleDay: period.duration < 26 * 3600) }
    // There may be no data, which the history does not tell from no steps.
    let counts = shown.map { $0.steps > 0 ? Decimals.grouped($0.steps) : "-" }
    let labelWidth = labels.map(\.count).max() ?? 0
    let countWidth = max(counts.map(\.count).max() ?? 0, 5)
    let room = max(4, width - 1 - 2 - labelWidth - 1 - countWidth - 2)
    let marks = shown.map(mark)
    let most = max(shown.map(\.steps).max() ?? 0, marks.compactMap { $0 }.max() ?? 0)
    for (index, bucket) in shown.enumerated() {
      let line =
        "  " + labels[index].padded(to: labelWidth) + " " + counts[index].padded(to: -countWidth) + "  "
        + bar(bucket.steps, of: most, room, goal: marks[index])
      text += line.replacing(/\s+$/, with: "") + "\n"
    }
    return text + summary(buckets)
  }

  /// Hours before the first step and after the last are omitted, and so are minutes without steps.
  private func shown(_ buckets: [HistoryBucket]) -> [HistoryBucket] {
    switch length {
    case .day, .week, .month: return buckets
    case .minute: return buckets.filter { $0.steps > 0 }
    case .hour:
      guard let first = buckets.firstIndex(where: { $0.steps > 0 }),
        let last = buckets.lastIndex(where: { $0.steps > 0 })
      else { return [] }
      return Array(buckets[first...last])
    }
  }

  private func title(_ period: DateInterval) -> String {
    let zone = calendar.timeZone.identifier
    let (first, last) = (calendar.civil(period.start), calendar.civil(period.end - 1))
    if calendar.day(containing: period.start) == period { return wrapped("\(day(first)) (\(zone))") }
    // A day that begins at four ends on the next date; its first date is its name.
    let end = calendar.day(containing: period.end - 1)
    let lastDay = end.end == period.end ? calendar.civil(end.start) : last
    return wrapped("\(day(first)) to \(day(lastDay)) (\(zone))")
  }

  private func label(_ bucket: HistoryBucket, isSingleDay: Bool) -> String {
    let start = calendar.civil(bucket.start)
    if length == .week { return "week of \(start.date)" }
    if length == .month { return String(start.date.prefix(7)) }
    if length == .day { return day(start) }
    return isSingleDay ? start.time : "\(start.date) \(start.time)"
  }

  private func day(_ date: CivilDate) -> String { "\(Self.weekdays[date.weekday - 1]) \(date.date)" }

  /// A bar, and a mark at the goal.
  private func bar(_ steps: Int, of most: Int, _ room: Int, goal: Int?) -> String {
    guard most > 0 else { return "" }
    let eighths = steps > 0 ? max(1, Int((Double(steps) / Double(most) * Double(room) * 8).rounded())) : 0
    var bar: String
    if style.isUnicode {
      let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
      bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    } else {
      bar = String(repeating: "#", count: steps > 0 ? max(1, eighths / 8) : 0)
    }
    let isReached = goal.map { steps >= $0 } ?? false
    let length = bar.count
    if style.depth != .none, !bar.isEmpty { bar = "\u{1B}[\(isReached ? 32 : 36)m\(bar)\u{1B}[0m" }
    guard let goal, !isReached else { return bar }
    let column = min(Int((Double(goal) / Double(most) * Double(room)).rounded(.down)), room - 1)
    guard column >= length else { return bar }
    return bar + String(repeating: " ", count: column - length) + (style.isUnicode ? "┊" : "|")
  }

  private func summary(_ buckets: [HistoryBucket]) -> String {
    let totals = buckets.reduce(WalkTotals()) { $0 + $1.totals }
    guard totals.steps > 0 else { return "  no steps\n" }
    var text = "  \(Decimals.grouped(totals.steps)) \(totals.steps == 1 ? "step" : "steps"), "
    text += Decimals.distance(totals.distanceTravelled)
    if let cadence = totals.cadence.flatMap({ Decimals.text($0 * 60, 0) }) {
      text += ", \(Decimals.duration(totals.activeTime)) of walking at \(cadence) steps/min"
    }
    text = wrapped(text) + "\n"
    if let mean, buckets.count > 1 {
      var words =
        "  \(Decimals.grouped(mean.steps)) steps a day in \(mean.days) complete day\(mean.days == 1 ? "" : "s")"
      let marks = Set(buckets.map(mark))
      if let goal = marks.first ?? nil {
        let isOne = marks.count == 1
        words +=
          ", \(isOne ? "goal of \(Decimals.grouped(goal))" : "goal") reached on \(buckets.count(where: isReached))"
        let streak = streak(buckets)
        if streak > 1 { words += ", on the last \(streak) in a row" }
      }
      text += wrapped(words) + "\n"
      if length == .day, let best = buckets.max(by: { $0.steps < $1.steps }) {
        text += wrapped("  best day: \(Decimals.grouped(best.steps)) on \(day(calendar.civil(best.start)))") + "\n"
      }
    }
    if let up = totals.floorsAscended, let down = totals.floorsDescended {
      text +=
        "  \(Decimals.grouped(up)) \(up == 1 ? "floor" : "floors") up"
        + (down > 0 ? ", \(Decimals.grouped(down)) down\n" : "\n")
    }
    return text
  }

  /// A line in the width of the terminal, at blanks.
  private func wrapped(_ line: String) -> String { ScreenText.wrapped(line, width: width - 1).joined(separator: "\n") }

  /// The days in a row with the goal, up to the last one or, while that has not reached it yet, the one before.
  private func streak(_ days: [HistoryBucket]) -> Int {
    let closed = days.last.map(isReached) ?? true ? days[...] : days.dropLast()
    return closed.reversed().prefix(while: isReached).count
  }

  private func mark(_ bucket: HistoryBucket) -> Int? { length == .day ? goal(calendar.civil(bucket.start).date) : nil }

  private func isReached(_ day: HistoryBucket) -> Bool { mark(day).map { day.steps >= $0 } ?? false }
}
