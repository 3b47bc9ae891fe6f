import Accelerometry
import Counting
import JSONLines
import Pedometry
import Presentation
import Recordings
import StepDetection
import Terminals

struct CountPlan: Sendable {
  enum Mode: Sendable {
    case totals
    case steps
    case epochs(Duration)
    case explanation
    case gait
  }

  var reading: RecordingOptions
  var stepLength: StepLengthModel
  var mode: Mode
  var format: OutputFormat
  /// The sources' names, in the given order.
  var names: [String]
  var plots = false
  /// Whether steps are refined and gait is measured.
  var measuresGait = false
  /// How walking is distinguished from other movement.
  var recognition = WalkRecognition.gate
  var isStrict = false
  /// Whether lines of text and CSV show times of day.
  var showsClock = false

  /// Whether the output contains confidence; otherwise it is not computed.
  var explains: Bool {
    if case .explanation = mode { return true }
    return format != .text || plots
  }

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

  var heading: String? {
    guard format == .csv else { return nil }
    let source = namesSource ? "source," : ""
    switch mode {
    case .totals: return WalkSummary.heading
    case .steps: return source + "t\(showsClock ? ",time" : "")\n"
    case .epochs: return source + "t,steps,distanceTravelled,cadence\(showsClock ? ",time" : "")\n"
    case .explanation: return source + FindingLine.heading
    case .gait: return source + GaitLine.heading
    }
  }
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
