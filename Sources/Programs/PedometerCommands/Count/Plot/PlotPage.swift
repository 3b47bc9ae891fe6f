import Counting
import Drawing
import JSONLines
import Pedometry
import Presentation
import StepDetection
import Terminals

/// A recording on one page: rows of equal length below one another, like lines of text.
///
/// The page limits what is drawn, whatever the length of the recording: one value a pixel, one shade a pixel, a label
/// if there is room.
struct PlotPage {
  struct Mark {
    /// Seconds.
    var start: Double
    var end: Double
    var steps: Int?
    var objection: Objection?
    /// The labels above it, for much and for little room.
    var label: String
    var shortLabel: String

    init(_ finding: WalkFinding, since origin: Int64) {
      start = finding.start.sinceNanoseconds(origin)
      end = finding.end.sinceNanoseconds(origin)
      switch finding {
      case .bout(let bout):
        steps = bout.steps
        let cadence = bout.cadence.flatMap { Decimals.text($0 * 60, 0) }.map { ", \($0)/min" } ?? ""
        shortLabel = "\(bout.steps)"
        label = "\(bout.steps) step\(bout.steps == 1 ? "" : "s")\(cadence)"
      case .stretch(let stretch):
        objection = stretch.objection
        shortLabel = stretch.objection.rawValue
        label = stretch.objection.message
      }
    }
  }

  let title: String
  let walk: WalkSummary
  let envelope: SignalEnvelope
  let marks: [Mark]
  /// The times of the foot strikes, in seconds: the first of them.
  let steps: [Double]
  /// The beginning of the samples, in seconds since the zero point of all times here.
  let begin: Double
  let end: Double
  /// The clock time at zero, in nanoseconds since 1970; `nil` if unknown.
  let clock: Int64?

  /// The maximum number of single steps in a picture: they are only distinguishable on rows of at most two minutes.
  static let mostTicks = 4000

  private static let width = 760.0
  private static let left = 100.0
  private static let plotWidth = 620.0
  private static let labelHeight = 16.0
  private static let signalHeight = 66.0
  private static let stepsHeight = 18.0
  private static let axisHeight = 34.0
  private static let rowHeight = labelHeight + signalHeight + stepsHeight + axisHeight
  /// Steps per minute at the top of a bar.
  private static let topCadence = 160.0
  /// The possible distances of axis marks, in seconds.
  private static let tickLengths: [Double] = [
    0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 604_800,
  ]
  /// The possible lengths of rows; the first with which six rows, or eight days, suffice is used.
  private static let rowLengths = tickLengths.filter { $0 >= 30 }

  private var span: Double { max(end - begin, 0.1) }

  /// A row's length in seconds.
  private var rowLength: Double {
    if span <= Self.rowLengths[0] { return span }
    let fits = { (length: Double) in span <= length * (length >= 86_400 ? 8 : 6) }
    if let length = Self.rowLengths.first(where: fits) { return length }
    var length = 604_800.0
    while !fits(length) { length *= 2 }
    return length
  }

  /// The beginning of the first row: rows of an hour and more follow the clock, if there is one.
  private var firstRow: Double {
    let length = min(rowLength, 86_400)
    if span <= Self.rowLengths[0] { return begin }
    let shift = length >= 3600 ? clock.map { ClockText(nanoseconds: $0).secondsOfDay } ?? 0 : 0
    return ((begin + shift) / length).rounded(.down) * length - shift
  }

  private var rows: Int { max(1, Int(((end - firstRow) / rowLength).rounded(.up))) }

  private var totals: WalkTotals { walk.totals }
  private var showsTicks: Bool { rowLength <= 120 && totals.steps <= Self.mostTicks }

  /// An upper bound of a letter's width at the labels' size, in pixels.
  private static let letter = 5.8

  // MARK: The page

