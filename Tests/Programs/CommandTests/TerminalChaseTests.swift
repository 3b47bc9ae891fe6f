import Glibc
import Recordings
import TestSupport
import Testing

/// The game, played with keys in a pseudo-terminal.
@Suite("The chase in a terminal", .timeLimit(.minutes(30)), .ownThreads)
struct TerminalChaseTests {
  /// A walker at a brisk pace who does not arrive in this test; fifty times faster.
  private static let endless = ["chase", "synthetic:cadence=115", "--goal", "100000", "--speed", "50"]

  private func start(
    _ arguments: [String] = endless, _ size: (Int, Int) = (80, 24), environment: [String: String] = [:],
    input: String? = nil
  ) throws -> PseudoTerminal {
    try Executable.built("pedometer").start(arguments, inTerminalOf: size, environment: environment, input: input)
  }

  /// The terminal is restored, and received nothing that it does not understand.
  private func expectRestored(_ game: PseudoTerminal) {
    #expect(game.isCooked)
    #expect(!game.screen.isAlternate)
    #expect(game.screen.hasCursor && game.screen.wraps)
    #expect(game.screen.unexpectedOutput == [])
  }

  @Test("start, pause, resume, dismiss an alert, restart, another goal, win, quit")
  func wholeGame() throws {
    let game = try start()
    try game.wait(for: "[Start]")
    #expect(game.screen.isAlternate && !game.screen.hasCursor && !game.isCooked)
    game.type(" ")
    // The alert of the fourteenth second.
    try game.wait(for: "Nessie is halfway to you.")
    #expect(game.screen.lines.contains { $0.contains("in progress") })
    game.type(" ")
    // The last line is drawn last.
    let paused = try game.wait(for: "[Resume]   space resume   d dismiss   g goal   r restart   q quit")
    #expect(paused.contains { $0.hasSuffix(" paused") } && paused.contains { $0.contains("asleep") })

    // Drawn again, it is unchanged: nobody walks or swims.
    let clearings = game.screen.clearings
    game.type("\u{C}")
    try game.wait { $0.clearings > clearings && $0.lines == paused }
    game.type("d")
    try game.wait { screen in !screen.lines.contains { $0.contains("halfway") } }
    game.type("\r")
    try game.wait(for: "[Pause]")

    game.type("r")
    let again = try game.wait(for: "[Start]")
    #expect(again.contains { $0.contains(" 0 of 100000 ") } && again.contains { $0.contains("20.0 m") })
    game.type("g25")
    try game.wait(for: "Goal in steps: 25_")
    game.type("x\u{7F}0\r")
    try game.wait(for: "0 of 20 (0 %)")
    game.type(" ")
    let won = try game.wait(for: "[Start Over]")
    #expect(won.contains { $0.contains("You won: ") && $0.contains(" steps in ") })
    #expect(won.contains { $0.contains("Goal complete.") })
    game.type("d")
    try game.wait { screen in !screen.lines.contains { $0.contains("Goal complete.") } }
    #expect(won.contains { $0.hasPrefix(" Again? [Start Over]") })
    game.type("q")
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
    #expect(game.screen.lines.contains { $0.hasPrefix("You made it: ") && $0.hasSuffix("Your goal was 20.") })
  }

  @Test("a caught walker may try again for the same goal; leaving as caught exits with 1")
  func caught() throws {
    let game = try start(["chase", "synthetic:activity=standing", "--goal", "70", "--speed", "100"])
    try game.wait(for: "[Start]")
    game.type(" ")
    try game.wait(for: "[Try Again]")
    game.type(" ")
    try game.wait(for: "[Start]")
    #expect(game.screen.lines.contains { $0.contains("0 of 70") })
    game.type("\r")
    try game.wait(for: "[Try Again]")
    // Ctrl-C is the same as q.
    game.type("\u{3}")
    #expect(try game.finish() == .exit(1))
    expectRestored(game)
    #expect(game.screen.lines.contains("Caught: 0 of 70 steps, 0 m in 16 s."))
  }

  @Test("without a goal the button asks for one and starts with it; 0 is refused; ESC closes the question")
  func goal() throws {
    let game = try start(["chase", "synthetic:cadence=115", "--speed", "50"])
    try game.wait(for: "[Start]")
    game.type(" ")
    try game.wait(for: "Goal in steps: 1000?_")
    game.type("0\r")
    try game.wait(for: "at least 1 step")
    game.type("\u{1B}")
    try game.wait(for: "[Start]")
    // An arrow key is not ESC.
    game.type(" \u{1B}[A12\r")
    // The last row is written last.
    try game.wait(for: "[Start Over]")
    #expect(game.screen.lines.contains { $0.contains(" at goal") })
    game.type("q")
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
  }

