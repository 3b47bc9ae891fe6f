import Drawing
import JSONLines

/// The number of recordings in each of several equal intervals, on an axis that begins where the values do.
struct Histogram {
  private let values: [Double]
  private let axis: String
  private let decimals: Int
  private let step: Double
  private let lower: Double
  private let upper: Double

  private static let (base, height) = (180.0, 150.0)

  /// - Parameter least: the smallest width of an interval.
  init(_ values: [Double], axis: String, least: Double, decimals: Int) {
    (self.values, self.axis, self.decimals) = (values, axis, decimals)
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    step = max(least, Self.tick(for: high - low, most: 20))
    upper = max((high / step).rounded(.up), 1) * step
    // At least six intervals, so that equal values are still a bar and not the whole chart.
    lower = max(0, min((low / step).rounded(.down) * step, upper - 6 * step))
  }

  var figure: String {
    var counts = [Int](repeating: 0, count: Int(((upper - lower) / step).rounded()))
    for value in values { counts[min(counts.count - 1, Int((value - lower) / step))] += 1 }
    let grid = Self.tick(for: Double(counts.max() ?? 1), most: 4)
    let highest = max(grid, (Double(counts.max() ?? 1) / grid).rounded(.up) * grid)
    var marks = ""
    for value in stride(from: 0, through: highest, by: grid) {
      let y = (Self.base - Self.height * value / highest).short(1)
      marks += "<line class=\"\(value == 0 ? "axis" : "grid")\" x1=\"0\" y1=\"\(y)\" x2=\"100%\" y2=\"\(y)\"/>"
      marks += "<text x=\"0\" y=\"\(y)\" dx=\"-6\" dy=\"4\" text-anchor=\"end\">\(StudyReport.text(value))</text>"
    }
    for (index, count) in counts.enumerated() where count > 0 {
      let size = Self.height * Double(count) / highest
      marks += "<rect class=\"bar\" x=\"\(place(lower + Double(index) * step))\" y=\"\((Self.base - size).short(1))\""
      marks += " width=\"\((100 / Double(counts.count)).short(2))%\" height=\"\(size.short(1))\"/>"
    }
    let tick = max(step, Self.tick(for: upper - lower, most: 5))
    for value in stride(from: (lower / tick).rounded(.up) * tick, through: upper, by: tick) {
      marks += "<text x=\"\(place(value))\" y=\"198\" text-anchor=\"middle\">\(StudyReport.text(value))</text>"
    }
    // The median stands above the bars, of which it hides nothing.
    let median = values.median ?? lower
    let (x, isRight) = (place(median), median - lower > (upper - lower) / 2)
    marks +=
      "<line class=\"median\" x1=\"\(x)\" y1=\"8\" x2=\"\(x)\" y2=\"28\"/><text class=\"mark\" x=\"\(x)\" y=\"18\""
    marks += " dx=\"\(isRight ? -6 : 6)\" text-anchor=\"\(isRight ? "end" : "start")\">median \(shown(median))</text>"
    marks += "<text x=\"50%\" y=\"218\" text-anchor=\"middle\">\(axis)</text>"
    return
      "<figure><svg class=\"chart\" role=\"img\" aria-label=\"Histogram: recordings by \(axis). \(summary)\">\(marks)</svg>"
      + "<figcaption>\(summary) Height: number of recordings.</figcaption></figure>"
  }

  private var summary: String {
    let sorted = values.sorted()
    guard let low = sorted.first, let high = sorted.last, let median = values.median else { return "" }
    let count = sorted.count
    // Quartiles of a few values say nothing.
    let middle =
      count < 8
      ? "" : ", the middle half from \(shown(sorted[count / 4])) to \(shown(sorted[count * 3 / 4]))"
    return "\(count == 1 ? "One recording" : "\(Decimals.grouped(count)) recordings") with valid days:"
      + " median \(shown(median))\(middle), all from \(shown(low)) to \(shown(high))."
  }

  /// The position on the axis, in percent of its length, which follows the width of the page.
  private func place(_ value: Double) -> String { (100 * (value - lower) / (upper - lower)).short(2) + "%" }

  private func shown(_ value: Double) -> String { StudyReport.text(value, decimals) }

  /// A distance between labels: 1, 2 or 5 times a power of ten.
  private static func tick(for span: Double, most: Double) -> Double {
    var tick = 1.0
    for factor in [2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2] where span / tick > most { tick *= factor }
    return tick
  }
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
      marks += "<rect class=\"\(day.isValid ? "bar" : "idle")\" x=\"\(index * 14 + 1)\" y=\"\((35 - size).short(1))\""
      marks += " width=\"12\" height=\"\(size.short(1))\"/>"
    }
    let list = shown.map { "\($0.name) \(StudyReport.text($0.steps))\($0.isValid ? "" : " (not valid)")" }
    let more = days.count > shown.count ? "; \(days.count - shown.count) more days" : ""
    return
      "<svg width=\"\(width)\" height=\"36\" viewBox=\"0 0 \(width) 36\" preserveAspectRatio=\"xMinYMax\" role=\"img\""
      + " aria-label=\"Steps by day: \(SVG.escaped(list.joined(separator: ", ")))\(more)\">\(marks)</svg>"
  }
}
