import JSONLines
import Pedometry
import Platform

/// The lines of a live count. Times are since the first sample.
package enum LiveLine {
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

  package var json: String { members().line }

  /// As a JSON object, whose members are also the cells of a table.
  /// - Parameter source: its name, if there are several.
  package func members(source: String? = nil) -> JSONLine {
    var line = JSONLine()
    switch self {
    case .step(let time, let steps, let state, let announced):
      line.add(["type": "step", "t": time, "steps": steps, "confirmed": state == .confirmed])
      if state == .retracted { line.add("retracted", true) }
      if let announced { line.add("announced", announced) }
    case .data(let time, let walk):
      line.add([
        "type": "data", "t": time, "steps": walk.steps, "distanceTravelled": walk.distanceTravelled.decimals(2),
        "cadence": walk.currentCadence.decimals(3), "pace": walk.currentPace.decimals(3),
      ])
      line.addFloors(ascended: walk.floorsAscended, descended: walk.floorsDescended)
    case .event(let time, let event, let message):
      line.add(["type": "event", "t": time, "event": event.rawValue, "message": message])
    }
    if let source { line.add("source", source) }
    return line
  }
}

extension JSONLine {
  /// Adds the floors, where they are known.
  package mutating func addFloors(ascended: Int?, descended: Int?) {
    if let ascended { add("floorsAscended", ascended) }
    if let descended { add("floorsDescended", descended) }
  }
}
