@testable import Drawing
@testable import Recordings
@testable import StepDetection

/// Pictures of the path from samples to cells, peaks and autocorrelation.
enum SignalPictures {
  /// Uneven samples of a wrist, and their cells.
  static func cells() throws -> String {
    var walk = SyntheticWalk()
    walk.jitter = 0.3
    walk.lost = 0.15
    walk.duration = .seconds(10)
    let seen = try SeenWalk(walk)
    var svg = SVG(width: 720, height: 330)
    let range = 5.04...7.36
    let chart = Chart(x: range, y: 0.6...1.8, left: 52, top: 42, width: 644, height: 210)
    chart.frame(
      on: &svg, title: "Length of the acceleration, g", xTicks: [5.2, 5.6, 6, 6.4, 6.8, 7.2],
      yTicks: [0.6, 0.9, 1.2, 1.5, 1.8], xLabel: "seconds")
    for cell in seen.trace.cells where range.contains(cell.begin) {
      svg.line(
        from: (chart.across(cell.begin), chart.top), to: (chart.across(cell.begin), chart.top + chart.height), .grid)
    }
    chart.curve(seen.magnitudes, on: &svg, .muted, width: 0.8)
    for (time, value) in seen.magnitudes where range.contains(time) {
      svg.circle(at: chart.point(time, value), radius: 2.3, fill: .muted)
    }
    let stairs = seen.trace.cells.filter { $0.begin < range.upperBound - 0.04 }.flatMap {
      [($0.begin, Double($0.magnitude)), ($0.begin + SignalTrace.cellWidth, Double($0.magnitude))]
    }
    chart.curve(stairs, on: &svg, .blue, width: 2)
    chart.strokes(seen.strikes, on: &svg, .ink)
    Legend(entries: [
      (.dot(.muted), "samples at 50 Hz, 15 % lost, 30 % jitter"), (.line(.blue), "cells of 80 ms"),
      (.stroke(.ink), "foot strikes"),
    ]).draw(on: &svg, x: 52, y: 308)
    return svg.document(
      title: "Samples and cells",
      description: "Unevenly spaced samples of a walking wrist, and the 80 ms cells computed from them.")
  }

  /// The band-passed magnitude and its maxima.
  static func peaks() throws -> String {
    var walk = SyntheticWalk()
    walk.position = .pocket
    walk.duration = .seconds(14)
    let seen = try SeenWalk(walk)
    var svg = SVG(width: 720, height: 400)
    let range = 6.0...11.0
    let ticks = (6...11).map(Double.init)
    let upper = Chart(x: range, y: 0.2...2.2, left: 52, top: 36, width: 644, height: 120)
    upper.frame(on: &svg, title: "Magnitude in a pocket, cells, g", xTicks: ticks, yTicks: [0.5, 1, 1.5, 2])
    let middles = seen.trace.cells.map { ($0.begin + SignalTrace.cellWidth / 2, Double($0.magnitude)) }
    upper.curve(middles, on: &svg, .muted)
    upper.strokes(seen.strikes, on: &svg, .ink)
    let lower = Chart(x: range, y: -0.4...0.4, left: 52, top: 196, width: 644, height: 130)
    lower.frame(
      on: &svg, title: "Band-passed 1.2-2.5 Hz, minus 0.30 s of delay, g", xTicks: ticks,
      yTicks: [-0.4, -0.2, 0, 0.2, 0.4],
      xLabel: "seconds")
    lower.curve(seen.bandPassed, on: &svg, .blue, width: 2)
    for peak in seen.trace.peaks where range.contains(peak.time) {
      svg.circle(at: lower.point(peak.time, Double(peak.height)), radius: 4, fill: .orange)
    }
    lower.strokes(seen.strikes, on: &svg, .ink)
    Legend(entries: [
      (.line(.muted), "magnitude"), (.line(.blue), "band-passed"), (.dot(.orange), "peaks"),
      (.stroke(.ink), "foot strikes"),
    ]).draw(on: &svg, x: 52, y: 380)
    return svg.document(
      title: "Band-pass and peaks",
      description: "The magnitude in a pocket becomes a smooth wave with one maximum for each foot strike.")
  }

  /// The reason why the stride is searched for, on the axes.
  static func autocorrelation() throws -> String {
    var walk = SyntheticWalk()
    walk.duration = .seconds(20)
    let seen = try SeenWalk(walk)
    let window = seen.trace.windows[12]
    var svg = SVG(width: 720, height: 360)
    let chart = Chart(x: 0...1.92, y: -1...1, left: 52, top: 42, width: 644, height: 240)
    chart.frame(
      on: &svg, title: "Autocorrelation of 1.92 s at a walking wrist", xTicks: [0, 0.4, 0.8, 1.2, 1.6],
      yTicks: [-1, -0.5, 0, 0.5, 1], xLabel: "lag, seconds")
    let width = SignalTrace.cellWidth
    let stride = 2 / Double(window.cadence)
    for (time, name, y) in [(stride / 2, "step", -0.88), (stride, "stride", -0.88)] {
      svg.line(
        from: (chart.across(time), chart.top), to: (chart.across(time), chart.top + chart.height), .green, dashes: "4 3"
      )
      svg.text("\(name) \(time.fixed(2)) s", at: (chart.across(time) + 6, chart.down(y)), .green, size: 11.5)
    }
    for (values, colour) in [(window.magnitude, SVG.Colour.orange), (window.axes, .blue)] {
      let points = values.enumerated().map { (Double($0.offset) * width, Double($0.element)) }
      chart.curve(points, on: &svg, colour, width: 2)
      for point in points { svg.circle(at: chart.point(point.0, point.1), radius: 2.5, fill: colour) }
    }
    Legend(entries: [
      (.line(.blue), "the three axes as one vector: repeats with the stride"),
      (.line(.orange), "the magnitude: repeats with the step"),
    ]).draw(on: &svg, x: 52, y: 340)
    return svg.document(
      title: "Autocorrelation of a wrist",
      description:
        "The axes' correlation is low at the step and high at the stride; the magnitude's is high at both.")
  }
}
