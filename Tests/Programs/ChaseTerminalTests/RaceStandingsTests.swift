import ChaseEngine
import Foundation
import RaceRoom
import TestSupport
import Testing

@testable import ChaseTerminal
@testable import Terminals

/// A walker's view of a room, and its appearance on the screen.
@Suite("RaceStandings", .timeLimit(.minutes(30)))
struct RaceStandingsTests {
  private func frame(_ user: String, _ runner: Double, _ state: AppState = .inProgress) -> RaceLink.News {
    .live(
      .runner(
        RunnerFrame(
          user: user, state: state, steps: Int(runner * 100), goal: 100, distance: 1, nessieDistance: 0,
          runner: runner, nessie: 0, seq: 1)))
  }

  private func message(_ user: String?, _ text: String, _ seq: Int) -> RaceLink.News {
    .chat(.message(Message(id: UUID(), user: user, message: text, date: Date(timeIntervalSince1970: 0), seq: seq)))
  }

  private func after(_ news: [RaceLink.News]) -> RaceStandings {
    var standings = RaceStandings(name: "Ann")
    for item in news { standings.take(item) }
    return standings
  }

  private let plain = ScreenStyle(isUnicode: true, depth: .none)

  @Test("opponents are all other runners, the leader first")
  func opponents() {
    let standings = after([frame("Ann", 0.9), frame("Bob", 0.2), frame("Cy", 0.5), frame("Di", 1, .completed)])
    #expect(standings.opponents.map(\.user) == ["Di", "Cy", "Bob"])
  }

  @Test("a new countdown removes the runners of the previous race")
  func newRace() {
    let counting = RaceLink.News.live(.race(RaceStatus(race: .counting, start: 7, time: 3)))
    #expect(after([frame("Bob", 1, .completed), counting]).opponents.isEmpty)
    #expect(after([frame("Bob", 1, .completed), counting]).start == .seconds(7))
  }

  @Test("a finished race has no start")
  func over() {
    let standings = after([.live(.race(RaceStatus(race: .finished, start: 7, time: 90)))])
    #expect(standings.start == nil && standings.isOver)
  }

  @Test("a lost connection is shown until it is restored")
  func trouble() {
    let cut = RaceLink.News.chat(.interrupted(reason: "cut", retryIn: .seconds(1)))
    #expect(after([cut]).trouble == "cut")
    #expect(after([cut, .chat(.status(ServerStatus(activeUsers: 1)))]).trouble == nil)
  }

  @Test("the end names who was first: the one the room says, otherwise this walker, and nobody before that")
  func result() {
    func end(_ state: AppState, _ news: [RaceLink.News]) -> String? {
      let frame = ChaseFrame(
        time: .zero, state: state, steps: 1, goal: 1, distance: 1, nessieDistance: 0, gap: 1, runner: 1, nessie: 0)
      return after(news).result(of: frame)
    }
    var first = RunnerFrame(
      user: "Bob", state: .completed, steps: 100, goal: 100, distance: 1, nessieDistance: 0, runner: 1, nessie: 0,
      seq: 1)
    first.place = 1
    #expect(end(.completed, [.live(.runner(first))]) == "Bob was first in the room.")
    #expect(end(.completed, [frame("Bob", 0.5)]) == "You were first in the room.")
    #expect(end(.caught, [frame("Bob", 0.5)]) == nil)
    #expect(end(.completed, []) == nil)
  }

  @Test(
    "the walkers of a race are in one row with their shares, the leader first, and this one is marked and never left out"
  )
  func row() throws {
    let room = after([frame("Bob", 0.62), frame("Zoë", 1, .completed), frame("Cy", 0.7, .caught), frame("Ann", 0.1)])
    let own = ChaseFrame(
      time: .zero, state: .inProgress, steps: 1, goal: 1, distance: 1, nessieDistance: 0, gap: 1, runner: 0.555,
      nessie: 0)
    func text(_ width: Int) -> String? {
      room.standingsRow(of: own, width: width, style: plain).map { row in
        var grid = CellGrid(width: width, height: 1)
        row.draw(on: &grid, row: 0)
        return grid.lines[0]
      }
    }
    #expect(text(80) == " 1 Zoë 100 %   2 Bob 62 %   3 you 55 %   4 Cy caught")
    #expect(text(40) == " 1 Zoë 100 %   2 Bob 62 %   3 you 55 %")
    #expect(text(14) == " 3 you 55 %")
    #expect(after([]).standingsRow(of: own, width: 80, style: plain) == nil)
  }

  @Test("messages are shown as text: control characters are removed, wide characters take two columns")
  func messages() {
    let room = after([message("Zoë\u{202E}", "a\u{1B}[31mb 🎉日", 1), message(nil, "3...", 2)])
    let rows = room.messageRows(width: 40, style: plain)
    var grid = CellGrid(width: 40, height: rows.count)
    for (index, row) in rows.enumerated() { row.draw(on: &grid, row: index) }
    let shown = grid.lines
    #expect(shown[0].hasPrefix(" Zoë") && shown[0].hasSuffix("b 🎉日"))
    #expect(shown.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E && $0.value != 0x7F })
    #expect(rows[0].width == ScreenText.columns(shown[0]))
    #expect(shown[1] == " 3...")
  }

  @Test("a wide character that would exceed the edge is omitted")
  func edge() {
    var grid = CellGrid(width: 3, height: 1)
    grid.put("ab日", at: 0, 0)
    #expect(grid.lines == ["ab"])
    var wider = CellGrid(width: 4, height: 1)
    wider.put("ab日", at: 0, 0)
    #expect(wider.lines == ["ab日"])
    #expect(ScreenText.visible("日本語", isUnicode: true, columns: 5) == "日本")
    #expect(ScreenText.visible("日本", isUnicode: false, columns: 5) == "??")
  }
}
