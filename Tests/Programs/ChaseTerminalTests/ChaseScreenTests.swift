import ChaseEngine
import ChaseScenery
import Pedometry
import TestSupport
import Testing

@testable import ChaseTerminal
@testable import PedometerCommands
@testable import Terminals

/// The terminal game's panel around the scene, as text.
@Suite("ChaseScreen", .timeLimit(.minutes(30)))
struct ChaseScreenTests {
  private let plain = ScreenStyle(isUnicode: false, depth: .none)
  private let unicode = ScreenStyle(isUnicode: true, depth: .none)
  private let walker = SteadyWalker(cadence: 90, stepLength: 0.6)
  private let model: AppModel
  private let root: RootViewController
  private let diary: ChaseDiary

  init() throws {
    model = AppModel(pedometer: walker)
    root = RootViewController(model: model)
    diary = ChaseDiary(of: model)
    try model.dataModel.setGoal(300)
  }

  private func walk(seconds: Int) throws {
    try model.start()
    walker.walk(for: .seconds(seconds))
    model.advance(to: model.now + .seconds(seconds))
  }

  private func lines(_ width: Int, _ height: Int, _ style: ScreenStyle? = nil) -> [String] {
    ChaseScreen(of: root, source: "synthetic:cadence=90", diary: diary)
      .grid(width: width, height: height, style: style ?? plain).lines
  }

