import Testing

@testable import PedometerService
@testable import ServiceWalkers

@Suite("The leader board", .timeLimit(.minutes(30)))
struct LeaderBoardTests {
  @Test("teams with the same average share a rank, and the average is exact, not rounded")
  func teamTies() {
    func score(_ team: String, _ steps: Int) -> Challenge.Score {
      Challenge.Score(id: "\(team)\(steps)", name: "\(team)\(steps)", team: team, days: [steps])
    }
    let even = LeaderBoard([score("A", 10), score("B", 5), score("B", 15)], teams: true)
    #expect(even.teams.map(\.rank) == [1, 1] && even.winningTeams.count == 2)
    // 10.5 against 10.67: both are 11.
    let scores = [score("A", 10), score("A", 11), score("B", 10), score("B", 11), score("B", 11)]
    let close = LeaderBoard(scores, teams: true)
    #expect(close.teams.map(\.name) == ["B", "A"] && close.teams.map(\.average) == [11, 11])
    #expect(close.teams.map(\.rank) == [1, 2])
  }
}
