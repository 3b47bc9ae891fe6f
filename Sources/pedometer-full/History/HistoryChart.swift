import Foundation
import History
import JSONLines

/// A period as bars, for a terminal of 80 columns.
struct HistoryChart {
  struct Style {
    var isUnicode = true
    var hasColour = false
  }

  var calendar: DayCalendar
  var length: HistoryBucketLength
  var style = Style()

  private static let width = 80
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  func text(_ buckets: [HistoryBucket], totals: WalkTotals, period: DateInterval) -> String {
    var text = title(period) + "\n"
    let shown = shown(buckets)
    let labels = shown.map { label($0, isSingleDay: period.duration < 26 * 3600) }
    let counts = shown.map { String($0.steps) }
    let labelWidth = labels.map(\.count).max() ?? 0
    let countWidth = max(counts.map(\.count).max() ?? 0, 5)
    let room = Self.width - 2 - labelWidth - 1 - countWidth - 2
    let most = shown.map(\.steps).max() ?? 0
    for (index, bucket) in shown.enumerated() {
      let line =
        "  " + labels[index].padded(to: labelWidth) + " " + counts[index].padded(to: -countWidth) + "  "
        + bar(bucket.steps, of: most, room)
      text += line.trimmed + "\n"
    }
    return text + summary(totals)
  }

  /// Hours before the first step and after the last are omitted, and so are minutes without steps.
  private func shown(_ buckets: [HistoryBucket]) -> [HistoryBucket] {
    switch length {
    case .day: return buckets
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
    if calendar.day(containing: period.start) == period { return "\(day(first)) (\(zone))" }
    // A day that begins at four ends on the next date; its first date is its name.
    let end = calendar.day(containing: period.end - 1)
    let lastDay = end.end == period.end ? calendar.civil(end.start) : last
    return "\(day(first)) to \(day(lastDay)) (\(zone))"
  }

  private func label(_ bucket: HistoryBucket, isSingleDay: Bool) -> String {
    let start = calendar.civil(bucket.start)
    if length == .day { return day(start) }
    return isSingleDay ? start.time : "\(start.date) \(start.time)"
  }

  private func day(_ date: CivilDate) -> String { "\(Self.weekdays[date.weekday - 1]) \(date.date)" }

  private func bar(_ steps: Int, of most: Int, _ room: Int) -> String {
    guard steps > 0, most > 0 else { return "" }
    let eighths = max(1, Int((Double(steps) / Double(most) * Double(room) * 8).rounded()))
    guard style.isUnicode else { return String(repeating: "#", count: max(1, eighths / 8)) }
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    return style.hasColour ? "\u{1B}[36m\(bar)\u{1B}[0m" : bar
  }

  private func summary(_ totals: WalkTotals) -> String {
    guard totals.steps > 0 else { return "  no steps\n" }
    var text = "  \(totals.steps) \(totals.steps == 1 ? "step" : "steps"), "
    text += Decimals.distance(totals.distanceTravelled)
    if let cadence = totals.cadence.flatMap({ Decimals.text($0 * 60, 0) }) {
      text += ", \(Decimals.duration(totals.activeTime)) of walking at \(cadence) steps/min"
    }
    return text + "\n"
  }
}

extension String {
  /// Without trailing blanks.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
