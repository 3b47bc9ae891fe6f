import ChaseEngine
import ChaseTerminal
import Presentation
import RaceRoom
import Terminals

// The events of a room, as lines among those of the chase.
extension ChaseLines {
  /// One event, with its line break; empty if nothing is printed.
  func line(_ news: RaceLink.News, at time: Duration) -> String {
    switch news {
    case .chat(.message(let message)): format == .json ? Self.json(message, time) : Self.text(message, time)
    case .live(.runner(let frame)): format == .json ? Self.json(frame, time) : ""
    case .live(.race(let race)): format == .json ? Self.json(race, time) : ""
    case .chat, .live, .clock, .refused, .failed: ""
    }
  }

  /// The start of this walker's chase.
  func begin(_ race: RaceStatus?, started: Duration?, at time: Duration) -> String {
    guard format == .json else { return "" }
    var line = ChaseLine.begin("race", at: time)
    line.add("race", "begun")
    line.add("start", race?.start.decimals(3))
    line.add("started", started.map { $0 / .seconds(1) }.decimals(3))
    return line.line
  }

  private static func json(_ message: Message, _ time: Duration) -> String {
    var line = ChaseLine.begin("message", at: time)
    line.add("seq", message.seq)
    line.add("user", message.user)
    line.add("text", message.message)
    return line.line
  }

  private static func json(_ frame: RunnerFrame, _ time: Duration) -> String {
    var line = ChaseLine.begin("runner", at: time)
    line.add("user", frame.user)
    line.add("state", frame.state.rawValue)
    line.add(
      steps: frame.steps, goal: frame.goal, distance: frame.distance, nessieDistance: frame.nessieDistance,
      runner: frame.runner, nessie: frame.nessie)
    line.add("place", frame.place)
    return line.line
  }

  private static func json(_ race: RaceStatus, _ time: Duration) -> String {
    var line = ChaseLine.begin("race", at: time)
    line.add("race", race.race.rawValue)
    line.add("start", race.start.decimals(3))
    return line.line
  }

  private static func text(_ message: Message, _ time: Duration) -> String {
    let who = message.displayName.map { "\($0): " } ?? ""
    return "\(ScreenText.time(time))  \(who)\(message.displayText)\n"
  }
}
