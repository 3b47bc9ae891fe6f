@testable import Drawing
@testable import Recordings
@testable import StepDetection

/// Pictures of the path from evidence to steps.
enum DecisionPictures {
  /// A walk, tooth brushing, a walk.
  static func evidence() throws -> String {
    var walk = SyntheticWalk()
    walk.program = [.init(.walking, .seconds(25)), .init(.brushingTeeth, .seconds(30)), .init(.walking, .seconds(25))]
    let seen = try SeenWalk(walk)
    var svg = SVG(width: 720, height: 420)
    let range = 0.0...80
    let ticks = stride(from: 0.0, through: 80, by: 10).map { $0 }
    let upper = Chart(x: range, y: 0...2.4, left: 52, top: 36, width: 644, height: 100)
    upper.frame(on: &svg, title: "Magnitude at the wrist, g", xTicks: ticks, yTicks: [0, 1, 2])
    upper.curve(seen.trace.cells.map { ($0.begin, Double($0.magnitude)) }, on: &svg, .muted, width: 0.8)
    for (name, time) in [("walking", 12.5), ("brushing teeth", 40.0), ("walking", 67.5)] {
      svg.text(name, at: (upper.across(time), upper.top + 10), .ink, size: 12, anchor: .middle)
    }
    let lower = Chart(x: range, y: -8...10, left: 52, top: 176, width: 644, height: 170)
    for block in seen.blocks where block.isWalking {
      lower.band(from: block.centre - 0.5, to: block.centre + 0.5, on: &svg)
    }
    lower.frame(
      on: &svg, title: "Evidence, log-odds of walking", xTicks: ticks, yTicks: [-5, 0, 5, 10], xLabel: "seconds")
    for (value, colour, label) in [
      (BlockObservation.thresholds.entry, SVG.Colour.green, "walking begins above"),
      (BlockObservation.thresholds.exit, .red, "walking ends at"),
    ] {
      lower.level(Double(value), on: &svg, colour)
      svg.text(
        "\(label) \(Double(value).short(1))", at: (lower.across(4), lower.down(Double(value)) - 5), colour, size: 11)
    }
    for block in seen.blocks where range.contains(block.centre) {
      svg.circle(at: lower.point(block.centre, max(-8, Double(block.evidence))), radius: 2, fill: .muted)
    }
    lower.curve(seen.blocks.map { ($0.centre, Double($0.balance)) }, on: &svg, .blue, width: 2)
    lower.strokes(seen.steps.map(\.struck), on: &svg, .ink)
    Legend(entries: [
      (.dot(.muted), "one block"), (.line(.blue), "accumulated evidence, minus a fixed cost per block"),
      (.stroke(.ink), "\(seen.steps.count) steps counted of \(seen.strikes.count) taken"),
    ]).draw(on: &svg, x: 52, y: 402)
    return svg.document(
      title: "Evidence of walking and of tooth brushing",
      description:
        "Evidence is high in both walks and far below zero while teeth are brushed, where no step is counted.")
  }

  /// A foot whose sensor loses most of its samples: spurious and missing peaks.
  static func phase() throws -> String {
    var walk = SyntheticWalk()
    walk.position = .foot
    walk.cadence = 120
    walk.seed = 20
    walk.lost = 0.6
    walk.duration = .seconds(40)
    let seen = try SeenWalk(walk)
    var svg = SVG(width: 720, height: 440)
    let range = 14.6...20.0
    let ticks = (15...20).map(Double.init)
    let upper = Chart(x: range, y: -0.8...1.2, left: 52, top: 36, width: 644, height: 130)
    upper.frame(
      on: &svg, title: "Band-passed magnitude of a foot, 60 % of the samples lost, g", xTicks: ticks,
      yTicks: [-0.5, 0, 0.5, 1])
    upper.curve(seen.bandPassed, on: &svg, .blue, width: 1.8)
    let lower = Chart(x: range, y: -0.3...2.1, left: 52, top: 206, width: 644, height: 160)
    lower.frame(
      on: &svg, title: "Phase since the last step, cycles: below 0.5 no step, above 1.5 two", xTicks: ticks,
      yTicks: [0, 0.5, 1, 1.5, 2],
      xLabel: "seconds")
    draw(seen.blocks.flatMap(\.readings), of: seen, upper: upper, lower: lower, on: &svg)
    lower.level(0.5, on: &svg, .red)
    lower.level(1.5, on: &svg, .orange)
    upper.strokes(seen.strikes, on: &svg, .ink)
    Legend(entries: [
      (.dot(.green), "a step"), (.ring(.red), "spurious, no step"), (.dot(.orange), "two steps"),
      (.ring(.orange), "the inserted step"), (.stroke(.ink), "foot strikes"),
    ]).draw(on: &svg, x: 52, y: 422)
    return svg.document(
      title: "Counting by phase",
      description:
        "The phase grows between peaks; a peak below half a cycle is no step, one above one and a half cycles is two.")
  }

