import Recordings
import TestSupport
import Testing

@Suite("live in a terminal", .timeLimit(.minutes(10)))
struct TerminalLiveTests {
  @Test("one line shows announced steps at once; Ctrl-C replaces it by the totals")
  func status() throws {
    let live = try Executable.built("pedometer").start(
      ["live", "synthetic:cadence=120", "--provisional"], inTerminalOf: (60, 24))
    let lines = try live.wait(for: "provisional")
    #expect(lines.count { $0.contains(" steps") } == 1)
    live.type("\u{3}")
    #expect(try live.finish() == .exit(0))
    #expect(live.screen.lines.contains("synthetic:cadence=120: 0 steps"))
    #expect(!live.screen.lines.contains { $0.contains("provisional") })
    #expect(live.screen.oddities == [] && !live.screen.hasAttributes && live.isCooked)
  }

  @Test("the line is no wider than the terminal, and standard output contains only the totals")
  func narrow() throws {
    let directory = try TemporaryDirectory()
    let samples = try WrittenWalk.minute().samples
    let path = try WrittenWalk.write(samples, to: directory, "walk.csv")
    let live = try Executable.built("pedometer").start(
      ["live", "-"], inTerminalOf: (30, 24), input: path)
    #expect(try live.finish() == .exit(0))
    let lines = live.screen.lines.filter { !$0.isEmpty }
    #expect(lines.contains("-: \(WrittenWalk.steps(in: samples)) steps"))
    #expect(!lines.contains { $0.contains("standing") || $0.contains("steps/min   ") })
  }
}
