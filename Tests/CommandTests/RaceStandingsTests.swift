import ChaseEngine
import Foundation
import RaceRoom
import TestSupport
import Testing

@testable import PedometerCommands

/// What a walker knows of a room, and how the screen shows it.
@Suite("RaceStandings", .timeLimit(.minutes(10)))
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

  private let plain = ChaseScreen.Style(isUnicode: true, hasColour: false)

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

  @Test("an opponent is at the right place of the track, with the name after the runner, or before at the start")
  func track() {
    let room = ChaseScreen.Room(standings: after([frame("Bob", 0.5), frame("Cy", 0), frame("Di", 1, .caught)]))
    #expect(
      room.opponents(width: 80, style: plain).map { $0.rendered(width: 80, hasColour: false) } == [
        "                                       Bob  o>", "       Cy  o>",
        "                                                                         Di  x",
      ])
  }

  @Test("messages are shown as text: control characters are removed, wide characters take two columns")
  func messages() {
    let room = ChaseScreen.Room(
      standings: after([message("Zoë\u{202E}", "a\u{1B}[31mb 🎉日", 1), message(nil, "3...", 2)]))
    let lines = room.messages(width: 40, style: plain)
    let shown = lines.map { $0.rendered(width: 40, hasColour: false) }
    #expect(shown[0].hasPrefix(" Zoë") && shown[0].hasSuffix("b 🎉日"))
    #expect(shown.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E && $0.value != 0x7F })
    #expect(lines[0].width == ScreenText.columns(shown[0]))
    #expect(shown[1] == " 3...")
  }

  @Test("a wide character that would exceed the edge is omitted")
  func edge() {
    let line = ScreenLine("ab日")
    #expect(line.width == 4)
    #expect(line.rendered(width: 3, hasColour: false) == "ab")
    #expect(line.rendered(width: 4, hasColour: false) == "ab日")
    #expect(ScreenText.visible("日本語", isUnicode: true, columns: 5) == "日本")
    #expect(ScreenText.visible("日本", isUnicode: false, columns: 5) == "??")
  }
}
