import Platform

/// Ranks the participants of a period, and their teams.
package struct LeaderBoard: Sendable, Hashable {
  /// A participant.
  package struct Row: Sendable, Hashable {
    /// From 1. Equal steps have the same rank, and the next one is left out: 1, 2, 2, 4.
    var rank: Int
    var score: Challenge.Score
  }

  package struct Team: Sendable, Hashable {
    var rank: Int
    package var name: String
    var members: Int
    package var steps: Int
    /// Steps per member, by which teams are ranked, so that teams of different size compare.
    var average: Int { Int(bounded: Double(steps) / Double(members)) }
  }

  package let rows: [Row]
  /// Empty in a challenge without teams.
  package let teams: [Team]

  init(_ scores: [Challenge.Score], teams hasTeams: Bool) {
    let sorted = scores.sorted { ($1.steps, $0.name) < ($0.steps, $1.name) }
    rows = sorted.map { score in
      Row(rank: 1 + sorted.prefix { $0.steps > score.steps }.count, score: score)
    }
    var sums: [String: (members: Int, steps: Int)] = [:]
    for score in scores where hasTeams {
      guard let team = score.team else { continue }
      sums[team, default: (0, 0)].members += 1
      sums[team, default: (0, 0)].steps += score.steps
    }
    let all = sums.map { Team(rank: 0, name: $0.key, members: $0.value.members, steps: $0.value.steps) }
      // Without rounding: a of b is less than c of d if a·d < c·b.
      .sorted { first, second in
        let (a, b) = (first.steps * second.members, second.steps * first.members)
        return a == b ? first.name < second.name : a > b
      }
    teams = all.map { team in
      var team = team
      team.rank = 1 + all.prefix { $0.steps * team.members > team.steps * $0.members }.count
      return team
    }
  }

  /// Those with the most steps, if there are any steps.
  var winners: [Challenge.Score] { rows.filter { $0.rank == 1 && $0.score.steps > 0 }.map(\.score) }

  /// The teams with the most steps per member, if there are any steps.
  var winningTeams: [Team] { teams.filter { $0.rank == 1 && $0.steps > 0 } }
}
