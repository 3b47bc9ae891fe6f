import Counting
import JSONLines
import Pedometry
import Platform
import Presentation

extension LiveLine {
  static let heading =
    "type,t,steps,distanceTravelled,cadence,pace,confirmed,retracted,event,message,floorsAscended,floorsDescended\n"

  /// The number of cells in a CSV row.
  static let columns = 12

  var csv: String {
    var cells = [any LineValue](repeating: "", count: Self.columns)
    switch self {
    case .step(let time, let steps, let state, _):
      cells[0...2] = ["step", time, steps]
      cells[6] = state == .confirmed
      if state == .retracted { cells[7] = true }
    case .data(let time, let walk):
      cells[0...3] = ["data", time, walk.steps, walk.distanceTravelled.decimals(2)]
      cells[4...5] = [walk.currentCadence.decimals(3), walk.currentPace.decimals(3)]
      cells[10...11] = [walk.floorsAscended, walk.floorsDescended]
    case .event(let time, let event, let message):
      cells[0...1] = ["event", time]
      cells[8...9] = [event.rawValue, message]
    }
    return CSV.row(cells)
  }

  /// As text for people; `nil` for events, which are printed on standard error.
  var text: String {
    switch self {
    case .step(let time, _, .provisional, _): "\(Decimals.position(time).padded(to: -12))  step (provisional)\n"
    case .step(let time, _, .retracted, _): "\(Decimals.position(time).padded(to: -12))  step retracted\n"
    case .step, .event: ""
    case .data(let time, let walk):
      "\(Decimals.position(.seconds(Int64(bounded: (time / .seconds(1)).rounded(.towardZero)))).padded(to: -8))\(walk.figures)\n"
    }
  }
}

/// The last line of a live count.
extension WalkSummary {
  var liveJSON: String {
    var line = JSONLine(["type": "total", "t": totals.elapsed])
    add(to: &line)
    return line.line
  }

  var liveCSV: String {
    var cells = [any LineValue](repeating: "", count: LiveLine.columns)
    cells[0...3] = ["total", totals.elapsed, totals.steps, totals.distanceTravelled.decimals(2)]
    cells[4] = meanCadence.decimals(3)
    cells[10...11] = [totals.floorsAscended, totals.floorsDescended]
    return CSV.row(cells)
  }
}

extension WalkTotals {
  /// Steps, distance and cadence in aligned columns.
  var figures: String {
    let cadence = currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { $0.padded(to: -6) + " steps/min" } ?? ""
    return WalkSummary.figures(steps: steps, distance: distanceTravelled) + cadence
  }
}
