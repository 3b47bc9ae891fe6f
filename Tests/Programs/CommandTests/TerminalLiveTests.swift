import Glibc
import Recordings
import TestSupport
import Testing

/// `pedometer live` in a pseudo-terminal.
@Suite("live in a terminal", .timeLimit(.minutes(30)), .ownThreads)
struct TerminalLiveTests {
  private func start(
    _ size: (Int, Int), _ arguments: [String] = [], source: String = "synthetic:cadence=120",
    environment: [String: String] = [:], input: String? = nil
  ) throws -> PseudoTerminal {
    try Executable.built("pedometer").start(
      ["live", source] + arguments, inTerminalOf: size, environment: environment, input: input)
  }

  /// The number of braille patterns.
  private static func dots(_ lines: [String]) -> Int {
    lines.joined().unicodeScalars.count { (0x2800...0x28FF).contains($0.value) }
  }

  /// Ctrl-C ends it with the totals in the place of the figures.
  private func expectClean(_ live: PseudoTerminal) throws {
    live.type("\u{3}")
    #expect(try live.finish() == .exit(0))
    let lines = live.screen.lines.filter { !$0.isEmpty }
    #expect(lines.contains { $0.hasPrefix("synthetic:cadence=120: ") && $0.contains(" step") })
    #expect(!lines.contains { $0.contains("standing  ") || $0.contains("provisional") || $0.contains("█") })
    #expect(Self.dots(lines) == 0)
    #expect(live.screen.unexpectedOutput == [] && live.isCooked && !live.screen.isAlternate && live.screen.hasCursor)
  }

  @Test(
    "at each size the panel fits, with the signal moving before the first step, and minutes in a tall window",
    arguments: [(40, 8), (80, 24), (100, 32), (160, 48), (250, 70)])
  func sizes(_ width: Int, _ height: Int) throws {
    let live = try start((width, height))
    let lines = try live.wait { screen in
      screen.lines.contains { $0.contains("steps/min") } && Self.dots(screen.lines) > 5
    }
    // Without room for both, the rate is left out.
    let header = lines.firstIndex {
      $0.hasPrefix(" synthetic:cadence=120") && $0.contains("Hz") == (width > 40)
    }
    let first = try #require(header)
    #expect(lines[first].count <= width - 1)
    // A zero in large digits, below its label.
    let place = first + (height > 12 ? 2 : 1)
    #expect(lines[place].hasPrefix(" Steps "))
    if width < 200 {
      let digit = lines[place + 1...place + 3].map { String(($0 + "     ").prefix(5)) }
      #expect(digit == [" █▀█ ", " █ █ ", " ▀▀▀ "])
    }
    #expect(lines.contains { $0.hasPrefix(" Steps a minute") } == (height > 15))
    // All rows but that of a message above.
    #expect(first <= 1 && lines.lastIndex { !$0.isEmpty } == first + height - 2)
    // It is the only header.
    #expect(lines.count { $0.contains("synthetic:cadence=120") } == 1)
    try expectClean(live)
  }

  @Test("in a narrow window the first line ends between words")
  func narrow() throws {
    let live = try start((30, 5))
    let lines = try live.wait(for: "50 Hz")
    #expect(lines.contains("pedometer: counting with") && lines.contains("synthetic:cadence=120 at 50 Hz"))
    live.type("\u{3}")
    #expect(try live.finish() == .exit(0))
  }

  @Test("announced steps are shown at once, and typed keys are not")
  func provisional() throws {
    let live = try start((80, 24), ["--provisional"])
    try live.wait(for: "steps/min")
    live.type("xyz\r")
    let lines = try live.wait(for: "provisional")
    #expect(!lines.joined().contains("xyz") && lines.count { $0.contains(" Cadence ") } == 1)
    try expectClean(live)
  }

  @Test("a small window gets one line that is no wider than it", arguments: [(30, 8), (60, 5)])
  func small(_ width: Int, _ height: Int) throws {
    let live = try start((width, height))
    let lines = try live.wait { $0.lines.contains { $0.contains("0 steps") && $0.contains("standing") } }
    #expect(lines.count { $0.contains("0 steps") } == 1)
    #expect(!live.screen.hasAttributes)
    try expectClean(live)
  }

  @Test("the panel follows the window")
  func resizing() throws {
    let live = try start((100, 24))
    try live.wait(for: " synthetic:cadence=120  50 Hz")
    live.resize(width: 60, height: 24)
    try live.wait { $0.lines.contains { $0.contains("=120  50 Hz") && $0.count <= 59 && $0.count > 50 } }
    live.resize(width: 36, height: 24)
    try live.wait { $0.lines.contains { $0.contains("0 steps   0 m") } }
    live.resize(width: 90, height: 24)
    try live.wait { $0.lines.contains { $0.contains("=120  50 Hz") && $0.count > 80 } }
    #expect(live.screen.lines.count { $0.contains("=120  50 Hz") } == 1)
    try expectClean(live)
  }

  @Test("NO_COLOR and a locale without UTF-8: no attributes, only ASCII")
  func plain() throws {
    let live = try start((80, 24), environment: ["NO_COLOR": "1", "LC_ALL": "C"])
    let lines = try live.wait { $0.lines.contains { $0.hasPrefix(" |_|") && $0.count > 20 } }
    #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 } && !live.screen.hasAttributes)
    try expectClean(live)
  }

  @Test("news stays above the panel, each line once", arguments: [(80, 24), (80, 7), (30, 24)])
  func news(_ width: Int, _ height: Int) throws {
    let directory = try TemporaryDirectory()
    let samples = try WrittenWalk.minute().samples
    // Five seconds are missing in the middle.
    let middle = samples[samples.count / 2].timestamp
    let rest = samples.filter { !(middle..<middle + .seconds(5)).contains($0.timestamp) }
    let path = try WrittenWalk.write(rest, to: directory, "walk.csv")
    let live = try start((width, height), source: "-", input: path)
    #expect(try live.finish() == .exit(0))
    let text = live.screen.lines.joined()
    #expect(text.contains("steps") && live.screen.unexpectedOutput == [] && live.isCooked)
    // A panel that fills the window moves all but the latest into the terminal's history.
    let latest = width > 40 ? "pedometer: the source ended" : "pedometer: no samples for"
    if height > 7 { #expect(live.screen.lines.joined(separator: " ").count(of: latest) == 1) }
    #expect(!live.screen.lines.contains { $0.contains("standing  ") || $0.contains("█") })
  }
}

extension String {
  fileprivate func count(of text: String) -> Int { components(of: text) - 1 }
  private func components(of text: String) -> Int { split(separator: text, omittingEmptySubsequences: false).count }
}
