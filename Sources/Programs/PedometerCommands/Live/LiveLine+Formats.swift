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

  /// As a CSV row.
  var csv: String {
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
    }
    return cells.joined(separator: ",") + "\n"
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
  /// As a JSON object.
  var liveJSON: String {
    var line = JSONLine(["type": "total", "t": totals.elapsed])
    add(to: &line)
    return line.line
  }

  /// As a CSV row.
  var liveCSV: String {
    var cells = [String](repeating: "", count: LiveLine.columns)
    cells[0...3] = [
      "total", Decimals.text(totals.elapsed / .seconds(1), 3) ?? "", String(totals.steps),
      Decimals.text(totals.distanceTravelled, 2) ?? "",
    ]
    cells[4] = meanCadence.flatMap { Decimals.text($0, 3) } ?? ""
    cells[10] = totals.floorsAscended.map { String($0) } ?? ""
    cells[11] = totals.floorsDescended.map { String($0) } ?? ""
    return cells.joined(separator: ",") + "\n"
  }
}

extension WalkTotals {
  /// Steps, distance and cadence in aligned columns.
  var figures: String {
    let cadence = currentCadence.flatMap { Decimals.text($0 * 60, 0) }.map { $0.padded(to: -6) + " steps/min" } ?? ""
    return WalkSummary.figures(steps: steps, distance: distanceTravelled) + cadence
  }
}
