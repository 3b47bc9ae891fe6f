import Counting
import JSONLines
import Pedometers
import Pedometry

/// One line of `--gait`: a bout, or all of them.
struct GaitLine {
  let plan: CountPlan
  /// Its source; `nil` if there is only one.
  let source: String?

  static let heading =
    "t,end,steps,cadence,cadenceDeviation,stepTime,stepTimeDeviation,stepTimeVariation,strides,strideTime,"
    + "strideTimeDeviation,strideTimeVariation,asymmetry,stepRegularity,strideRegularity,symmetry,speed\n"

  /// - Parameter origin: the zero point of times, on the sensor's clock.
  func text(of bout: GaitBout, since origin: Duration) -> String {
    let (start, end) = (bout.start - origin, bout.end - origin)
    switch plan.format {
    case .json:
      var line = JSONLine()
      line.add("type", "gait")
      if let source { line.add("source", source) }
      line.add("t", start)
      line.add("end", end)
      line.add("steps", bout.times.count)
      add(bout.measures, to: &line)
      return line.line
    case .csv:
      let times = [start, end].map { Decimals.text($0 / .seconds(1), 3) ?? "" } + [String(bout.times.count)]
      let figures = figures(bout.measures).map { figure in
        figure.value.flatMap { Decimals.text($0, figure.decimals) } ?? ""
      }
      return (source.map { CSV.quoted($0) + "," } ?? "") + (times + figures).joined(separator: ",") + "\n"
    case .text:
      let second = Duration.seconds(Int((start / .seconds(1)).rounded()))
      let place = Decimals.position(second).padded(to: -8) + Decimals.duration(end - start).padded(to: -14) + "  "
      return (source.map(plan.label) ?? "") + place + "\(bout.times.count) steps" + words(bout.measures) + "\n"
    }
  }

  /// All bouts, for people.
  func total(_ gait: GaitMeasures) -> String {
    let label = source.map(plan.label) ?? ""
    if gait.strideTime.count == 0 { return label + "no bout has enough strides to measure gait\n" }
    return label + "".padded(to: 24) + "\(gait.strideTime.count) strides" + words(gait) + "\n"
  }

  /// All bouts, for programs.
  func json(_ gait: GaitMeasures) -> JSONLine {
    var line = JSONLine()
    add(gait, to: &line)
    return line
  }

  private func add(_ gait: GaitMeasures, to line: inout JSONLine) {
    for figure in figures(gait) {
      if figure.decimals == 0 {
        line.add(figure.name, Int(figure.value ?? 0))
      } else {
        line.add(figure.name, figure.value, decimals: figure.decimals)
      }
    }
  }

  private func figures(_ gait: GaitMeasures) -> [(name: String, value: Double?, decimals: Int)] {
    let (step, stride, cadence) = (gait.stepTime, gait.strideTime, gait.cadence)
    return [
      ("cadence", step.count > 0 ? 1 / step.mean : nil, 3), ("cadenceDeviation", cadence.deviation.map { $0 / 60 }, 4),
      ("stepTime", step.count > 0 ? step.mean : nil, 4), ("stepTimeDeviation", step.deviation, 4),
      ("stepTimeVariation", step.variation, 2), ("strides", Double(stride.count), 0),
      ("strideTime", stride.count > 0 ? stride.mean : nil, 4), ("strideTimeDeviation", stride.deviation, 4),
      ("strideTimeVariation", stride.variation, 2), ("asymmetry", gait.asymmetry, 2),
      ("stepRegularity", gait.stepRegularity, 3), ("strideRegularity", gait.strideRegularity, 3),
      ("symmetry", gait.symmetry, 3), ("speed", speed(gait), 3),
    ]
  }

  /// Metres per second; only where the step length is known.
  private func speed(_ gait: GaitMeasures) -> Double? {
    guard let length = plan.stepLength.measured, gait.stepTime.count > 0 else { return nil }
    return length / gait.stepTime.mean
  }

  private func words(_ gait: GaitMeasures) -> String {
    func text(_ value: Double?, _ decimals: Int) -> String { value.flatMap { Decimals.text($0, decimals) } ?? "?" }
    var parts = [
      " at \(text(60 / gait.stepTime.mean, 1)) steps/min",
      "stride \(text(gait.strideTime.mean, 3)) s ± \(text(gait.strideTime.deviation.map { $0 * 1000 }, 0)) ms"
        + " (\(text(gait.strideTime.variation, 1)) %)",
    ]
    if let asymmetry = gait.asymmetry { parts.append("asymmetry \(text(asymmetry, 1)) %") }
    if let step = gait.stepRegularity, let stride = gait.strideRegularity {
      parts.append("regularity \(text(step, 2)) a step, \(text(stride, 2)) a stride")
    }
    if let speed = speed(gait) { parts.append("\(text(speed, 2)) m/s") }
    return parts.joined(separator: ", ")
  }
}

/// Replaces the times of steps by refined ones, which are known when their bout is over.
struct RefinedSteps {
  private let isNeeded: Bool
  private var waiting: [Step] = []

  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// The steps that are final.
  mutating func steps(of news: CountedRecording.News) -> [Step] {
    guard isNeeded else { return news.steps }
    waiting += news.steps
    let times = news.gait.flatMap(\.times)
    defer { waiting.removeFirst(times.count) }
    return zip(waiting, times).map { step, time in
      var step = step
      step.timestamp = time
      return step
    }
  }
}