  @Test("the picture follows the window, down to a few lines")
  func resizing() throws {
    let game = try start(Self.endless, (100, 30))
    try game.wait { $0.lines.contains { $0.hasSuffix(" ready") && $0.count == 99 } }
    game.type(" ")
    try game.wait(for: "halfway")
    game.resize(width: 40, height: 12)
    try game.wait { screen in
      screen.lines.contains { $0.hasSuffix("█") && $0.count == 40 } && screen.lines[11].contains("[Pause]")
    }
    game.resize(width: 20, height: 3)
    try game.wait { screen in screen.lines[2].contains("[Pause]") && screen.lines[0].hasPrefix(" Steps") }
    game.resize(width: 80, height: 24)
    try game.wait { screen in
      screen.lines.contains { $0.hasSuffix(" in progress") && $0.count == 79 } && screen.lines[23].contains("[Pause]")
    }
    game.type("q")
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
  }

  @Test("NO_COLOR and a locale without UTF-8: no attributes, only ASCII")
  func plain() throws {
    let game = try start(Self.endless, environment: ["NO_COLOR": "1", "LC_ALL": "C"])
    try game.wait(for: "[Start]")
    game.type(" ")
    let lines = try game.wait(for: "halfway")
    #expect(!game.screen.hasAttributes)
    #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
    game.type("q")
    #expect(try game.finish() == .exit(0))
    let colourful = try start()
    try colourful.wait(for: "[Start]")
    #expect(colourful.screen.hasAttributes)
    // The track is of pixels, too.
    #expect(!colourful.screen.lines.contains { $0.contains("§") })
  }

  @Test(
    "at each size the scene, the figures and the button fit, in the chase and at its end",
    arguments: [(30, 8), (80, 24), (100, 32), (160, 48), (250, 70)])
  func sizes(_ width: Int, _ height: Int) throws {
    // Two chases: on a busy machine a short one may be over in the frame that shows its first quarter.
    let running = try start(Self.endless, (width, height), environment: ["COLORTERM": "truecolor"])
    try running.wait(for: "[Start]")
    running.type(" ")
    let lines = try running.wait { $0.lines.last?.hasPrefix(" [Pause]") == true }
    #expect(lines.contains { $0.contains(" Steps ") } && lines.contains { $0.contains(" Gap ") })
    // Two colours in a cell are the scene; the walker's shirt is part of it.
    let shirt = running.screen.cells.joined().contains {
      $0.pen.ink.hasSuffix(";216;52;60") || $0.pen.paper.hasSuffix(";216;52;60")
    }
    #expect(shirt)
    running.type("q")
    #expect(try running.finish() == .exit(0))

    let arguments = ["chase", "synthetic:cadence=115", "--goal", "60", "--speed", "20"]
    let game = try start(arguments, (width, height), environment: ["COLORTERM": "truecolor"])
    try game.wait(for: "[Start]")
    game.type(" ")
    let end = try game.wait(for: "[Start Over]")
    #expect(end.contains { $0.contains("You made it!") } && end.contains { $0.contains("You won: ") })
    game.type("q")
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
  }

  @Test("a signal ends the game with the terminal restored, and 0", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(_ number: Int32) throws {
    let game = try start()
    try game.wait(for: "[Start]")
    game.type(" ")
    try game.wait(for: "[Pause]")
    kill(game.process, number)
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
    #expect(game.screen.lines.contains { $0.hasPrefix("Left: ") })
  }

  @Test("Ctrl-Z pauses; without a shell that could continue it, the game is there again at once")
  func suspending() throws {
    let game = try start()
    try game.wait(for: "[Start]")
    game.type(" ")
    try game.wait(for: "[Pause]")
    let clearings = game.screen.clearings
    game.type("\u{1A}")
    try game.wait { screen in screen.clearings > clearings && screen.lines.contains { $0.contains("[Resume]") } }
    #expect(game.screen.isAlternate)
    game.type("q")
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
  }

  @Test("with a recording on standard input the keys come from the terminal")
  func standardInput() throws {
    let directory = try TemporaryDirectory()
    let file = try WrittenWalk.write(WrittenWalk.minute().samples, to: directory, "walk.csv")
    let game = try start(["chase", "-", "--goal", "50"], input: file)
    try game.wait(for: "[Start]")
    game.type(" ")
    try game.wait(for: "you made it")
    #expect(game.screen.lines[0].contains("standard input"))
    game.type("q")
    #expect(try game.finish() == .exit(0))
    expectRestored(game)
  }

  @Test("a dumb terminal gets lines")
  func dumb() throws {
    let arguments = ["chase", "synthetic:cadence=115", "--goal", "20", "--speed", "100"]
    let game = try start(arguments, environment: ["TERM": "dumb"])
    #expect(try game.finish() == .exit(0))
    #expect(game.screen.lines[0] == "0:00  Go! 20 steps to walk, Nessie 20 m behind.")
    #expect(game.screen.lines.contains { $0.contains("You made it: ") })
    expectRestored(game)
  }

  @Test("a terminal on standard input is not a recording: 64")
  func nothingToRead() throws {
    let game = try start(["chase", "-", "--goal", "3"])
    #expect(try game.finish() == .exit(64))
    #expect(game.screen.lines[0].contains("standard input is a terminal"))
    expectRestored(game)
  }
}
