import ChaseEngine
import RaceRoom

extension ChaseScreen {
  /// The room on the screen.
  struct Room {
    /// The state of the room.
    var standings: RaceStandings
    /// The typed part of a message; `nil` if no message is being typed.
    var typedMessage: String?

    /// The maximum number of runners below the track.
    static let mostOpponents = 4
    /// The maximum number of messages on the screen.
    static let mostMessages = 8

    /// The opponents, each in a line of the track, with the name after the runner.
    func opponents(width: Int, style: Style) -> [ScreenLine] {
      standings.opponents.prefix(Self.mostOpponents).map { frame in
        var line = ScreenLine()
        let name = ScreenText.visible(frame.user, isUnicode: style.isUnicode, columns: 16)
        let picture = Self.picture(frame.state)
        let column = ChaseTrack.column(runner: frame.runner, width: width) ?? 1
        let before = column - ScreenText.columns(name) - 1
        line.put(picture, at: column, role: Self.role(frame.state))
        line.put(name, at: before >= 0 ? before : column + ChaseTrack.icon + 1, role: .faint)
        return line
      }
    }

    /// The messages, the newest last; a separate line if the connection is lost.
    func messages(width: Int, style: Style) -> [ScreenLine] {
      var lines = standings.messages.suffix(Self.mostMessages).map { message in
        let text = ScreenText.visible(message.displayText, isUnicode: style.isUnicode, columns: width)
        guard let name = message.displayName else { return ScreenLine(" \(text)", role: .faint) }
        var line = ScreenLine(" \(ScreenText.visible(name, isUnicode: style.isUnicode, columns: 20)): ", role: .strong)
        line.put(text, at: line.width)
        return line
      }
      if let trouble = standings.trouble {
        lines.append(ScreenLine(" " + ScreenText.safe(trouble, isUnicode: style.isUnicode), role: .bad))
      }
      return lines
    }

    /// The state of the race, in two words for the corner of the screen.
    var state: String? {
      switch standings.race?.race {
      case .counting: "counting down"
      case .finished: "race over"
      case .open: "in the room"
      case .running, nil: nil
      }
    }

    private static func picture(_ state: AppState) -> String {
      switch state {
      case .notStarted, .paused: " o "
      case .inProgress: " o>"
      case .completed: "\\o/"
      case .caught: " x "
      }
    }

    private static func role(_ state: AppState) -> ScreenLine.Role? {
      switch state {
      case .completed: .good
      case .caught: .bad
      default: nil
      }
    }
  }
}