  var document: String {
    let notes = walk.warnings.prefix(3).map { $0.count > 120 ? $0.prefix(119) + "…" : $0 }
    let reasons = self.reasons
    let top = 92.0 + 18 * Double(notes.count)
    let tail = reasons.isEmpty ? 30.0 : 42 + 20 * Double(reasons.count)
    var svg = SVG(width: Self.width, height: top + Self.rowHeight * Double(rows) + tail + 14)
    svg.text(heading, at: (24, 36), size: 19, isBold: true)
    svg.text(summary, at: (24, 60), size: 14)
    svg.text(recorded, at: (24, 80), .muted, size: 12)
    for (i, note) in notes.enumerated() { svg.text(note, at: (24, 98 + 18 * Double(i)), .red, size: 11) }
    let heights = self.heights
    for row in 0..<rows { draw(row: row, top: top + Self.rowHeight * Double(row), heights, on: &svg) }
    drawLegend(at: top + Self.rowHeight * Double(rows) + 14, on: &svg)
    for (i, reason) in reasons.enumerated() {
      let y = top + Self.rowHeight * Double(rows) + 42 + 20 * Double(i)
      svg.text(Decimals.duration(.seconds(reason.seconds)), at: (Self.left - 10, y), size: 12, anchor: .end)
      svg.text(
        "not counted: \(reason.objection.message)" + (reason.count > 1 ? " (\(reason.count) times)" : ""),
        at: (Self.left, y), .muted, size: 12)
    }
    return svg.document(title: "\(title): \(totals.steps) steps", description: summary)
  }

  /// The name of the file without its folders, truncated to the available width.
  private var heading: String {
    let name = title.hasPrefix("synthetic:") ? title : String(title.split(separator: "/").last ?? "recording")
    return name.count > 64 ? name.prefix(63) + "…" : name
  }

  private var summary: String {
    var parts = ["\(totals.steps) step\(totals.steps == 1 ? "" : "s")"]
    if totals.steps > 0 {
      let cadence = walk.meanCadence.flatMap { Decimals.text($0 * 60, 0) }.map { " at \($0) steps/min" } ?? ""
      parts.append(Decimals.distance(totals.distanceTravelled))
      parts.append("walking \(Decimals.duration(totals.activeTime))\(cadence)")
    }
    if let confidence = walk.confidence, let text = Decimals.text(confidence, 2) { parts.append("confidence \(text)") }
    return parts.joined(separator: "  ·  ")
  }

  private var recorded: String {
    let rate = walk.samplingFrequency.flatMap { Decimals.text($0, 1) }.map { " at \($0) Hz" } ?? ""
    let pauses = walk.gaps > 0 ? ", \(walk.gaps) pause\(walk.gaps == 1 ? "" : "s")" : ""
    let since = clock.map { ", from \(ClockText(nanoseconds: $0 + Int64(begin * 1e9)).full)" } ?? ""
    return "recorded \(Decimals.duration(totals.elapsed))\(since), \(walk.samples) samples\(rate)\(pauses)"
  }

  /// The uncounted movement, the longest first.
  private var reasons: [(objection: Objection, count: Int, seconds: Double)] {
    Objection.allCases.compactMap { objection in
      let stretches = marks.filter { $0.objection == objection }
      let seconds = stretches.reduce(0) { $0 + $1.end - $1.start }
      return stretches.isEmpty ? nil : (objection, stretches.count, seconds)
    }
    .sorted { ($0.seconds, $1.objection.rawValue) > ($1.seconds, $0.objection.rawValue) }
  }

  /// The displayed range of the acceleration, in g; spikes may exceed it.
  private var heights: ClosedRange<Double> {
    let low = envelope.quantile(0.002, of: \.low) ?? 0
    let high = envelope.quantile(0.998, of: \.high) ?? 2
    let margin = max(0.04 * (high - low), 0.2 - 0.5 * (high - low))
    return min(max(low - margin, 0), 100)...max(min(high + margin, 120), 0.4)
  }

  // MARK: A row

  private func draw(row: Int, top: Double, _ heights: ClosedRange<Double>, on svg: inout SVG) {
    let start = firstRow + Double(row) * rowLength
    let chart = Chart(
      x: start...(start + rowLength), y: heights, left: Self.left, top: top + Self.labelHeight, width: Self.plotWidth,
      height: Self.signalHeight)
    drawShades(chart, on: &svg)
    drawSignal(chart, on: &svg)
    drawAxes(chart, isFirst: row == 0, on: &svg)
    drawCadence(chart, on: &svg)
    if showsTicks { drawTicks(chart, on: &svg) }
    drawLabels(chart, on: &svg)
  }

  private enum Shade { case none, walk, stretch }

