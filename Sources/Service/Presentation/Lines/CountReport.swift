import Counting
import JSONLines

/// The result of one source.
package struct CountReport: Sendable {
  package var source: String
  package var steps: Int
  package var distanceTravelled: Double
  package var duration: Duration
  package var samples: Int
  package var samplingFrequency: Double?
  package var meanCadence: Double?
  package var walkingDuration: Duration
  package var gaps: Int
  package var warnings: [String]
  /// The times of the first and the last sample, in ISO 8601, if the recording states times of day.
  package var start: String?
  package var end: String?
  /// Floors climbed and descended; `nil` without a barometer.
  package var floorsAscended: Int?
  package var floorsDescended: Int?

  package init(
    source: String, steps: Int, distanceTravelled: Double, duration: Duration, samples: Int,
    samplingFrequency: Double? = nil, meanCadence: Double? = nil, walkingDuration: Duration, gaps: Int,
    warnings: [String]
  ) {
    self.source = source
    self.steps = steps
    self.distanceTravelled = distanceTravelled
    self.duration = duration
    self.samples = samples
    self.samplingFrequency = samplingFrequency
    self.meanCadence = meanCadence
    self.walkingDuration = walkingDuration
    self.gaps = gaps
    self.warnings = warnings
  }

  /// The gait of all bouts; `nil` unless it was measured.
  package var gait: GaitMeasures?

  /// The totals of a walk.
  /// - Parameter warnings: replaces those of the walk.
  package init(source: String, _ walk: WalkSummary, warnings: [String]? = nil) {
    self.init(
      source: source, steps: walk.steps, distanceTravelled: walk.distanceTravelled, duration: walk.duration,
      samples: walk.samples, samplingFrequency: walk.samplingFrequency, meanCadence: walk.meanCadence,
      walkingDuration: walk.walkingDuration, gaps: walk.gaps, warnings: warnings ?? walk.warnings)
    (floorsAscended, floorsDescended) = (walk.floorsAscended, walk.floorsDescended)
  }

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
      CSV.quoted(source), String(steps), Decimals.text(distanceTravelled, 2) ?? "",
      Decimals.text(duration / .seconds(1), 3) ?? "", String(samples),
      samplingFrequency.flatMap { Decimals.text($0, 3) } ?? "", meanCadence.flatMap { Decimals.text($0, 3) } ?? "",
      Decimals.text(walkingDuration / .seconds(1), 3) ?? "", String(gaps),
      CSV.quoted(warnings.joined(separator: "; ")), start ?? "", end ?? "",
      confidence.flatMap { Decimals.text($0, 2) } ?? "",
    ]
    return cells.joined(separator: ",") + "\n"
  }

  /// The same with a given title.
  package func text(title: String) -> String {
    var lines = ["\(title): \(steps) step\(steps == 1 ? "" : "s")"]
    if steps > 0 {
      lines.append("  distance  \(Decimals.distance(distanceTravelled))")
      let cadence = meanCadence.flatMap { Decimals.text($0 * 60, 0) } ?? "?"
      lines.append("  walking   \(Decimals.duration(walkingDuration)), at \(cadence) steps/min")
    }
    if let floorsAscended, let floorsDescended {
      lines.append("  floors    \(floorsAscended) up, \(floorsDescended) down")
    }
    let rate = samplingFrequency.flatMap { Decimals.text($0, 1) }.map { " at \($0) Hz" } ?? ""
    let pauses = gaps > 0 ? ", \(gaps) pause\(gaps == 1 ? "" : "s") in the recording" : ""
    // A hardware step counter has no samples.
    let what = samples > 0 ? ", \(samples) samples\(rate)\(pauses)" : ""
    lines.append("  recorded  \(Decimals.duration(duration))\(what)")
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
    line.add("steps", steps)
    line.add("distanceTravelled", distanceTravelled, decimals: 2)
    line.add("duration", duration)
    line.add("samples", samples)
    line.add("samplingFrequency", samplingFrequency, decimals: 3)
    line.add("meanCadence", meanCadence, decimals: 3)
    line.add("walkingDuration", walkingDuration)
    if let confidence { line.add("confidence", confidence, decimals: 2) }
    line.addFloors(ascended: floorsAscended, descended: floorsDescended)
    if start != nil { line.add("start", start) }
    if end != nil { line.add("end", end) }
    line.add("gaps", gaps)
    line.add("warnings", warnings)
  }
}

extension JSONLine {
  /// Adds the floors, where they are known.
  package mutating func addFloors(ascended: Int?, descended: Int?) {
    if let ascended { add("floorsAscended", ascended) }
    if let descended { add("floorsDescended", descended) }
  }
}