  private static func draw(
    _ readings: [PeakReading], of seen: SeenWalk, upper: Chart, lower: Chart, on svg: inout SVG
  ) {
    var before = readings.first
    for reading in readings {
      guard upper.x.contains(reading.time) else {
        before = reading
        continue
      }
      if let before, lower.x.contains(before.time) {
        lower.curve([(before.time, Double(before.rest)), (reading.time, Double(reading.phase))], on: &svg, .muted)
      }
      lower.curve([(reading.time, Double(reading.phase)), (reading.time, Double(reading.rest))], on: &svg, .grid)
      let height = seen.trace.peaks.first { $0.time == reading.time }.map { Double($0.height) } ?? 0
      for place in [upper.point(reading.time, height), lower.point(reading.time, Double(reading.phase))] {
        switch reading.turns {
        case 0: svg.circle(at: place, radius: 4, fill: .white, stroke: .red)
        case 1: svg.circle(at: place, radius: 4, fill: .green)
        default: svg.circle(at: place, radius: 4, fill: .orange)
        }
      }
      before = reading
    }
    for time in seen.stepPeaks where upper.x.contains(time) {
      let isPeak = seen.trace.peaks.contains { abs($0.time - time) < 1e-6 }
      if !isPeak { svg.circle(at: upper.point(time, 0), radius: 4, fill: .white, stroke: .orange) }
    }
  }

  /// The time at which a step is reported, relative to the foot strike.
  static func start() throws -> String {
    var walk = SyntheticWalk()
    walk.lead = .seconds(5)
    walk.duration = .seconds(20)
    let seen = try SeenWalk(walk)
    var svg = SVG(width: 720, height: 430)
    let range = 3.0...15.0
    let ticks = stride(from: 3.0, through: 15, by: 1).map { $0 }
    let upper = Chart(x: range, y: 0.5...1.7, left: 52, top: 36, width: 644, height: 90)
    upper.frame(on: &svg, title: "Magnitude at the wrist, g", xTicks: ticks, yTicks: [0.5, 1, 1.5])
    upper.curve(seen.trace.cells.map { ($0.begin, Double($0.magnitude)) }, on: &svg, .muted, width: 1.2)
    upper.strokes(seen.strikes, on: &svg, .ink)
    let lower = Chart(x: range, y: 3...16, left: 52, top: 166, width: 644, height: 190)
    lower.frame(
      on: &svg, title: "Time of the report, seconds", xTicks: ticks, yTicks: [4, 6, 8, 10, 12, 14, 16],
      xLabel: "timestamp of the step, seconds")
    lower.curve([(3, 3), (15, 15)], on: &svg, .muted, dashes: "4 3")
    lower.curve([(3, 9), (10, 16)], on: &svg, .red, dashes: "4 3")
    svg.text("at once", at: (lower.across(13.4), lower.down(11.9)), .muted, size: 11)
    svg.text("6 s later: the limit", at: (lower.across(7.4), lower.down(14.6)), .red, size: 11, anchor: .end)
    let first = seen.steps.first?.told ?? 0
    for step in seen.steps where range.contains(step.struck) && lower.y.contains(step.told) {
      let place = lower.point(step.struck, step.told)
      svg.circle(at: place, radius: 4, fill: step.told == first ? .orange : .green)
    }
    let given = seen.steps.count { $0.told == first }
    Legend(entries: [
      (.stroke(.ink), "foot strikes"), (.dot(.orange), "\(given) steps reported once walking is detected"),
      (.dot(.green), "then block by block"),
    ]).draw(on: &svg, x: 52, y: 412)
    return svg.document(
      title: "The start of a walk is counted later",
      description:
        "The first steps are reported together once walking is detected, with the times of their foot strikes.")
  }
}
