import JSONLines
import Pedometry
import StepDetection

/// One line of `--explain`: a bout, or a stretch that was not counted.
struct FindingLine {
  let plan: CountPlan
  /// Its source; `nil` if there is only one.
  let source: String?

  static let heading = "type,t,end,steps,cadence,confidence,reason,message\n"

  /// - Parameter origin: the zero point of times, on the sensor's clock.
  func text(of finding: WalkFinding, since origin: Duration) -> String {
    let (start, end) = (finding.start - origin, finding.end - origin)
    return switch plan.format {
    case .json: json(finding, start, end)
    case .csv: csv(finding, start, end)
    case .text: row(finding, start, end)
    }
  }

  /// The movement without a line, as a line below the others; empty if it is less than a second, or for programs.
  func remainder(_ movement: Duration) -> String {
    guard plan.format == .text, movement >= .seconds(1) else { return "" }
    let place = "".padded(to: 8) + Decimals.duration(movement).padded(to: -14) + "  "
    return (source.map(plan.label) ?? "") + place + "not counted: other movements, each too short to list\n"
  }

  private func json(_ finding: WalkFinding, _ start: Duration, _ end: Duration) -> String {
    var line = JSONLine()
    switch finding {
    case .bout: line.add("type", "bout")
    case .stretch: line.add("type", "stretch")
    }
    if let source { line.add("source", source) }
    line.add("t", start)
    line.add("end", end)
    switch finding {
    case .bout(let bout):
      line.add(["steps": bout.steps, "cadence": bout.cadence.decimals(3), "confidence": bout.confidence.decimals(2)])
    case .stretch(let stretch):
      line.add("reason", stretch.objection.rawValue)
      line.add("message", stretch.objection.message)
    }
    return line.line
  }

  private func csv(_ finding: WalkFinding, _ start: Duration, _ end: Duration) -> String {
    let cells: [any LineValue] =
      switch finding {
      case .bout(let bout):
        ["bout", start, end, bout.steps, bout.cadence.decimals(3), bout.confidence.decimals(2), "", ""]
      case .stretch(let stretch):
        ["stretch", start, end, "", "", "", stretch.objection.rawValue, stretch.objection.message]
      }
    return CSV.row((source.map { [$0] } ?? []) + cells)
  }

  private func row(_ finding: WalkFinding, _ start: Duration, _ end: Duration) -> String {
    let second = Duration.seconds(Int((start / .seconds(1)).rounded()))
    let place = Decimals.position(second).padded(to: -8) + Decimals.duration(end - start).padded(to: -14) + "  "
    let what: String
    switch finding {
    case .bout(let bout):
      let cadence = bout.cadence.flatMap { Decimals.text($0 * 60, 0) }.map { " at \($0) steps/min" } ?? ""
      let confidence = Decimals.text(bout.confidence, 2) ?? ""
      what = "\(bout.steps) step\(bout.steps == 1 ? "" : "s")\(cadence), confidence \(confidence)"
    case .stretch(let stretch): what = "not counted: \(stretch.objection.message)"
    }
    return (source.map(plan.label) ?? "") + place + what + "\n"
  }
}
