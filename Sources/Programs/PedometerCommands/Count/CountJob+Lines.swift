import Counting
import JSONLines
import Pedometry
import StepDetection

/// The lines of one source, in the format of the output.
extension CountJob {
  /// What a line of text begins with, if there are several sources.
  var label: String { plan.namesSource ? plan.label(name) : "" }

  /// - Parameters:
  ///   - type: of the object, if its kind has several.
  ///   - text: for people.
  ///   - add: adds the members of the JSON object, of which CSV has some.
  func line(type: String? = nil, text: @autoclosure () -> String, _ add: (inout JSONLine) -> Void) -> String {
    if plan.format == .text { return label + text() + "\n" }
    var line = JSONLine()
    if let type { line.add("type", type) }
    if plan.namesSource { line.add("source", name) }
    add(&line)
    return plan.format == .json ? line.line : line.row(plan.columns)
  }

  /// A line of `--explain`: a bout, or a stretch that was not counted.
  /// - Parameter origin: the zero point of times, on the sensor's clock.
  func line(of finding: WalkFinding, since origin: Duration) -> String {
    let (start, end) = (finding.start - origin, finding.end - origin)
    switch finding {
    case .bout(let bout):
      let cadence = bout.cadence.flatMap { Decimals.text($0 * 60, 0) }.map { " at \($0) steps/min" } ?? ""
      let confidence = Decimals.text(bout.confidence, 2) ?? ""
      let what = "\(bout.steps) step\(bout.steps == 1 ? "" : "s")\(cadence), confidence \(confidence)"
      return line(type: "bout", text: place(start, end) + what) {
        $0.add([
          "t": start, "end": end, "steps": bout.steps, "cadence": bout.cadence.decimals(3),
          "confidence": bout.confidence.decimals(2),
        ])
      }
    case .stretch(let stretch):
      let (reason, message) = (stretch.objection.rawValue, stretch.objection.message)
      return line(type: "stretch", text: place(start, end) + "not counted: \(message)") {
        $0.add(["t": start, "end": end, "reason": reason, "message": message])
      }
    }
  }

  /// The movement without a line, as a line below the others; empty if it is less than a second, or for programs.
  func remainder(_ movement: Duration) -> String {
    guard plan.format == .text, movement >= .seconds(1) else { return "" }
    let place = Decimals.duration(movement).padded(to: -22) + "  "
    return label + place + "not counted: other movements, each too short to list\n"
  }

  /// A line of `--gait`.
  /// - Parameter origin: the zero point of times, on the sensor's clock.
  func line(of bout: GaitBout, since origin: Duration) -> String {
    let (start, end, steps) = (bout.start - origin, bout.end - origin, bout.times.count)
    return line(type: "gait", text: place(start, end) + "\(steps) steps \(words(bout.measures))") {
      $0.add(["t": start, "end": end, "steps": steps])
      $0.add(bout.measures, stepLength: plan.stepLength.measured)
    }
  }

  /// The gait of all bouts, for people.
  func total(_ gait: GaitMeasures) -> String {
    if gait.strideTime.count == 0 { return label + "no bout has enough strides to measure gait\n" }
    return label + "".padded(to: 24) + "\(gait.strideTime.count) strides \(words(gait))\n"
  }

  private func place(_ start: Duration, _ end: Duration) -> String {
    let second = Duration.seconds(Int((start / .seconds(1)).rounded()))
    return Decimals.position(second).padded(to: -8) + Decimals.duration(end - start).padded(to: -14) + "  "
  }

  private func words(_ gait: GaitMeasures) -> String {
    gait.phrases(stepLength: plan.stepLength.measured).joined(separator: ", ")
  }
}

extension JSONLine {
  /// The measures of gait as an object.
  init(_ gait: GaitMeasures, stepLength: Double?) {
    self.init()
    add(gait, stepLength: stepLength)
  }
}
