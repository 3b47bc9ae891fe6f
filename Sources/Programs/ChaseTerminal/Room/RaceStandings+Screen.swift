import ChaseEngine
import RaceRoom
import Terminals

/// The room on the screen.
extension RaceStandings {
  /// The maximum number of messages on the screen.
  private static let mostMessageRows = 8

  /// The messages, the newest last; a separate row if the connection is lost.
  func messageRows(width: Int, style: ScreenStyle) -> [ScreenRow] {
    var rows = messages.suffix(Self.mostMessageRows).map { message in
      let text = ScreenText.visible(message.displayText, isUnicode: style.isUnicode, columns: width)
      guard let name = message.displayName else { return ScreenRow(" \(text)", .faint) }
      var row = ScreenRow(" \(ScreenText.visible(name, isUnicode: style.isUnicode, columns: 20)): ", .strong)
      row.append(text)
      return row
    }
    if let trouble { rows.append(ScreenRow(" " + ScreenText.visible(trouble, isUnicode: style.isUnicode), .bad)) }
    return rows
  }

  /// The state of the race, in two words for the corner of the screen.
  var stateInWords: String? {
    switch race?.race {
    case .counting: "counting down"
    case .finished: "race over"
    case .open: "in the room"
    case .running, nil: nil
    }
  }

  /// All walkers of the race in one row, the leader first, with their shares of the goal; `nil` without opponents.
  /// Those who do not fit are left out, but not this walker.
  func standingsRow(of frame: ChaseFrame, width: Int, style: ScreenStyle) -> ScreenRow? {
    guard !opponents.isEmpty else { return nil }
    var entries = places(with: frame).enumerated().map { index, runner in
      let shownName = runner.user == name ? "you" : runner.user
      let share = runner.state == .caught ? "caught" : "\(Int(runner.runner * 100)) %"
      let shown = ScreenText.visible(shownName, isUnicode: style.isUnicode, columns: 12)
      return (text: "\(index + 1) \(shown) \(share)", isOwn: runner.user == name)
    }
    let gap = 3
    while entries.count > 1, entries.reduce(1 - gap, { $0 + gap + ScreenText.columns($1.text) }) > width {
      guard let last = entries.lastIndex(where: { !$0.isOwn }) else { break }
      entries.remove(at: last)
    }
    var row = ScreenRow()
    for entry in entries {
      row.append(String(repeating: " ", count: row.width == 0 ? 1 : gap))
      row.append(entry.text, entry.isOwn ? .strong : .faint)
    }
    return row
  }

  /// Who of the room was first, if anybody has arrived; `nil` without opponents.
  func result(of frame: ChaseFrame) -> String? {
    guard !opponents.isEmpty else { return nil }
    if let first = opponents.first(where: { $0.place == 1 }) { return "\(first.user) was first in the room." }
    if frame.state == .completed { return "You were first in the room." }
    return isOver ? "No one in the room reached the goal." : nil
  }
}
