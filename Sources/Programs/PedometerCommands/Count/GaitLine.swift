import Counting
import JSONLines
import Pedometry

struct GaitLine {
  let plan: CountPlan
  /// Its source; `nil` if there is only one.
  let source: String?

  static let heading = "t,end,steps,\(GaitMeasures.names.joined(separator: ","))\n"

  private var stepLength: Double? { plan.stepLength.measured }

  /// - Parameter origin: the zero point of times, on the sensor's clock.
  func text(of bout: GaitBout, since origin: Duration) -> String {
    let (start, end) = (bout.start - origin, bout.end - origin)
    switch plan.format {
    case .json:
      var line = JSONLine(["type": "gait"])
      if let source { line.add("source", source) }
      line.add(["t": start, "end": end, "steps": bout.times.count])
      line.add(bout.measures, stepLength: stepLength)
      return line.line
    case .csv:
      let place: [any LineValue] = (source.map { [$0] } ?? []) + [start, end, bout.times.count]
      return CSV.row(place + bout.measures.figures(stepLength: stepLength).map(\.text))
    case .text:
      let second = Duration.seconds(Int((start / .seconds(1)).rounded()))
      let place = Decimals.position(second).padded(to: -8) + Decimals.duration(end - start).padded(to: -14) + "  "
      return (source.map(plan.label) ?? "") + place + "\(bout.times.count) steps \(words(bout.measures))\n"
    }
  }

  func total(_ gait: GaitMeasures) -> String {
    let label = source.map(plan.label) ?? ""
    if gait.strideTime.count == 0 { return label + "no bout has enough strides to measure gait\n" }
    return label + "".padded(to: 24) + "\(gait.strideTime.count) strides \(words(gait))\n"
  }

  private func words(_ gait: GaitMeasures) -> String { gait.phrases(stepLength: stepLength).joined(separator: ", ") }

  func json(_ gait: GaitMeasures) -> JSONLine {
    var line = JSONLine()
    line.add(gait, stepLength: stepLength)
    return line
  }
}

/// Replaces the times of steps by refined ones, which are known when their bout is over.
struct RefinedSteps {
  private let isNeeded: Bool
  private var waiting: [Step] = []

  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// The steps that are final.
  mutating func steps(of news: SampleCounting.News) -> [Step] {
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
