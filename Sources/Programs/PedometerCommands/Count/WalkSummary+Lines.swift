import Counting
import JSONLines
import Pedometry
import Presentation

extension WalkSummary {
  /// The columns after the source.
  static let columns = [
    "steps", "distanceTravelled", "duration", "samples", "samplingFrequency", "meanCadence", "walkingDuration", "gaps",
    "warnings", "start", "end", "confidence",
  ]

  /// For people, with a title.
  func text(title: String) -> String {
    var lines = ["\(title): \(totals.steps) step\(totals.steps == 1 ? "" : "s")"]
    if totals.steps > 0 {
      lines.append("  distance  \(Decimals.distance(totals.distanceTravelled))")
      let cadence = meanCadence.flatMap { Decimals.text($0 * 60, 0) } ?? "?"
      lines.append("  walking   \(Decimals.duration(totals.activeTime)), at \(cadence) steps/min")
    }
    if let up = totals.floorsAscended, let down = totals.floorsDescended {
      lines.append("  floors    \(up) up, \(down) down")
    }
    let rate = samplingFrequency.flatMap { Decimals.text($0, 1) }.map { " at \($0) Hz" } ?? ""
    let pauses = gaps > 0 ? ", \(gaps) pause\(gaps == 1 ? "" : "s") in the recording" : ""
    // A hardware step counter has no samples.
    let what = samples > 0 ? ", \(samples) sample\(samples == 1 ? "" : "s")\(rate)\(pauses)" : ""
    lines.append("  recorded  \(Decimals.duration(totals.elapsed))\(what)")
    if let start { lines.append("  from      \(start)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Steps, distance and cadence in aligned columns.
  static func figures(steps: Int, distance: Double, cadence: Double? = nil) -> String {
    let count = String(steps).padded(to: -8) + (steps == 1 ? " step " : " steps")
    let rate = cadence.flatMap { Decimals.text($0 * 60, 0) }.map { $0.padded(to: -6) + " steps/min" } ?? ""
    return (steps > 0 ? count + Decimals.distance(distance).padded(to: -10) : count) + rate
  }

  /// Adds the keys that a total has in every command.
  /// - Parameter hasConfidence: whether the command computes it.
  func add(to line: inout JSONLine, hasConfidence: Bool = false) {
    line.add([
      "source": source, "steps": totals.steps, "distanceTravelled": totals.distanceTravelled.decimals(2),
      "duration": totals.elapsed, "samples": samples, "samplingFrequency": samplingFrequency.decimals(3),
      "meanCadence": meanCadence.decimals(3), "walkingDuration": totals.activeTime,
    ])
    if hasConfidence { line.add("confidence", confidence.decimals(2)) }
    line.addFloors(ascended: totals.floorsAscended, descended: totals.floorsDescended)
    if start != nil { line.add("start", start) }
    if end != nil { line.add("end", end) }
    line.add("gaps", gaps)
    line.add("warnings", warnings)
  }
}
