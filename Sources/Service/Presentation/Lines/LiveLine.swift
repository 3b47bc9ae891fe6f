import Counting
import JSONLines
import Pedometry
import Platform

/// The lines of a live count. Times are since the first sample.
package enum LiveLine {
  /// The state of a step.
  package enum StepState {
    case confirmed
    case provisional
    case retracted
  }

  /// Events of a source and of its wearer.
  package enum Event: String, CaseIterable {
    /// The first sample arrived.
    case started
    /// Samples were lost.
    case gap
    /// Samples are damaged, or too slow; reported once for each kind.
    case warning
    /// Steps that were taken too long ago to be reported one by one were added to the totals.
    case corrected
    /// The walker stopped.
    case paused
    /// The walker resumed.
    case resumed
    /// The sensor was unplugged, or no longer delivers samples.
    case sourceLost
    /// The source is back.
    case sourceBack
    /// Counting has ended.
    case stopped
    /// What a six-minute walk calls out.
    case walkTest
  }

  /// A step; `announced` is the time of its announcement as provisional.
  case step(Duration, steps: Int, state: StepState, announced: Duration? = nil)
  case data(Duration, WalkTotals)
  case event(Duration, Event, String)
  case total(WalkSummary)

  /// As a JSON object.
  package var json: String { json(source: nil) }

  /// As a JSON object that names one of several sources.
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
    case .total(let walk):
      line.add("type", "total")
      line.add("t", walk.totals.elapsed)
      walk.add(to: &line)
      return line.line
    }
    if let source { line.add("source", source) }
    return line.line
  }

  package static let heading =
    "type,t,steps,distanceTravelled,cadence,pace,confirmed,retracted,event,message,floorsAscended,floorsDescended\n"

  /// The number of cells in a CSV row.
  package static let columns = 12

  /// As a CSV row.
  package var csv: String {
    var cells = [String](repeating: "", count: Self.columns)
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
      cells[10] = walk.floorsAscended.map { String($0) } ?? ""
      cells[11] = walk.floorsDescended.map { String($0) } ?? ""
    case .event(let time, let event, let message):
      cells[0...1] = ["event", seconds(time)]
      cells[8...9] = [event.rawValue, CSV.quoted(message)]
    case .total(let walk):
      let totals = walk.totals
      cells[0...3] = [
        "total", seconds(totals.elapsed), String(totals.steps), Decimals.text(totals.distanceTravelled, 2) ?? "",
      ]
      cells[4] = walk.meanCadence.flatMap { Decimals.text($0, 3) } ?? ""
      cells[10] = totals.floorsAscended.map { String($0) } ?? ""
      cells[11] = totals.floorsDescended.map { String($0) } ?? ""
    }
    return cells.joined(separator: ",") + "\n"
  }

  /// As text for people; `nil` for events, which are printed on standard error.
  package var text: String {
    switch self {
    case .step(let time, _, .provisional, _): "\(Decimals.position(time).padded(to: -12))  step (provisional)\n"
    case .step(let time, _, .retracted, _): "\(Decimals.position(time).padded(to: -12))  step retracted\n"
    case .step, .event: ""
    case .data(let time, let walk):
      "\(Decimals.position(.seconds(Int64(bounded: (time / .seconds(1)).rounded(.towardZero)))).padded(to: -8))\(walk.figures)\n"
    case .total(let walk): walk.text(title: walk.source)
    }
  }
}

extension WalkTotals {
  /// Steps, distance and cadence in aligned columns.
  package var figures: String {
    let cadence = currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { $0.padded(to: -6) + " steps/min" } ?? ""
    return WalkSummary.figures(steps: steps, distance: distanceTravelled) + cadence
  }
}
