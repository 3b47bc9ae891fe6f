import Counting
import JSONLines
import Pedometry

/// The result of one source.
package struct CountReport: Sendable {
  package var source: String
  package var walk: WalkSummary
  /// The times of the first and the last sample, in ISO 8601, if the recording states times of day.
  package var start: String?
  package var end: String?
  /// The gait of all bouts; `nil` unless it was measured.
  package var gait: GaitMeasures?

  package init(source: String, _ walk: WalkSummary) {
    self.source = source
    self.walk = walk
  }

  private var totals: WalkTotals { walk.totals }

  package static let heading =
    "source,steps,distanceTravelled,duration,samples,samplingFrequency,meanCadence,walkingDuration,gaps,warnings,start,end,"
    + "confidence\n"

  package var json: String {
    var line = JSONLine()
    add(to: &line)
    return line.line
  }

  /// - Parameter confidence: that of the steps; `nil` without steps.
  package func csv(confidence: Double?) -> String {
    let cells: [String] = [
      CSV.quoted(source), String(totals.steps), Decimals.text(totals.distanceTravelled, 2) ?? "",
      Decimals.text(totals.elapsed / .seconds(1), 3) ?? "", String(walk.samples),
      walk.samplingFrequency.flatMap { Decimals.text($0, 3) } ?? "",
      walk.meanCadence.flatMap { Decimals.text($0, 3) } ?? "",
      Decimals.text(totals.activeTime / .seconds(1), 3) ?? "", String(walk.gaps),
      CSV.quoted(walk.warnings.joined(separator: "; ")), start ?? "", end ?? "",
      confidence.flatMap { Decimals.text($0, 2) } ?? "",
    ]
    return cells.joined(separator: ",") + "\n"
  }

  /// The same with a given title.
  package func text(title: String) -> String {
    var lines = ["\(title): \(totals.steps) step\(totals.steps == 1 ? "" : "s")"]
    if totals.steps > 0 {
      lines.append("  distance  \(Decimals.distance(totals.distanceTravelled))")
      let cadence = walk.meanCadence.flatMap { Decimals.text($0 * 60, 0) } ?? "?"
      lines.append("  walking   \(Decimals.duration(totals.activeTime)), at \(cadence) steps/min")
    }
    if let up = totals.floorsAscended, let down = totals.floorsDescended {
      lines.append("  floors    \(up) up, \(down) down")
    }
    let rate = walk.samplingFrequency.flatMap { Decimals.text($0, 1) }.map { " at \($0) Hz" } ?? ""
    let pauses = walk.gaps > 0 ? ", \(walk.gaps) pause\(walk.gaps == 1 ? "" : "s") in the recording" : ""
    // A hardware step counter has no samples.
    let what = walk.samples > 0 ? ", \(walk.samples) sample\(walk.samples == 1 ? "" : "s")\(rate)\(pauses)" : ""
    lines.append("  recorded  \(Decimals.duration(totals.elapsed))\(what)")
    if let start { lines.append("  from      \(start)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Steps and distance in aligned columns.
  package static func figures(steps: Int, distance: Double) -> String {
    let count = String(steps).padded(to: -8) + (steps == 1 ? " step " : " steps")
    return steps > 0 ? count + Decimals.distance(distance).padded(to: -10) : count
  }
}

extension CountReport {
  /// Adds the keys that a total has in every command.
  /// - Parameter confidence: the confidence of the count, in a command that computes it; `nil` inside if there are no
  ///   steps.
  package func add(to line: inout JSONLine, confidence: Double?? = nil) {
    line.add("source", source)
    line.add("steps", totals.steps)
    line.add("distanceTravelled", totals.distanceTravelled, decimals: 2)
    line.add("duration", totals.elapsed)
    line.add("samples", walk.samples)
    line.add("samplingFrequency", walk.samplingFrequency, decimals: 3)
    line.add("meanCadence", walk.meanCadence, decimals: 3)
    line.add("walkingDuration", totals.activeTime)
    if let confidence { line.add("confidence", confidence, decimals: 2) }
    line.addFloors(ascended: totals.floorsAscended, descended: totals.floorsDescended)
    if start != nil { line.add("start", start) }
    if end != nil { line.add("end", end) }
    line.add("gaps", walk.gaps)
    line.add("warnings", walk.warnings)
  }
}

extension JSONLine {
  /// Adds the floors, where they are known.
  package mutating func addFloors(ascended: Int?, descended: Int?) {
    if let ascended { add("floorsAscended", ascended) }
    if let descended { add("floorsDescended", descended) }
  }
}
