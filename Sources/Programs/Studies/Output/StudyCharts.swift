import Drawing
import JSONLines

/// The number of recordings in each of several equal intervals.
struct Histogram {
  private let values: [Double]
  private let axis: String
  private let step: Double
  private let top: Double

  private static let (left, width, base, height) = (44.0, 836.0, 180.0, 150.0)

  init(_ values: [Double], axis: String, step: Double, top: Double? = nil) {
    (self.values, self.axis, self.step) = (values, axis, step)
    self.top = top ?? max(step, (((values.max() ?? 0) + 1) / step).rounded(.up) * step)
  }

  /// The width that gives at most forty intervals: 250, 500, 1000, 2500 and so on.
  static func step(for values: [Double]) -> Double {
    let most = values.max() ?? 0
    var step = 250.0
    for factor in [2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5] where most / step > 40 { step *= factor }
    return step
  }

  var figure: String {
    let bins = Int((top / step).rounded())
    var counts = [Int](repeating: 0, count: bins)
    for value in values { counts[min(bins - 1, max(0, Int(value / step)))] += 1 }
    let grid = Self.tick(for: Double(counts.max() ?? 1), most: 4)
    let highest = max(grid, (Double(counts.max() ?? 1) / grid).rounded(.up) * grid)
    var marks = ""
    for value in stride(from: 0, through: highest, by: grid) {
      let y = Self.text(Self.base - Self.height * value / highest)
      marks +=
        "<line class=\"\(value == 0 ? "axis" : "grid")\" x1=\"\(Self.text(Self.left))\" y1=\"\(y)\" x2=\"880\" y2=\"\(y)\"/>"
      marks += "<text x=\"38\" y=\"\(y)\" dy=\"4\" text-anchor=\"end\">\(StudyReport.grouped(value))</text>"
    }
    for (index, count) in counts.enumerated() where count > 0 {
      let size = Self.height * Double(count) / highest
      let (from, to) = (place(Double(index) * step), place(Double(index + 1) * step))
      marks +=
        "<rect class=\"bar\" x=\"\(Self.text(from + 0.5))\" y=\"\(Self.text(Self.base - size))\""
        + " width=\"\(Self.text(to - from - 1))\" height=\"\(Self.text(size))\"/>"
    }
    let tick = step == 1 ? 4 : max(step, Self.tick(for: top, most: 10))
    for value in stride(from: 0, through: top, by: tick) {
      marks +=
        "<text x=\"\(Self.text(place(value)))\" y=\"198\" text-anchor=\"middle\">\(StudyReport.grouped(value))</text>"
    }
    let median = StudyReport.median(values) ?? 0
    let x = place(min(median, top))
    let isRight = x > Self.left + Self.width * 0.75
    let named = step == 1 ? Decimals.fixed(median, 1) ?? "" : StudyReport.grouped(median)
    for name in ["halo", "median"] {
      let ends = "x1=\"\(Self.text(x))\" y1=\"14\" x2=\"\(Self.text(x))\" y2=\"180\""
      marks += "<line class=\"\(name)\" \(ends)/>"
    }
    marks +=
      "<text class=\"mark\" x=\"\(Self.text(isRight ? x - 6 : x + 6))\" y=\"22\""
      + " text-anchor=\"\(isRight ? "end" : "start")\">median \(named)</text>"
    marks += "<text x=\"462\" y=\"218\" text-anchor=\"middle\">\(axis)</text>"
    let sorted = values.sorted()
    let decimals = step == 1 ? 1 : 0
    func shown(_ value: Double) -> String {
      decimals == 0 ? StudyReport.grouped(value) : Decimals.fixed(value, decimals) ?? ""
    }
    let summary =
      "\(values.count == 1 ? "One recording" : "\(StudyReport.grouped(Double(values.count))) recordings") with valid days:"
      + " median \(shown(median)), the middle half from \(shown(sorted[sorted.count / 4]))"
      + " to \(shown(sorted[(sorted.count * 3) / 4]))."
    let chart =
      "<svg class=\"chart\" viewBox=\"0 0 900 226\" role=\"img\" aria-label=\"Histogram: recordings by \(axis). \(summary)\">"
      + "\(marks)</svg>"
    return
      "<figure>\(StudyReport.region("Histogram of \(axis)", chart))<figcaption>\(summary) Height: number of recordings.</figcaption></figure>"
  }

  private func place(_ value: Double) -> Double { Self.left + Self.width * value / top }

  /// A distance between labels: 1, 2 or 5 times a power of ten.
  private static func tick(for top: Double, most: Double) -> Double {
    var tick = 1.0
    for factor in [2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2] where top / tick > most { tick *= factor }
    return tick
  }

  private static func text(_ value: Double) -> String { Decimals.text(value, 1) ?? "0" }
}

/// The days of a participant, one bar each.
struct DayStrip {
  private let days: [Collation.Day]
  private let top: Double
  /// The maximum number of days that are drawn.
  private static let most = 35
  private static let height = 34.0

  init(_ days: [Collation.Day], top: Double) { (self.days, self.top) = (days, top) }

  var svg: String {
    let shown = days.prefix(Self.most)
    let width = max(1, shown.count) * 14
    var marks = "<line class=\"grid\" x1=\"0\" y1=\"35.5\" x2=\"\(width)\" y2=\"35.5\"/>"
    for (index, day) in shown.enumerated() {
      let size = max(day.isValid ? 1 : 5, Self.height * min(1, day.steps / top))
      let text = Decimals.text(size, 1) ?? "0"
      let y = Decimals.text(35 - size, 1) ?? "0"
      let name =
        "\(day.name): \(StudyReport.grouped(day.steps)) steps, \(Decimals.text(day.wearHours, 1) ?? "0") h of wear"
        + (day.isValid ? "" : ", not valid")
      marks +=
        "<rect class=\"\(day.isValid ? "bar" : "idle")\" x=\"\(index * 14 + 1)\" y=\"\(y)\" width=\"12\" height=\"\(text)\">"
        + "<title>\(SVG.escaped(name))</title></rect>"
    }
    let list = shown.map { "\(StudyReport.grouped($0.steps))\($0.isValid ? "" : " (not valid)")" }.joined(
      separator: ", ")
    let more = days.count > shown.count ? "; \(days.count - shown.count) more days" : ""
    return
      "<svg width=\"\(width)\" height=\"36\" role=\"img\" aria-label=\"Steps by day: \(list)\(more)\">\(marks)</svg>"
  }
}
