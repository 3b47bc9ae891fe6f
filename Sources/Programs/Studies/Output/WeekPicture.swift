import Drawing
import JSONLines

/// A strip per day: steps in five minutes as height, bouts as a line below, non-wear hatched. Readable in black and
/// white.
enum WeekPicture {
  private static let cell = 5
  private static let left = 118.0
  private static let right = 84.0
  private static let width = 960.0
  private static let row = 46.0
  private static let top = 58.0
  /// The maximum number of days that are drawn.
  private static let mostDays = 21

  static func svg(_ result: StudyResult, title: String, source: String) -> String {
    let days = result.days.prefix(mostDays)
    var svg = SVG(width: width, height: top + Double(days.count) * row + 46)
    svg.text(title, at: (20, 26), size: 15, isBold: true)
    let summary = result.mean { Double($0.steps) }.map { Decimals.grouped(Int($0.rounded())) }
    svg.text(
      summary.map { "\($0) steps per valid day, \(result.validDays.count) valid of \(result.days.count) days" }
        ?? "\(Decimals.grouped(result.steps)) steps, no valid day", at: (20, 44), .muted)
    let scale = (width - left - right) / 1440
    let bottom = top + Double(days.count) * row
    for hour in stride(from: 0, through: 24, by: 3) {
      let x = left + Double(hour * 60) * scale
      svg.line(from: (x, top), to: (x, bottom), .grid)
      svg.text(hour < 10 ? "0\(hour)" : "\(hour)", at: (x, bottom + 16), .muted, size: 11, anchor: .middle)
    }
    for (index, day) in days.enumerated() {
      draw(day, of: result, at: top + Double(index) * row, scale, into: &svg)
    }
    svg.text(
      "height: steps in 5 minutes, up to 700; line below: bouts of walking; hatched: not worn; right: steps, wear, mean ENMO",
      at: (left, bottom + 34), .muted, size: 11)
    return svg.document(title: title, description: "Steps of each day. \(source)")
  }

  private static func draw(
    _ day: StudyDay, of result: StudyResult, at y: Double, _ scale: Double, into svg: inout SVG
  ) {
    let base = y + row - 12
    let name = "\(DayTable.weekday(day.number).prefix(3)) \(DayTable.date(day.number))"
    svg.text(result.isDated ? name : "day \(day.number + 1)", at: (16, base - 8), size: 12)
    let note = day.isValid ? "peak 30 min: \(day.peak30.short(0))/min" : "not valid"
    svg.text(note, at: (16, base + 6), .muted, size: 10)
    svg.text(Decimals.grouped(day.steps), at: (width - 12, base - 8), size: 13, anchor: .end, isBold: true)
    let enmo = day.enmo.map { ", \($0.short(0)) mg" } ?? ""
    svg.text("\((Double(day.wear) / 60).short(1)) h\(enmo)", at: (width - 12, base + 6), .muted, size: 10, anchor: .end)
    svg.line(from: (left, base), to: (left + 1440 * scale, base), .grid)
    // By minute of the local day; an hour that occurs twice is drawn twice.
    var steps = [Int](repeating: 0, count: 1440 / cell + 1)
    var idle: [(Int, Int)] = []
    for minute in result.minutes where minute.number >= day.firstMinute && minute.number <= day.lastMinute {
      let place = result.clock.minuteOfDay(minute.number)
      steps[place / cell] += minute.steps
      if minute.isWorn { continue }
      if let last = idle.last, last.1 == place {
        idle[idle.count - 1].1 = place + 1
      } else {
        idle.append((place, place + 1))
      }
    }
    for (from, to) in idle {
      svg.hatch(x: left + Double(from) * scale, y: y + 6, width: Double(to - from) * scale, height: row - 18, .muted)
    }
    for (index, count) in steps.enumerated() where count > 0 {
      let height = min(Double(count) / 700, 1) * (row - 18)
      svg.rectangle(
        x: left + Double(index * cell) * scale, y: base - height, width: Double(cell) * scale, height: height,
        fill: .blue)
    }
    let (start, end) = (day.firstMinute * 60_000_000_000, (day.lastMinute + 1) * 60_000_000_000)
    for bout in result.bouts where bout.start >= start && bout.start < end && bout.end - bout.start >= 60_000_000_000 {
      let from = Double(result.clock.minuteOfDay(bout.start.floored(by: 60_000_000_000)))
      let length = min(Double(bout.end - bout.start) / 60e9, 1440 - from)
      svg.line(from: (left + from * scale, base + 4), to: (left + (from + length) * scale, base + 4), .ink, width: 2.5)
    }
  }
}
