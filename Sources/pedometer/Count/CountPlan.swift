import Accelerometry
import Pedometry
import Recordings

/// What is to be counted how, the same for all sources.
struct CountPlan: Sendable {
  /// What is printed.
  enum Mode: Sendable {
    case totals
    case steps
    case epochs(Duration)
  }

  var reading: RecordingOptions
  var stepLength: StepLengthModel
  var mode: Mode
  var format: OutputFormat
  /// Whether lines of steps and epochs say which source they are of.
  var namesSource: Bool

  /// The line above all others of a CSV.
  var heading: String? {
    guard format == .csv else { return nil }
    let source = namesSource ? "source," : ""
    switch mode {
    case .totals: return CountReport.heading
    case .steps: return source + "t\n"
    case .epochs: return source + "t,steps,distanceTravelled,cadence\n"
    }
  }
}

/// The result of one source.
struct CountReport: Sendable {
  var source: String
  var steps: Int
  var distanceTravelled: Double
  var duration: Duration
  var samples: Int
  var samplingFrequency: Double?
  var meanCadence: Double?
  var walkingDuration: Duration
  var gaps: Int
  var warnings: [String]

  static let heading =
    "source,steps,distanceTravelled,duration,samples,samplingFrequency,meanCadence,walkingDuration,gaps,warnings\n"

  var json: String {
    var line = JSONLine()
    line.add("source", source)
    line.add("steps", steps)
    line.add("distanceTravelled", distanceTravelled, decimals: 2)
    line.add("duration", duration)
    line.add("samples", samples)
    line.add("samplingFrequency", samplingFrequency, decimals: 3)
    line.add("meanCadence", meanCadence, decimals: 3)
    line.add("walkingDuration", walkingDuration)
    line.add("gaps", gaps)
    line.add("warnings", warnings)
    return line.line
  }

  var csv: String {
    let cells: [String] = [
      CSV.quoted(source), String(steps), Decimals.text(distanceTravelled, 2) ?? "",
      Decimals.text(duration / .seconds(1), 3) ?? "", String(samples),
      samplingFrequency.flatMap { Decimals.text($0, 3) } ?? "", meanCadence.flatMap { Decimals.text($0, 3) } ?? "",
      Decimals.text(walkingDuration / .seconds(1), 3) ?? "", String(gaps),
      CSV.quoted(warnings.joined(separator: "; ")),
    ]
    return cells.joined(separator: ",") + "\n"
  }

  /// One source as a person reads it.
  var text: String {
    var lines = ["\(source): \(steps) step\(steps == 1 ? "" : "s")"]
    if steps > 0 {
      lines.append("  distance  \(Decimals.distance(distanceTravelled))")
      let cadence = meanCadence.flatMap { Decimals.text($0 * 60, 0) } ?? "?"
      lines.append("  walking   \(Decimals.duration(walkingDuration)), at \(cadence) steps/min")
    }
    let rate = samplingFrequency.flatMap { Decimals.text($0, 1) }.map { " at \($0) Hz" } ?? ""
    let pauses = gaps > 0 ? ", \(gaps) pause\(gaps == 1 ? "" : "s") in the recording" : ""
    lines.append("  recorded  \(Decimals.duration(duration)), \(samples) samples\(rate)\(pauses)")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Cells of a CSV: RFC 4180.
enum CSV {
  static func quoted(_ cell: String) -> String {
    let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
