import JSONLines
import Platform

/// What one viewer sees of a challenge.
package struct ChallengeBoard: Sendable, Hashable {
  enum Phase: String, Sendable, Hashable {
    case upcoming, running
    /// It has ended, but steps that arrive late still count.
    case settling
    /// Nothing changes any more.
    case closed
  }

  /// A former period.
  struct Past: Sendable, Hashable {
    var period: ChallengePeriod
    var isFinal: Bool
    var board: LeaderBoard
  }

  package let challenge: Challenge
  let period: ChallengePeriod
  let phase: Phase
  /// Including today; before the first day, the days until it.
  let daysLeft: Int
  package let board: LeaderBoard
  /// The latest one first.
  let past: [Past]
  /// The viewer's identifier.
  let viewer: String

  /// For `GET /api/challenge` and `challenges show --format json`.
  package var json: String {
    var line = challenge.summary(for: viewer)
    let present = JSONLine([
      "from": period.first.text, "to": period.last.text, "state": phase.rawValue, "daysLeft": daysLeft,
    ])
    line.add("period", present)
    let rows = board.rows.map { row in
      var line = JSONLine(["rank": row.rank, "name": row.score.name])
      if challenge.teams { line.add("team", row.score.team) }
      line.add("steps", row.score.steps)
      if challenge.show == .days { line.add("days", row.score.days) }
      if let goal = challenge.goal { line.add("reached", row.score.steps >= goal) }
      line.add("you", row.score.id == viewer)
      return line
    }
    let teams = board.teams.map { team in
      JSONLine([
        "rank": team.rank, "name": team.name, "members": team.members, "steps": team.steps, "average": team.average,
      ])
    }
    line.add(["board": rows, "teamBoard": teams, "past": past.map(\.json)])
    return line.object
  }
}

extension ChallengeBoard.Past {
  fileprivate var json: JSONLine {
    JSONLine([
      "from": period.first.text, "to": period.last.text, "final": isFinal, "winners": board.winners.map(\.name),
      "steps": board.winners.first?.steps ?? 0, "winningTeams": board.winningTeams.map(\.name),
    ])
  }
}

extension Challenge {
  /// What a participant may know about it; only the owner sees the invitation.
  func summary(for viewer: String) -> JSONLine {
    var line = JSONLine([
      "id": id, "name": name, "from": firstDay.text, "to": (repeats ? lastDay : firstDay + (days - 1))?.text,
      "every": repeats ? (days == 1 ? "day" : "week") : nil as String?, "teams": teams, "goal": goal,
      "show": show.rawValue, "takesPart": members.contains { $0.id == viewer },
    ])
    if viewer == Walker.ownerID { line.add("invitation", invitation) }
    return line
  }

  /// For lists.
  package func json(for viewer: String) -> String { summary(for: viewer).object }

  /// The path of the invite link. The code is in the fragment, which browsers do not send, so it is not logged.
  package var invitation: String { "/challenge#join=\(code)" }
}
