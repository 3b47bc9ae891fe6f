import ChaseEngine
import RaceRoom

extension ChaseScreen {
  /// What the screen shows of a room.
  struct Room {
    /// What is known of it.
    var standings: RaceStandings
    /// What was typed so far to be said; `nil` while nobody talks.
    var typedMessage: String?

    /// More runners than this do not fit beneath the track.
    static let mostOpponents = 4
    /// More messages than this are not needed to follow.
    static let mostMessages = 8

    /// The opponents, each in a line of the track, with the name behind the runner.
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

    /// What was said, the newest last; a line of its own where the room cannot be heard.
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

    /// Where the race stands, in two words for the screen's corner.
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
