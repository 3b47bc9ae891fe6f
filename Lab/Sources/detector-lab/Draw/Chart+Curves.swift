@testable import Drawing

/// What the pictures of the articles have beside the scales of a chart.
extension Chart {
  func point(_ px: Double, _ py: Double) -> (x: Double, y: Double) { (across(px), down(py)) }

  /// The frame, a line and a number at each tick, and the labels of the axes.
  /// - Parameter yDecimals: the decimals of the numbers beside the y axis.
  func frame(
    on svg: inout SVG, title: String, xTicks: [Double], yTicks: [Double], xLabel: String? = nil, yDecimals: Int = 1
  ) {
    for tick in yTicks {
      svg.line(from: (left, down(tick)), to: (left + width, down(tick)), .grid)
      svg.text(tick.short(yDecimals), at: (left - 6, down(tick) + 4), .muted, size: 11, anchor: .end)
    }
    for tick in xTicks {
      svg.line(from: (across(tick), top + height), to: (across(tick), top + height + 4), .muted)
      if xLabel != nil {
        svg.text(tick.short(2), at: (across(tick), top + height + 17), .muted, size: 11, anchor: .middle)
      }
    }
    svg.line(from: (left, top + height), to: (left + width, top + height), .muted)
    svg.text(title, at: (left, top - 8), size: 12.5, isBold: true)
    if let xLabel { svg.text(xLabel, at: (left + width, top + height + 33), .muted, size: 11, anchor: .end) }
  }

  /// A curve through points inside the chart's x range.
  func curve(
    _ points: [(Double, Double)], on svg: inout SVG, _ colour: SVG.Colour, width: Double = 1.5, dashes: String? = nil
  ) {
    let inside = points.filter { x.contains($0.0) }
    svg.polyline(
      inside.map { point($0.0, min(max($0.1, y.lowerBound), y.upperBound)) }, colour, width: width, dashes: dashes)
  }

  /// A shaded range of x.
  func band(from a: Double, to b: Double, on svg: inout SVG, _ colour: SVG.Colour = .shade) {
    let (begin, end) = (max(a, x.lowerBound), min(b, x.upperBound))
    if begin < end {
      svg.rectangle(x: across(begin), y: top, width: across(end) - across(begin), height: height, fill: colour)
    }
  }

  /// Short strokes on the x axis, which mark moments.
  func strokes(_ times: [Double], on svg: inout SVG, _ colour: SVG.Colour, length: Double = 9) {
    for time in times where x.contains(time) {
      svg.line(
        from: (across(time), top + height - length), to: (across(time), top + height), colour, width: 2)
    }
  }

  /// A dashed line across the whole chart.
  func level(_ value: Double, on svg: inout SVG, _ colour: SVG.Colour) {
    svg.line(from: (left, down(value)), to: (left + width, down(value)), colour, dashes: "5 4")
  }
}

/// The meaning of a picture's colours and marks, in one row.
struct Legend {
  enum Mark {
    case line(SVG.Colour)
    case dashedLine(SVG.Colour)
    case dot(SVG.Colour)
    case ring(SVG.Colour)
    case stroke(SVG.Colour)
  }

  var entries: [(mark: Mark, label: String)]

  /// Draws to the right of a point; a letter is about 6.2 points wide at this size.
  func draw(on svg: inout SVG, x: Double, y: Double) {
    var place = x
    for (mark, label) in entries {
      switch mark {
      case .line(let colour): svg.line(from: (place, y - 4), to: (place + 18, y - 4), colour, width: 2)
      case .dashedLine(let colour):
        svg.line(from: (place, y - 4), to: (place + 18, y - 4), colour, width: 1.5, dashes: "4 3")
      case .dot(let colour): svg.circle(at: (place + 9, y - 4), radius: 4, fill: colour)
      case .ring(let colour): svg.circle(at: (place + 9, y - 4), radius: 4, fill: .white, stroke: colour)
      case .stroke(let colour): svg.line(from: (place + 9, y - 9), to: (place + 9, y), colour, width: 2)
      }
      svg.text(label, at: (place + 24, y), .muted, size: 11)
      place += 24 + 6.2 * Double(label.count) + 16
    }
  }
}
