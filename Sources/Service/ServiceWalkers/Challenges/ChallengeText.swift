import Platform

/// Challenges for people, in a terminal.
extension Challenge {
  /// When it takes place.
  package var times: String {
    if repeats {
      let unit = days == 1 ? "every day" : "every week"
      return "\(unit) from \(firstDay.text)" + (lastDay.map { " to \($0.text)" } ?? "")
    }
    return days == 1 ? firstDay.text : "\(firstDay.text) to \((firstDay + (days - 1)).text)"
  }
}

extension ChallengeBoard {
  /// The path of the invite link.
  package var invitation: String { challenge.invitation }

  /// The leader board, in lines.
  package var text: String {
    var text = "\(challenge.name), \(period.first.text)"
    if period.days > 1 { text += " to \(period.last.text)" }
    text += ": \(sentence)\n"
    if board.rows.isEmpty { text += "  no one takes part yet\n" }
    let width = board.rows.map(\.score.name.count).max() ?? 0
    for row in board.rows {
      let name = row.score.name + String(repeating: " ", count: width - row.score.name.count)
      text += "\(Self.padded(row.rank, 3)). \(name)  \(Self.padded(row.score.steps, 8)) steps"
      if challenge.teams, let team = row.score.team { text += "  \(team)" }
      if let goal = challenge.goal, row.score.steps >= goal { text += "  goal reached" }
      text += "\n"
    }
    if !board.teams.isEmpty { text += "Teams, by steps per member\n" }
    for team in board.teams {
      text +=
        "\(Self.padded(team.rank, 3)). \(team.name): \(team.average) per member, \(team.steps) in all,"
        + " \(team.members) \(team.members == 1 ? "member" : "members")\n"
    }
    for former in past.prefix(5) {
      let names = former.board.winners.map(\.name).joined(separator: ", ")
      let dates = former.period.first.text + (former.period.days > 1 ? " to \(former.period.last.text)" : "")
      text += "\(dates): " + (names.isEmpty ? "no steps" : "\(names), \(former.board.winners[0].steps) steps")
      text += former.isFinal ? "\n" : " (late steps still count)\n"
    }
    return text
  }

  private var sentence: String {
    switch phase {
    case .upcoming: daysLeft == 1 ? "begins tomorrow" : "begins in \(daysLeft) days"
    case .running where period.days == 1: "today"
    case .running: daysLeft == 1 ? "the last day" : "\(daysLeft) days left"
    case .settling: "ended; late steps still count"
    case .closed: "ended"
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - String(number).count)) + String(number)
  }
}
