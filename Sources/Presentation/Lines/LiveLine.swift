import JSONLines
import Pedometry

/// What is told while somebody walks. Times are since the first sample.
package enum LiveLine {
  /// What becomes of a step.
  package enum StepState {
    case confirmed
    case provisional
    case retracted
  }

  /// What happens to a source and to its wearer.
  package enum Event: String, CaseIterable {
    /// The first sample came.
    case started
    /// Samples were lost.
    case gap
    /// Samples are damaged, or come too slowly: told once of each kind.
    case warning
    /// Steps that were made too long ago to be told one by one were added to the totals.
    case corrected
    /// The walker stands still.
    case paused
    /// The walker walks again.
    case resumed
    /// The sensor was unplugged, or has fallen silent.
    case sourceLost
    /// It is back.
    case sourceBack
    /// Nothing more is counted.
    case stopped
  }

  /// A step; `announced` is when it was said to be before it was certain.
  case step(Duration, steps: Int, state: StepState, announced: Duration? = nil)
  case data(Duration, WalkSample)
  case event(Duration, Event, String)
  case total(CountReport)

  /// One object.
  package var json: String { json(source: nil) }

  /// One object that says which of several sources it is about.
  package func json(source: String?) -> String {
    var line = JSONLine()
    switch self {
    case .step(let time, let steps, let state, let announced):
      line.add("type", "step")
      line.add("t", time)
      line.add("steps", steps)
      line.add("confirmed", state == .confirmed)
      if state == .retracted { line.add("retracted", true) }
      if let announced { line.add("announced", announced) }
    case .data(let time, let walk):
      line.add("type", "data")
      line.add("t", time)
      line.add("steps", walk.steps)
      line.add("distanceTravelled", walk.distanceTravelled, decimals: 2)
      line.add("cadence", walk.currentCadence, decimals: 3)
      line.add("pace", walk.currentPace, decimals: 3)
      line.addFloors(ascended: walk.floorsAscended, descended: walk.floorsDescended)
    case .event(let time, let event, let message):
      line.add("type", "event")
      line.add("t", time)
      line.add("event", event.rawValue)
      line.add("message", message)
    case .total(let report):
      line.add("type", "total")
      line.add("t", report.duration)
      report.add(to: &line)
      return line.line
    }
    if let source { line.add("source", source) }
    return line.line
  }

  package static let heading = "type,t,steps,distanceTravelled,cadence,pace,confirmed,retracted,event,message\n"

  /// One row.
  package var csv: String {
    var cells = [String](repeating: "", count: 10)
    let seconds = { (time: Duration) in Decimals.text(time / .seconds(1), 3) ?? "" }
    switch self {
    case .step(let time, let steps, let state, _):
      cells[0...2] = ["step", seconds(time), String(steps)]
      cells[6] = state == .confirmed ? "true" : "false"
      if state == .retracted { cells[7] = "true" }
    case .data(let time, let walk):
      cells[0...3] = ["data", seconds(time), String(walk.steps), Decimals.text(walk.distanceTravelled, 2) ?? ""]
      cells[4] = walk.currentCadence.flatMap { Decimals.text($0, 3) } ?? ""
      cells[5] = walk.currentPace.flatMap { Decimals.text($0, 3) } ?? ""
    case .event(let time, let event, let message):
      cells[0...1] = ["event", seconds(time)]
      cells[8...9] = [event.rawValue, CSV.quoted(message)]
    case .total(let report):
      cells[0...3] = [
        "total", seconds(report.duration), String(report.steps), Decimals.text(report.distanceTravelled, 2) ?? "",
      ]
      cells[4] = report.meanCadence.flatMap { Decimals.text($0, 3) } ?? ""
    }
    return cells.joined(separator: ",") + "\n"
  }

  /// As a person reads it; nothing for what is no figure, which goes to standard error.
  package var text: String {
    switch self {
    case .step(let time, _, .provisional, _): "\(Decimals.position(time).padded(to: -12))  step (provisional)\n"
    case .step(let time, _, .retracted, _): "\(Decimals.position(time).padded(to: -12))  step retracted\n"
    case .step, .event: ""
    case .data(let time, let walk):
      "\(Decimals.position(.seconds(Int64(time / .seconds(1)))).padded(to: -8))\(walk.figures)\n"
    case .total(let report): report.text(title: report.source)
    }
  }
}

extension WalkSample {
  /// Steps, distance and cadence in columns that line up.
  package var figures: String {
    let cadence = currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { $0.padded(to: -6) + " steps/min" } ?? ""
    return CountReport.figures(steps: steps, distance: distanceTravelled) + cadence
  }
}
