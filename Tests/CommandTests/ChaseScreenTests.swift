import ChaseEngine
import Pedometry
import TestSupport
import Testing

@testable import PedometerCommands

/// The terminal game's picture, looked at as text.
@Suite("ChaseScreen", .timeLimit(.minutes(10)))
struct ChaseScreenTests {
  private let plain = ChaseScreen.Style(isUnicode: false, hasColour: false)
  private let unicode = ChaseScreen.Style(isUnicode: true, hasColour: false)
  private let walker = SteadyWalker(cadence: 90, stepLength: 0.6)
  private let model: AppModel
  private let root: RootViewController

  init() throws {
    model = AppModel(pedometer: walker)
    root = RootViewController(model: model)
    try model.dataModel.setGoal(300)
  }

  private func walk(seconds: Int) throws {
    try model.start()
    walker.walk(for: .seconds(seconds))
    model.advance(to: model.now + .seconds(seconds))
  }

  private func lines(_ width: Int, _ height: Int, _ style: ChaseScreen.Style? = nil) -> [String] {
    ChaseScreen(of: root, source: "synthetic:cadence=90").lines(width: width, height: height, style: style ?? plain)
  }

  @Test("80×24 before the start: Nessie asleep, the runner a head start away, the button shows Start")
  func ready() {
    #expect(
      lines(80, 24) == [
        " synthetic:cadence=90                                                     ready",
        "",
        "zzS....... o ...............|................|...............|.................#",
        "",
        " Steps      0 of 300 (0 %)              Gap        20.0 m",
        " Distance   0.0 m                       Caught in  -",
        " Cadence    0 steps/min                 Nessie     1.25 m/s, asleep",
        " Time       0:00",
        "",
        " [Start]   space start   g goal   r restart   q quit",
      ])
  }

  @Test("80×24 in a chase: all figures, the latest alert's card, and the edge of the previous one")
  func inProgress() throws {
    // 52 s at 90 steps/min of 0.6 m: 46.8 m, with the head start 66.8 m; Nessie is at 65 m and closes 0.35 m/s
    try walk(seconds: 52)
    #expect(
      lines(80, 24, unicode) == [
        " synthetic:cadence=90                                               in progress",
        "",
        "························≈≈§ o>···············┆···············┆·················█",
        "",
        " Steps      78 of 300 (26 %)            Gap        1.8 m",
        " Distance   46.8 m                      Caught in  0:05",
        " Cadence    90 steps/min                Nessie     1.25 m/s, hunting",
        " Time       0:52",
        "",
        " ┌────────────────────────────────────────────────────────────────────┐",
        " │ A quarter of the way done.                                         │",
        " └────────────────────────────────────────────────────────────────────┘",
        "  └─ 2 more ───────────────────────────────────────────────────────────┘",
        " [Pause]   space pause   d dismiss   g goal   r restart   q quit",
      ])
  }

  @Test("a narrow terminal has one column of figures; a low one drops the less important parts")
  func small() throws {
    try walk(seconds: 52)
    #expect(
      lines(40, 14) == [
        " synthetic:cadence=90       in progress",
        "..........~~S o>......|.......|........#",
        " Steps      78 of 300 (26 %)",
        " Distance   46.8 m",
        " Cadence    90 steps/min",
        " Time       0:52",
        " Gap        1.8 m",
        " Caught in  0:05",
        " Nessie     1.25 m/s, hunting",
        " +------------------------------------+",
        " | A quarter of the way done.         |",
        " +------------------------------------+",
        "  +- 2 more ---------------------------+",
        " [Pause]   space pause   d dismiss",
      ])
    #expect(
      lines(40, 8) == [
        "..........~~S o>......|.......|........#",
        " Steps      78 of 300 (26 %)",
        " Distance   46.8 m",
        " Cadence    90 steps/min",
        " Gap        1.8 m",
        " Caught in  0:05",
        " | A quarter of the way done.         |",
        " [Pause]   space pause   d dismiss",
      ])
    #expect(
      lines(24, 4) == [
        "....~~S o>...|...|.....#",
        " | A quarter of the   |",
        " | way done.          |",
        " [Pause]   space pause",
      ])
    #expect(lines(10, 2) == ["~~S o>||.#", " [Pause]"])
    // Half of a percentage says nothing.
    #expect(lines(24, 6)[1] == " Steps      78 of 300")
  }

  @Test("colours are the terminal's: bad news red, good news green, and no others in a card")
  func colours() throws {
    try walk(seconds: 52)
    let picture = lines(40, 14, ChaseScreen.Style())
    #expect(picture[1].hasPrefix("\u{1B}[2m··········\u{1B}[0m\u{1B}[31m≈≈§\u{1B}[0m\u{1B}[32m o>\u{1B}[0m"))
    #expect(picture[10] == "\u{1B}[32m │ A quarter of the way done.         │\u{1B}[0m")
    // Nessie's two warnings came before.
    #expect(picture[12].hasPrefix("\u{1B}[31m  └") && picture[12].contains("2 more"))
    #expect(picture[3] == " Distance   46.8 m")
    model.alertCenter.clear(alert: .milestone25Percent)
    #expect(lines(40, 14, ChaseScreen.Style())[10].hasPrefix("\u{1B}[31m │ Nessie is right behind you."))
    #expect(lines(40, 14).joined().contains("\u{1B}") == false)
  }

  @Test("caught: Nessie is where the runner was, and the button offers another try")
  func caught() throws {
    try walk(seconds: 100)
    let picture = lines(80, 24)
    #expect(model.appState == .caught)
    #expect(picture[0].hasSuffix(" caught"))
    #expect(picture[2] == "............................~~O..............|...............|.................#")
    #expect(picture.last == " [Try Again]   space try again   d dismiss   g goal   r restart   q quit")
    #expect(picture[4] == " Steps      85 of 300 (28 %)            Gap        0.0 m")
  }

  @Test("the latest alert is on top, so the result is visible; earlier ones are below")
  func latestOnTop() throws {
    try model.dataModel.setGoal(80)
    try walk(seconds: 60)
    #expect(model.alertCenter.alerts.contains(.nessie50Percent) && model.alertCenter.topAlert != .goalComplete)
    #expect(lines(40, 24).contains(" | Goal complete.                     |"))
    model.restart()
    try model.dataModel.setGoal(300)
    try walk(seconds: 100)
    #expect(model.alertCenter.topAlert != .caughtByNessie)
    #expect(lines(40, 24).contains(" | Nessie caught you.                 |"))
  }

  @Test("won: the runner is at the goal")
  func won() throws {
    try model.dataModel.setGoal(80)
    try walk(seconds: 60)
    model.alertCenter.clearAlerts()
    #expect(model.appState == .completed)
    let picture = lines(40, 24)
    #expect(picture[0].hasSuffix("you made it"))
    #expect(picture[2].hasSuffix("\\o/#"))
    #expect(picture.last == " [Start Over]   space start over")
  }

  @Test("the question for a goal shows the typed text, and a suggestion before that")
  func asking() throws {
    model.restart()
    root.stepController.startStopPause()
    #expect(root.stepController.isAskingForGoal)
    #expect(lines(40, 24).last == " Goal in steps: 1000?_   enter set")
    let typed = ChaseScreen(of: root, source: "-", typedGoal: "25").lines(width: 40, height: 24, style: plain)
    #expect(typed.last == " Goal in steps: 25_   enter set")
    #expect(typed.contains(" Steps      0"))
    let refused = ChaseScreen(of: root, source: "-", suggestedGoal: 500, complaint: "at least 1 step")
      .lines(width: 80, height: 24, style: plain)
    #expect(refused.last == " Goal in steps: 500?_   at least 1 step   enter set   esc cancel")
  }

  @Test("details of an alert are wrapped below it; untrusted text cannot move the cursor")
  func detail() throws {
    try model.start()
    let evil = "no such device \u{1B}[2J\u{9B}1m\u{7} 漢字 e\u{301} größer"
    model.handleEvents(error: PedometerError.sensorLost(reason: evil))
    let narrow = ChaseScreen(of: root, source: "file:\u{1B}c\n.csv").lines(width: 30, height: 24, style: unicode)
    #expect(narrow[0] == " file:?c?.csv          paused")
    #expect(narrow.contains(" │ The step sensor cannot   │"))
    #expect(narrow.contains(" │ no such device ?[2J?1m?  │"))
    #expect(narrow.contains(" │ ?? ? größer              │"))
    let ascii = ChaseScreen(of: root, source: "-").lines(width: 30, height: 24, style: plain)
    #expect(ascii.contains(" | ?? ? gr??er              |"))
    #expect(ascii.joined().utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test("no terminal is too small: never more lines or columns than it has")
  func anySize() throws {
    try walk(seconds: 52)
    let screen = ChaseScreen(of: root, source: "synthetic:cadence=90")
    for width in -1...90 {
      for height in [-1, 0, 1, 2, 3, 5, 9, 14, 30] {
        let picture = screen.lines(width: width, height: height, style: plain)
        #expect(picture.count <= max(0, height))
        #expect(picture.allSatisfy { $0.count <= max(0, width) }, "\(width)×\(height)")
        #expect(picture.isEmpty == (width <= 0 || height <= 0))
      }
    }
  }
}

