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
    var line = begin("state", at: time)
    line.add("state", state.rawValue)
    return line.line
  }

  /// A milestone, a warning, a trouble.
  package static func json(_ alert: Alert, at time: Duration) -> String {
    var line = begin("alert", at: time)
    line.add("alert", alert.kind.rawValue)
    line.add("severity", alert.severity.rawValue)
    line.add("text", alert.text)
    return line.line
  }

  /// The figures; distances in metres, how far both are as fractions.
  package static func json(_ frame: ChaseFrame) -> String {
    var line = begin("chase", at: frame.time)
    line.add(
      steps: frame.steps, goal: frame.goal, distance: frame.distance, nessieDistance: frame.nessieDistance,
      runner: frame.runner, nessie: frame.nessie)
    return line.line
  }

  /// The two keys with which each line begins.
  package static func begin(_ type: String, at time: Duration) -> JSONLine {
    var line = JSONLine()
    line.add("type", type)
    line.add("t", time)
    return line
  }
}

extension JSONLine {
  /// Adds the figures of a chase, which a walker's own line and another runner's share.
  package mutating func add(
    steps: Int, goal: Int?, distance: Double, nessieDistance: Double, runner: Double, nessie: Double
  ) {
    add("steps", steps)
    add("goal", goal.map(Double.init), decimals: 0)
    add("distance", distance, decimals: 2)
    add("nessieDistance", nessieDistance, decimals: 2)
    add("runner", runner, decimals: 4)
    add("nessie", nessie, decimals: 4)
  }
}