  @Test("80×24 before the start: Nessie asleep, the track, the figures, the button shows Start")
  func ready() {
    let picture = lines(80, 24)
    #expect(picture[0] == " synthetic:cadence=90                                                     ready")
    #expect(picture[1..<19].contains { $0.contains("z Z z") })
    #expect(
      Array(picture[19...]) == [
        "zzS....... o ...............|................|...............|.................#",
        " Steps    0 of 300 (0 %)   Gap      20.0 m, 16 s     Cadence  0 steps/min",
        " Time     0:00             Caught   -                Pace     -",
        " Distance 0.0 m            Nessie   asleep",
        " [Start]   space start   g goal   r restart   q quit",
      ])
  }

  @Test("80×24 in a chase: all figures, and the latest alerts with their times, the newest first")
  func inProgress() throws {
    // 52 s at 90 steps/min of 0.6 m: 46.8 m, with the head start 66.8 m; Nessie is at 65 m and closes 0.35 m/s
    try walk(seconds: 52)
    #expect(
      Array(lines(80, 24, unicode)[16...]) == [
        "························≈≈§ o>···············┆···············┆·················█",
        " Steps    78 of 300, 26 %  Gap      1.8 m, 1 s       Cadence  90 steps/min",
        " Time     0:52             Caught   in 0:05          Pace     18:31 min/km",
        " Distance 46.8 m           Nessie   1.25 m/s",
        " 0:50    A quarter of the way done.",
        " 0:41    Nessie is right behind you.",
        " 0:13    Nessie is halfway to you.",
        " [Pause]   space pause   d dismiss   g goal   r restart   q quit",
      ])
  }

  @Test("many steps of a high goal stay apart from the next figure", arguments: [(80, 24), (52, 20)])
  func wideFigures(_ width: Int, _ height: Int) throws {
    try model.dataModel.setGoal(30_000)
    try walk(seconds: 52)
    #expect(lines(width, height).contains { $0.contains("78 of 30000      Gap ") })
  }

  @Test("two blanks or more are between all figures, in every state", arguments: [52, 60, 80, 103, 104, 120, 160])
  func gutters(_ width: Int) throws {
    let labels = ["Gap", "Cadence", "Time", "Caught", "Pace", "Distance", "Nessie"]
    for (goal, seconds) in [(300, 0), (300, 4), (300, 40), (300, 52), (300, 100), (30_000, 54), (60, 54)] {
      model.restart()
      try model.dataModel.setGoal(goal)
      if seconds > 0 { try walk(seconds: seconds) }
      for row in lines(width, 24) where [" Steps ", " Time ", " Distance ", " Caught "].contains(where: row.hasPrefix) {
        for label in labels where !row.hasPrefix(" \(label)") && row.contains(" \(label) ") {
          #expect(row.contains("  \(label) "), "\(row)")
        }
        #expect(row.count <= width)
      }
    }
  }

  @Test("a small terminal keeps scene, steps, gap, the latest alert and the button; a tiny one the figures")
  func small() throws {
    try walk(seconds: 52)
    #expect(
      Array(lines(30, 8)[4...]) == [
        " Steps    78 of 300 (26 %)", " Gap      1.8 m, 1 s", " A quarter of the way done.",
        " [Pause]   space pause",
      ])
    #expect(lines(30, 8)[..<4].contains { $0.contains("#") })
    #expect(lines(24, 3) == [" Steps    78 of 300", " A quarter of the way", " [Pause]   space pause"])
    #expect(lines(10, 1) == [" [Pause]"])
  }

  @Test("a large window has the main figures in large digits and the others below", arguments: [(160, 48), (250, 70)])
  func large(_ width: Int, _ height: Int) throws {
    try walk(seconds: 52)
    let picture = lines(width, height, unicode)
    let labels = try #require(picture.firstIndex { $0.hasPrefix(" Steps ") })
    #expect(["Gap", "Cadence", "Time"].allSatisfy { picture[labels].contains($0) })
    let digits = BigDigits.height
    var expected = CellGrid(width: width, height: digits)
    BigDigits.draw("78", on: &expected, at: 1, 0, .plain, isUnicode: true)
    for row in 0..<digits {
      #expect(picture[labels + 1 + row].hasPrefix(expected.lines[row]))
    }
    let words = picture[labels + 1 + digits]
    #expect(words.hasPrefix(" of 300 (26 %) ") && words.contains("m, 1 s") && words.hasSuffix("caught in 0:05"))
    #expect(picture.contains { $0.contains("Pace     18:31 min/km") && $0.contains("Nessie   1.25 m/s") })
    // The figures are there once.
    #expect(!picture.contains { $0.contains("Cadence  90") })
  }

  @Test("good news is green and bad news red; nothing has a colour without colours")
  func colours() throws {
    try walk(seconds: 52)
    let grid = ChaseScreen(of: root, source: "-", diary: diary).grid(width: 80, height: 24, style: .init())
    #expect(grid[9, 20].glyph == "A" && grid[9, 20].style.ink == CellStyle.good.ink)
    #expect(grid[9, 21].glyph == "N" && grid[9, 21].style.ink == CellStyle.bad.ink)
  }

  @Test("caught: the screen says that Nessie won, and where")
  func caught() throws {
    try walk(seconds: 100)
    let picture = lines(80, 24)
    #expect(model.appState == .caught)
    #expect(picture[0].hasSuffix(" caught"))
    #expect(picture[1..<14].contains { $0.contains("  Nessie caught you") })
    #expect(picture.contains(" Nessie won: she caught you after 0:57, 215 steps before your goal."))
    #expect(picture.contains { $0.contains("Nessie   well fed") })
    #expect(lines(30, 8).contains(" Nessie won after 0:57."))
    #expect(!picture.contains { $0.contains("asleep") })
    #expect(picture.last == " Again? [Try Again]   space try again   d dismiss   g goal   q quit")
  }

  @Test("won: the screen says so with time and gap, and never shows more than the goal of it")
  func won() throws {
    try model.dataModel.setGoal(80)
    try walk(seconds: 54)
    #expect(model.appState == .completed)
    for (width, height) in [(30, 8), (80, 24), (100, 32), (160, 48), (250, 70)] {
      let picture = lines(width, height).joined(separator: "\n")
      #expect(picture.contains("You made it!") && picture.contains("You won: 8") && picture.contains("steps in 0:5"))
      #expect(!picture.contains(" %)") && picture.contains("[Start Over]"))
    }
    #expect(lines(80, 24).contains { $0.contains("Steps    81 at goal") || $0.contains("Steps    80 at goal") })
    #expect(ChaseLines.result(ChaseFrame(of: model)).hasSuffix("Your goal was 80.\n"))
  }

  @Test("ten rows of the picture stay at the end", arguments: [(80, 24), (100, 30), (160, 48), (250, 70)])
  func scenicEnd(_ width: Int, _ height: Int) throws {
    try walk(seconds: 100)
    let picture = lines(width, height)
    let track = try #require(picture.firstIndex { $0.contains("~~O") })
    // The scene is between the header and the track.
    #expect(track - 1 >= 10, "\(picture.joined(separator: "\n"))")
    #expect(picture.contains { $0.contains("Nessie won: she caught you") })
  }

  @Test("the latest alert is on top; a dismissed one makes room for the one before")
  func latestOnTop() throws {
    try walk(seconds: 52)
    let screen = { (picture: [String]) in picture.filter { $0.hasPrefix(" 0:") } }
    #expect(
      screen(lines(80, 24)).map { String($0.dropFirst(9)) } == [
        "A quarter of the way done.", "Nessie is right behind you.", "Nessie is halfway to you.",
      ])
    model.alertCenter.clear(alert: .milestone25Percent)
    #expect(
      screen(lines(80, 24)).map { String($0.dropFirst(9)) } == [
        "Nessie is right behind you.", "Nessie is halfway to you.",
      ])
  }

  @Test("the question for a goal shows the typed text, and a suggestion before that")
  func asking() throws {
    model.restart()
    root.stepController.startStopPause()
    #expect(root.stepController.isAskingForGoal)
    #expect(lines(40, 24).last == " Goal in steps: 1000?_   enter set")
    let typed = ChaseScreen(of: root, source: "-", typedGoal: "25").grid(width: 40, height: 24, style: plain).lines
    #expect(typed.last == " Goal in steps: 25_   enter set")
    let refused = ChaseScreen(of: root, source: "-", suggestedGoal: 500, complaint: "at least 1 step")
      .grid(width: 80, height: 24, style: plain).lines
    #expect(refused.last == " Goal in steps: 500?_   at least 1 step   enter set   esc cancel")
  }

  @Test("details of an alert are wrapped below it; untrusted text cannot move the cursor")
  func detail() throws {
    try model.start()
    let evil = "no such device \u{1B}[2J\u{9B}1m\u{7} 漢字 e\u{301} größer"
    model.handleEvents(error: PedometerError.sensorLost(reason: evil))
    let narrow = ChaseScreen(of: root, source: "file:\u{1B}c\n.csv").grid(width: 30, height: 24, style: unicode).lines
    #expect(narrow[0] == " file:?c?.csv          paused")
    let text = narrow.joined(separator: "|")
    #expect(text.contains("The step sensor cannot be| read.") || text.contains("The step sensor cannot"))
    let wide = ChaseScreen(of: root, source: "-").grid(width: 100, height: 32, style: unicode).lines
    #expect(wide.contains { $0.contains("no such device ?[2J?1m? 漢字 e größer") })
    let ascii = ChaseScreen(of: root, source: "-").grid(width: 100, height: 32, style: plain).lines
    #expect(ascii.contains { $0.contains("?? e gr??er") })
    #expect(ascii.joined().utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test("no terminal is too small or too large, in every state")
  func anySize() throws {
    for seconds in [0, 52, 60] {
      if seconds > 0 { try walk(seconds: seconds) }
      let screen = ChaseScreen(of: root, source: "synthetic:cadence=90", diary: diary)
      for width in [-1, 0, 1, 2, 7, 19, 29, 30, 61, 90, 300] {
        for height in [-1, 0, 1, 2, 3, 5, 6, 9, 14, 30, 90] {
          let grid = screen.grid(width: width, height: height, style: plain)
          #expect(grid.cells.count == max(0, width) * max(0, height))
        }
      }
    }
  }
}