@Suite("ChaseTrack", .timeLimit(.minutes(10)))
struct ChaseTrackTests {
  private func frame(runner: Double, nessie: Double, state: AppState = .inProgress) -> ChaseFrame {
    ChaseFrame(
      time: .zero, state: state, steps: 0, goal: 100, distance: 0, nessieDistance: 0, gap: 0, runner: runner,
      nessie: nessie)
  }

  @Test("Nessie approaches a runner at the start, and never covers one who is not caught")
  func standing() throws {
    let places = try [0, 0.25, 0.5, 0.9, 0.999].map {
      try #require(ChaseTrack(frame: frame(runner: 0, nessie: $0)).places(width: 80))
    }
    #expect(places.map(\.nessie) == [0, 2, 5, 7, 7])
    #expect(places.allSatisfy { $0.runner == 10 })
  }

  @Test("the runner moves from the head start to the goal; invalid fractions stay on the track")
  func ends() throws {
    let start = try #require(ChaseTrack(frame: frame(runner: -4, nessie: -1)).places(width: 80))
    #expect(start.runner == start.lead)
    #expect(start.nessie == 0)
    let goal = try #require(ChaseTrack(frame: frame(runner: 7, nessie: 7)).places(width: 80))
    #expect(goal.runner == goal.end)
    #expect(goal.nessie == goal.end - 3)
  }

  @Test("a caught runner is where Nessie is")
  func caught() throws {
    let places = try #require(ChaseTrack(frame: frame(runner: 0.5, nessie: 1, state: .caught)).places(width: 80))
    #expect(places.nessie == places.runner)
  }

  @Test("without room for both pictures there is only the track")
  func tiny() {
    let line = ChaseTrack(frame: frame(runner: 0, nessie: 0)).line(width: 7, isUnicode: false)
    #expect(line.rendered(width: 7, hasColour: false) == "......#")
  }
}
