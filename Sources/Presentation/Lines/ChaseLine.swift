import ChaseEngine
import JSONLines

/// What happens in a chase as lines for programs: the command's standard output and the service's stream alike.
package enum ChaseLine {
  /// One event: one object.
  package static func json(_ event: ChaseEvent) -> String {
    switch event {
    case .state(let time, let state): json(state, at: time)
    case .alert(let time, let alert): json(alert, at: time)
    case .chase(let frame): json(frame)
    }
  }

  /// Where the chase stands.
  package static func json(_ state: AppState, at time: Duration) -> String {
    var line = JSONLine()
    line.add("type", "state")
    line.add("t", time)
    line.add("state", state.rawValue)
    return line.line
  }

  /// A milestone, a warning, a trouble.
  package static func json(_ alert: Alert, at time: Duration) -> String {
    var line = JSONLine()
    line.add("type", "alert")
    line.add("t", time)
    line.add("alert", alert.kind.rawValue)
    line.add("severity", alert.severity.rawValue)
    line.add("text", alert.text)
    return line.line
  }

  /// The figures; distances in metres, how far both are as fractions.
  package static func json(_ frame: ChaseFrame) -> String {
    var line = JSONLine()
    line.add("type", "chase")
    line.add("t", frame.time)
    line.add("steps", frame.steps)
    line.add("goal", frame.goal.map(Double.init), decimals: 0)
    line.add("distance", frame.distance, decimals: 2)
    line.add("nessieDistance", frame.nessieDistance, decimals: 2)
    line.add("runner", frame.runner, decimals: 4)
    line.add("nessie", frame.nessie, decimals: 4)
    return line.line
  }
}
