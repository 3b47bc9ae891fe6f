import JSONLines
import Platform

/// What one viewer sees of a challenge.
package struct ChallengeBoard: Sendable, Hashable {
  /// The state of a period.
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
    var present = JSONLine()
    present.add("from", period.first.text)
    present.add("to", period.last.text)
    present.add("state", phase.rawValue)
    present.add("daysLeft", daysLeft)
    line.add("period", present)
    let rows = board.rows.map { row in
      var line = JSONLine()
      line.add("rank", row.rank)
      line.add("name", row.score.name)
      if challenge.teams { line.add("team", row.score.team) }
      line.add("steps", row.score.steps)
      if challenge.show == .days { line.add("days", row.score.days.map(Double.init), decimals: 0) }
      if let goal = challenge.goal { line.add("reached", row.score.steps >= goal) }
      line.add("you", row.score.id == viewer)
      return line
    }
    let teams = board.teams.map { team in
      var line = JSONLine()
      line.add("rank", team.rank)
      line.add("name", team.name)
      line.add("members", team.members)
      line.add("steps", team.steps)
      line.add("average", team.average)
      return line
    }
    line.add("board", rows)
    line.add("teamBoard", teams)
    line.add("past", past.map(\.json))
    return line.object
  }
}

extension ChallengeBoard.Past {
  fileprivate var json: JSONLine {
    var line = JSONLine()
    line.add("from", period.first.text)
    line.add("to", period.last.text)
    line.add("final", isFinal)
    line.add("winners", board.winners.map(\.name))
    line.add("steps", board.winners.first?.steps ?? 0)
    line.add("winningTeams", board.winningTeams.map(\.name))
    return line
  }
}

extension Challenge {
  /// What a participant may know about it; only the owner sees the invitation.
  func summary(for viewer: String) -> JSONLine {
    var line = JSONLine()
    line.add("id", id)
    line.add("name", name)
    line.add("from", firstDay.text)
    line.add("to", (repeats ? lastDay : firstDay + (days - 1))?.text)
    line.add("every", repeats ? (days == 1 ? "day" : "week") : nil as String?)
    line.add("teams", teams)
    line.add("goal", goal)
    line.add("show", show.rawValue)
    line.add("takesPart", members.contains { $0.id == viewer })
    if viewer == Walker.ownerID { line.add("invitation", invitation) }
    return line
  }

  /// For lists.
  package func json(for viewer: String) -> String { summary(for: viewer).object }

  /// The path of the invite link. The code is in the fragment, which browsers do not send, so it is not logged.
  package var invitation: String { "/challenge#join=\(code)" }
}