@Suite("ChaseTrack", .timeLimit(.minutes(30)))
struct ChaseTrackTests {
  private static let ascii = ScreenStyle(isUnicode: false, depth: .none)

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
    var grid = CellGrid(width: 7, height: 1)
    ChaseTrack(frame: frame(runner: 0, nessie: 0)).draw(on: &grid, rows: 0..<1, Self.ascii)
    #expect(grid.lines == ["......#"])
  }

  @Test("with colours the track is of pixels: Nessie, walkers and the goal as in the scene, on the way of each")
  func pixels() throws {
    var grid = CellGrid(width: 80, height: 2)
    let track = ChaseTrack(frame: frame(runner: 0.5, nessie: 0.5), opponents: [1])
    track.draw(on: &grid, rows: 0..<2, ScreenStyle())
    func columns(_ material: Material) -> [Int] {
      let colour = Material.colours[Int(material.rawValue)]
      return (0..<80).filter { column in
        (0..<2).contains { grid[column, $0].style.ink == colour || grid[column, $0].style.paper == colour }
      }
    }
    let places = try #require(track.places(width: 80))
    #expect(columns(.nessie) == Array(places.nessie - 1...places.nessie + 2))
    #expect(columns(.shirt) == Array(places.runner...places.runner + 2))
    #expect(columns(.shirt1) == Array(places.end...places.end + 2) && columns(.flag).last == 79)
    #expect(grid[0, 1].style.paper == Material.colours[Int(Material.water0.rawValue)])
    #expect(grid[places.runner - 2, 1].style.paper == Material.colours[Int(Material.grass.rawValue)])
    #expect(grid[places.runner + 9, 1].style.paper == Material.colours[Int(Material.sand.rawValue)])
    var tiny = CellGrid(width: 7, height: 2)
    track.draw(on: &tiny, rows: 0..<2, ScreenStyle())
    #expect(Set(tiny.cells).count == 1)
  }

  @Test("the others of a room are on the same track")
  func opponents() {
    var grid = CellGrid(width: 80, height: 1)
    ChaseTrack(frame: frame(runner: 0.5, nessie: 0.5), opponents: [0, 1]).draw(on: &grid, rows: 0..<1, Self.ascii)
    let columns = Array(grid.lines[0]).indices.filter { Array(grid.lines[0])[$0] == "o" }
    #expect(columns == [11, 44, 77])
  }
}
