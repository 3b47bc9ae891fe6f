import ChaseEngine
import JSONLines
import Presentation
import Terminals

/// The events of a chase as lines, for programs and for people.
struct ChaseLines {
  var format: TextOrJSON

  /// One event, with its line break; empty if this format omits it.
  func line(_ event: ChaseEvent, frame: ChaseFrame) -> String {
    switch (format, event) {
    case (.json, _): ChaseLine.json(event)
    case (.text, .state(let time, let state)): Self.text(time, Self.sentence(state, frame))
    case (.text, .alert(let time, let alert)): Self.text(time, alert.text)
    case (.text, .chase): ""
    }
  }

  func lastLines(_ frame: ChaseFrame) -> String {
    switch format {
    case .json: ChaseLine.json(frame) + ChaseLine.json(frame.state, at: frame.time)
    case .text: Self.text(frame.time, "Stopped: " + Self.figures(frame) + ".")
    }
  }

  /// The result of a chase, printed after the game's screen is left.
  static func result(_ frame: ChaseFrame) -> String {
    let outcome =
      switch frame.state {
      case .notStarted: "Not started"
      case .inProgress, .paused: "Left"
      case .completed: "You made it"
      case .caught: "Caught"
      }
    // "61 of 60 steps" reads like a mistake.
    guard frame.state == .completed, let goal = frame.goal else { return "\(outcome): \(figures(frame)).\n" }
    var counted = frame
    counted.goal = nil
    return "\(outcome): \(figures(counted)). Your goal was \(goal).\n"
  }

  private static func text(_ time: Duration, _ sentence: String) -> String { "\(ScreenText.time(time))  \(sentence)\n" }

  private static func sentence(_ state: AppState, _ frame: ChaseFrame) -> String {
    switch state {
    case .notStarted: "Ready."
    case .inProgress:
      "Go! \(frame.goal.map { "\($0) steps to walk" } ?? "No goal"), "
        + "Nessie \(Decimals.distance(max(0, frame.gap), inMiles: false)) behind."
    case .paused: "Paused: \(figures(frame))."
    case .completed: "You made it: \(figures(frame))."
    case .caught: "Caught: \(figures(frame))."
    }
  }

  /// "143 of 300 steps, 98 m in 2 min 05 s"
  private static func figures(_ frame: ChaseFrame) -> String {
    let goal = frame.goal.map { " of \($0)" } ?? ""
    let distance = Decimals.distance(frame.distance, inMiles: false)
    return "\(frame.steps)\(goal) steps, \(distance) in \(Decimals.duration(frame.elapsed))"
  }
}
