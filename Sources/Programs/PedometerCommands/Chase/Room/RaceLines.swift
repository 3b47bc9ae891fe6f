import ChaseEngine
import ChaseTerminal
import JSONLines
import Presentation
import RaceRoom
import Terminals

// The events of a room, as lines among those of the chase.
extension ChaseLines {
  /// One event, with its line break; empty if nothing is printed.
  func line(_ news: RaceLink.News, at time: Duration) -> String {
    switch (format, news) {
    case (.json, .chat(.message(let message))):
      return JSONLine([
        "type": "message", "t": time, "seq": message.seq, "user": message.user, "text": message.message,
      ]).line
    case (.json, .live(.runner(let frame))):
      var line = JSONLine(["type": "runner", "t": time, "user": frame.user, "state": frame.state.rawValue])
      line.add(
        steps: frame.steps, goal: frame.goal, distance: frame.distance, nessieDistance: frame.nessieDistance,
        runner: frame.runner, nessie: frame.nessie)
      line.add("place", frame.place)
      return line.line
    case (.json, .live(.race(let race))):
      return JSONLine(["type": "race", "t": time, "race": race.race.rawValue, "start": race.start.decimals(3)]).line
    case (.text, .chat(.message(let message))):
      let who = message.displayName.map { "\($0): " } ?? ""
      return "\(ScreenText.time(time))  \(who)\(message.displayText)\n"
    default: return ""
    }
  }

  /// The start of this walker's chase.
  func begin(_ race: RaceStatus?, started: Duration?, at time: Duration) -> String {
    guard format == .json else { return "" }
    return JSONLine([
      "type": "race", "t": time, "race": "begun", "start": race?.start.decimals(3),
      "started": started?.decimals(3),
    ]).line
  }
}
