import Counting
import JSONLines
import Pedometry
import Platform
import Presentation

extension LiveLine {
  static let columns = [
    "type", "t", "steps", "distanceTravelled", "cadence", "pace", "confirmed", "retracted", "event", "message",
    "floorsAscended", "floorsDescended",
  ]

  /// As text for people; `nil` for events, which are printed on standard error.
  var text: String {
    switch self {
    case .step(let time, _, .provisional, _): "\(Decimals.position(time).padded(to: -12))  step (provisional)\n"
    case .step(let time, _, .retracted, _): "\(Decimals.position(time).padded(to: -12))  step retracted\n"
    case .step, .event: ""
    case .data(let time, let walk):
      Decimals.position(.seconds(Int64(bounded: (time / .seconds(1)).rounded(.towardZero)))).padded(to: -8)
        + WalkSummary.figures(
          steps: walk.steps, distance: walk.distanceTravelled, cadence: walk.currentCadence) + "\n"
    }
  }
}

extension WalkSummary {
  /// The last line of a live count. A table has one column for cadences.
  func liveLine(_ format: OutputFormat) -> String {
    var line = JSONLine(["type": "total", "t": totals.elapsed])
    add(to: &line)
    if format == .json { return line.line }
    line.add("cadence", meanCadence.decimals(3))
    return line.row(LiveLine.columns)
  }
}
