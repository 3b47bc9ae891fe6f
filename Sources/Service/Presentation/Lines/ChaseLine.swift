import ChaseEngine
import JSONLines

/// The events of a chase as lines for programs: for the command's standard output and the service's stream.
package enum ChaseLine {
  package static func json(_ event: ChaseEvent) -> String {
    switch event {
    case .state(let time, let state): json(state, at: time)
    case .alert(let time, let alert): json(alert, at: time)
    case .chase(let frame): json(frame)
    }
  }

  package static func json(_ state: AppState, at time: Duration) -> String {
    var line = begin("state", at: time)
    line.add("state", state.rawValue)
    return line.line
  }

  /// A milestone, a warning, or a problem.
  package static func json(_ alert: Alert, at time: Duration) -> String {
    var line = begin("alert", at: time)
    line.add(["alert": alert.kind.rawValue, "severity": alert.severity.rawValue, "text": alert.text])
    return line.line
  }

  /// The figures; distances in metres, the walker's velocity in metres a second, progress of both as fractions.
  /// - Parameters:
  ///   - hasState: whether to add the state, for a reader who gets this line alone.
  ///   - course: how it came to this.
  package static func json(_ frame: ChaseFrame, hasState: Bool = false, course: JSONLine? = nil) -> String {
    var line = begin("chase", at: frame.time)
    line.add("elapsed", frame.elapsed)
    line.add("velocity", frame.velocity.decimals(3))
    line.add(
      steps: frame.steps, goal: frame.goal, distance: frame.distance, nessieDistance: frame.nessieDistance,
      runner: frame.runner, nessie: frame.nessie)
    if hasState { line.add("state", frame.state.rawValue) }
    if let course { line.add("course", course) }
    return line.line
  }

  /// The two keys with which each line begins.
  package static func begin(_ type: String, at time: Duration) -> JSONLine { JSONLine(["type": type, "t": time]) }
}

extension JSONLine {
  /// Adds the figures of a chase, for the line of the walker and those of other runners.
  package mutating func add(
    steps: Int, goal: Int?, distance: Double, nessieDistance: Double, runner: Double, nessie: Double
  ) {
    add([
      "steps": steps, "goal": goal, "distance": distance.decimals(2), "nessieDistance": nessieDistance.decimals(2),
      "runner": runner.decimals(4), "nessie": nessie.decimals(4),
    ])
  }
}