  /// Runs of pixels, so that ten thousand bouts in a day need no more than the pixels of a day.
  private func drawShades(_ chart: Chart, on svg: inout SVG) {
    var shades = [Shade](repeating: .none, count: Int(Self.plotWidth))
    for mark in marks where mark.end >= chart.x.lowerBound && mark.start <= chart.x.upperBound {
      let first = max(0, Int(chart.across(mark.start) - Self.left))
      let last = min(shades.count - 1, max(first, Int(chart.across(mark.end) - Self.left)))
      guard first <= last else { continue }
      for i in first...last where mark.steps != nil || shades[i] == .none {
        shades[i] = mark.steps != nil ? .walk : .stretch
      }
    }
    var first = 0
    for i in shades.indices where i + 1 == shades.count || shades[i + 1] != shades[i] {
      let (x, width) = (Self.left + Double(first), Double(i + 1 - first))
      switch shades[i] {
      case .none: break
      case .walk:
        svg.rectangle(x: x, y: chart.top, width: width, height: chart.height, fill: .shade)
        svg.rectangle(x: x, y: chart.top - 3, width: width, height: 3, fill: .green)
      case .stretch:
        svg.rectangle(x: x, y: chart.top, width: width, height: chart.height, fill: .warm)
        svg.hatch(x: x, y: chart.top, width: width, height: chart.height, .orange)
      }
      first = i + 1
    }
  }

  /// From the minimum to the maximum of each pixel, connected to the next.
  private func drawSignal(_ chart: Chart, on svg: inout SVG) {
    let pixel = rowLength / Self.plotWidth
    var points: [(x: Double, y: Double)] = []
    var latest = -Double.infinity
    for column in 0..<Int(Self.plotWidth) {
      let time = chart.x.lowerBound + Double(column) * pixel
      let bin = envelope.joined(from: Int64(time * 1e9), to: Int64((time + pixel) * 1e9))
      if bin.isEmpty { continue }
      // A line across a gap would show values that were not measured.
      if time - latest > max(1, 2 * pixel) {
        svg.polyline(points, .blue, width: 0.9)
        points = []
      }
      latest = time
      let ends = [Double(bin.low), Double(bin.high)].map { min(max($0, chart.y.lowerBound), chart.y.upperBound) }
      let x = Self.left + Double(column) + 0.5
      let rises = points.last.map { abs($0.y - chart.down(ends[0])) <= abs($0.y - chart.down(ends[1])) } ?? true
      points.append((x, chart.down(rises ? ends[0] : ends[1])))
      if ends[1] > ends[0] { points.append((x, chart.down(rises ? ends[1] : ends[0]))) }
    }
    svg.polyline(points, .blue, width: 0.9)
  }

  private func drawAxes(_ chart: Chart, isFirst: Bool, on svg: inout SVG) {
    let bottom = chart.top + chart.height + Self.stepsHeight
    let last = min(end, chart.x.upperBound)
    svg.line(from: (Self.left, bottom), to: (chart.across(last), bottom), .muted)
    let followsClock = rowLength >= 3600 && clock != nil
    let shift = followsClock ? clock.map { ClockText(nanoseconds: $0).secondsOfDay } ?? 0 : 0
    let tick = Self.tickLengths.first { $0 >= rowLength / 10 } ?? rowLength
    var time = ((chart.x.lowerBound + shift) / tick).rounded(.up) * tick - shift
    while time <= last + 1e-9 {
      let x = chart.across(time)
      svg.line(from: (x, bottom), to: (x, bottom + 4), .muted)
      let text = followsClock ? clockText(time)?.minute ?? "" : position(time)
      if chart.x.upperBound - time > 0.02 * rowLength {
        svg.text(text, at: (x, bottom + 16), .muted, size: 10.5, anchor: .middle)
      }
      time += tick
    }
    let begins = max(begin, chart.x.lowerBound)
    let (middle, x) = (chart.top + chart.height / 2, Self.left - 12)
    if let clockText = clockText(begins) {
      svg.text(
        rowLength >= 3600 ? clockText.day : clockText.second, at: (x, middle - 4), size: 12, anchor: .end, isBold: true)
      svg.text(position(begins), at: (x, middle + 12), .muted, size: 11, anchor: .end)
    } else {
      svg.text(position(begins), at: (x, middle + 4), size: 12, anchor: .end, isBold: true)
    }
    for value in [chart.y.lowerBound, chart.y.upperBound] {
      let text = (Decimals.text(value, 1) ?? "") + (value == chart.y.upperBound ? " g" : "")
      let y = value == chart.y.upperBound ? chart.top + 9 : chart.top + chart.height
      svg.text(text, at: (Self.left + Self.plotWidth + 5, y), .muted, size: 10.5)
    }
  }

  private func drawTicks(_ chart: Chart, on svg: inout SVG) {
    let bottom = chart.top + chart.height + Self.stepsHeight
    for step in steps where chart.x.contains(step) {
      let x = chart.across(step)
      svg.line(from: (x, bottom - 8), to: (x, bottom), .ink, width: 1.4)
    }
  }

