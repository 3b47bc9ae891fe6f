import Accelerometry
import Counting
import JSONLines
import Pedometry
import Presentation
import Recordings
import StepDetection
import Terminals

struct CountPlan: Sendable {
  enum Mode: Sendable, Hashable {
    case totals
    case steps
    case epochs(Duration)
    case explanation
    case gait
  }

  let output: CountOutputOptions
  let reading: RecordingOptions
  let stepLength: StepLengthModel
  /// How walking is distinguished from other movement.
  let recognition: WalkRecognition
  /// The sources' names, in the given order.
  let names: [String]
  let mode: Mode
  /// The columns of CSV.
  let columns: [String]

  init(
    _ output: CountOutputOptions, reading: RecordingOptions, stepLength: StepLengthModel,
    recognition: WalkRecognition, names: [String]
  ) {
    (self.output, self.reading, self.stepLength, self.recognition) = (output, reading, stepLength, recognition)
    (self.names, mode) = (names, output.mode)
    let source = mode == .totals || names.count > 1 ? ["source"] : []
    let clock = output.clock ? ["time"] : []
    switch mode {
    case .totals: columns = source + WalkSummary.columns
    case .steps: columns = source + ["t"] + clock
    case .epochs: columns = source + ["t", "steps", "distanceTravelled", "cadence"] + clock
    case .explanation:
      columns = source + ["type", "t", "end", "steps", "cadence", "confidence", "reason", "message"]
    case .gait: columns = source + ["t", "end", "steps"] + GaitMeasures.names
    }
  }

  var format: OutputFormat { output.format }

  /// Whether the output contains confidence; otherwise it is not computed.
  var explains: Bool { mode == .explanation || format != .text || output.plot != nil }

  /// Whether the totals are printed: alone, or after an explanation that is not a table.
  var printsTotals: Bool {
    switch mode {
    case .totals: true
    case .explanation, .gait: format != .csv
    case .steps, .epochs: false
    }
  }

  /// Whether lines of steps and epochs name their source.
  var namesSource: Bool { names.count > 1 }

  /// A source's name at the beginning of a line of text, padded to the same width for all.
  func label(_ name: String) -> String {
    let width = min(names.map { title($0).count }.max() ?? 0, Self.widestName)
    return title(name).padded(to: width) + "  "
  }

  /// A source's name for people; scripts get it as it was given.
  func title(_ name: String) -> String { name == "-" ? "standard input" : ScreenText.printable(name) }

  /// The beginning of an epoch in a line of text, padded to the same width for all.
  func position(_ start: Duration) -> String {
    guard case .epochs(let length) = mode, length.components.attoseconds != 0 else {
      return Decimals.position(start).padded(to: -8)
    }
    return Decimals.position(start).padded(to: -12)
  }

  /// Longer names only shift the columns of their line.
  private static let widestName = 40
}

extension WalkSummary {
  /// One of several sources, for people: a line of a table.
  func row(_ plan: CountPlan) -> String {
    var line = plan.label(source) + Self.figures(steps: totals.steps, distance: totals.distanceTravelled)
    if totals.steps > 0 {
      line += "  " + Decimals.duration(totals.activeTime).padded(to: -12)
      line += meanCadence.flatMap { Decimals.text($0 * 60, 0) }.map { " at \($0.padded(to: -3)) steps/min" } ?? ""
    }
    return line + "\n"
  }

  /// The line under the table.
  static func total(_ reports: [WalkSummary], _ plan: CountPlan) -> String {
    let (counted, all) = (reports.count, plan.names.count)
    let walks = reports.map(\.totals)
    let walked = walks.reduce(Duration.zero) { $0 + $1.activeTime }
    let steps = walks.reduce(0) { $0 + $1.steps }
    return plan.label(counted == all ? "all \(all)" : "\(counted) of \(all)")
      + figures(steps: steps, distance: walks.reduce(0) { $0 + $1.distanceTravelled })
      + (steps > 0 ? "  " + Decimals.duration(walked).padded(to: -12) : "") + "\n"
  }
}