  /// Steps per minute: bars, or lines above single steps.
  private func drawCadence(_ chart: Chart, on svg: inout SVG) {
    let bottom = chart.top + chart.height + Self.stepsHeight
    let pixels = barWidth
    let seconds = pixels * rowLength / Self.plotWidth
    for bar in 0..<Int((Self.plotWidth / pixels).rounded(.up)) {
      let start = chart.x.lowerBound + Double(bar) * seconds
      let steps = envelope.joined(from: Int64(start * 1e9), to: Int64((start + seconds) * 1e9)).steps
      if steps == 0 { continue }
      let height = (Self.stepsHeight - 2) * min(1, Double(steps) / seconds * 60 / Self.topCadence)
      svg.rectangle(
        x: Self.left + Double(bar) * pixels, y: bottom - height,
        width: min(pixels, Self.plotWidth - Double(bar) * pixels) - 0.5,
        height: showsTicks ? 2 : height, fill: showsTicks ? .green : .ink)
    }
  }

  /// In pixels: four at least, and ten seconds.
  private var barWidth: Double { max(4, (10 / rowLength * Self.plotWidth).rounded(.up)) }

  /// Above each mark that is wide enough to be seen, as much as fits before the next: its label once, where there is room
  /// first.
  private func drawLabels(_ chart: Chart, on svg: inout SVG) {
    let edge = Self.left + Self.plotWidth
    let shown = marks.filter { mark in
      mark.end >= chart.x.lowerBound && mark.start <= chart.x.upperBound
        && (mark.end - mark.start) / rowLength * Self.plotWidth > 3
    }
    for (i, mark) in shown.enumerated() {
      let x = max(Self.left, chart.across(mark.start))
      let next = i + 1 < shown.count ? chart.across(shown[i + 1].start) : edge
      let room = (min(next, edge) - x - 6) / Self.letter
      let colour = mark.steps != nil ? SVG.Colour.green : .orange
      let before = ((chart.x.lowerBound - mark.start) / rowLength * Self.plotWidth - 6) / Self.letter
      let labels = before < Double(mark.shortLabel.count) ? [mark.label, mark.shortLabel] : ["continued", "…"]
      if let text = labels.first(where: { Double($0.count) <= room }) {
        svg.text(text, at: (x, chart.top - 6), colour, size: 11)
      }
    }
  }

  // MARK: Text

  private func drawLegend(at y: Double, on svg: inout SVG) {
    var x = 24.0
    let entry = { (text: String, svg: inout SVG) in
      svg.text(text, at: (x + 26, y), .muted, size: 11)
      x += 26 + 6 * Double(text.count) + 22
    }
    svg.line(from: (x, y - 4), to: (x + 20, y - 4), .blue, width: 1.5)
    entry("magnitude of acceleration", &svg)
    if !marks.isEmpty, marks.contains(where: { $0.steps != nil }) {
      svg.rectangle(x: x, y: y - 9, width: 20, height: 11, fill: .shade)
      svg.rectangle(x: x, y: y - 12, width: 20, height: 3, fill: .green)
      entry("walking", &svg)
      if showsTicks {
        svg.line(from: (x + 10, y - 10), to: (x + 10, y + 1), .ink, width: 1.4)
        entry("a step", &svg)
      }
      svg.rectangle(
        x: x + 4, y: y - (showsTicks ? 5 : 9), width: 12, height: showsTicks ? 2 : 10, fill: showsTicks ? .green : .ink)
      entry("steps a minute, up to \(Int(Self.topCadence))", &svg)
    }
    if marks.contains(where: { $0.objection != nil }) {
      svg.rectangle(x: x, y: y - 9, width: 20, height: 11, fill: .warm)
      svg.hatch(x: x, y: y - 9, width: 20, height: 11, .orange)
      entry("moved, but not counted", &svg)
    }
  }

  private func position(_ seconds: Double) -> String {
    Decimals.position(
      .milliseconds(rowLength < 30 ? Int((seconds * 10).rounded()) * 100 : Int(seconds.rounded()) * 1000))
  }

  private func clockText(_ seconds: Double) -> ClockText? {
    clock.map { ClockText(nanoseconds: $0 + Int64((seconds * 1e9).rounded())) }
  }
}

extension Duration {
  fileprivate func sinceNanoseconds(_ origin: Int64) -> Double { (self - .nanoseconds(origin)) / .seconds(1) }
}
