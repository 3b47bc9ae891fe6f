import TestSupport
import Testing

@testable import PedometerCommands

@Suite("Shorthands and suggestions", .timeLimit(.minutes(30)), .ownThreads)
struct ShorthandTests {
  private static let commands = ["count", "live", "record", "chase", "devices", "convert", "history", "doctor"]

  @Test(
    "a mistyped command and a source without a command get the line that was probably meant",
    arguments: [
      (["coutn", "walk.csv"], "did you mean: pedometer count walk.csv"),
      (["hsitory", "--week"], "did you mean: pedometer history --week"),
      (["walk.csv"], "pedometer count walk.csv"), (["walkers", "list"], "did you mean: pedometerd walkers list"),
      (["my walk.csv", "--steps"], "pedometer count 'my walk.csv' --steps"),
      (["synthetic:cadence=110"], "pedometer count synthetic:cadence=110"),
      (["iio:device0"], "pedometer live iio:device0"),
    ])
  func suggestions(arguments: [String], line: String) throws {
    let suggestion = try #require(Commands.suggestion(for: arguments, among: Self.commands))
    #expect(suggestion.hasSuffix(line))
  }

  @Test(
    "a known command, an option, and a word that is like nothing get no suggestion",
    arguments: [["count", "walk.csv"], ["--version"], ["help", "live"], ["bogus"], []])
  func none(arguments: [String]) { #expect(Commands.suggestion(for: arguments, among: Self.commands) == nil) }

  @Test("--json is --format json, except after --")
  func json() {
    #expect(Commands.expanded(["count", "--json", "a"]) == ["count", "--format", "json", "a"])
    #expect(Commands.expanded(["count", "--", "--json"]) == ["count", "--", "--json"])
  }

  @Test("--json before the command belongs to it, and -V is --version there only")
  func beforeCommand() {
    #expect(Commands.expanded(["--json", "count", "a"]) == ["count", "--format", "json", "a"])
    #expect(Commands.expanded(["-q", "--json", "count"]) == ["count", "--format", "json"])
    #expect(Commands.expanded(["-V"]) == ["--version"] && Commands.expanded(["count", "-V"]) == ["count", "-V"])
  }

  @Test(
    "a negative number is refused with the range of its option, not as a missing value",
    arguments: [
      (["count", "--epochs", "-1", "synthetic:"], "--epochs takes seconds, from 1"),
      (["live", "--goal", "-1", "synthetic:"], "--goal takes steps, from 1"),
      (["chase", "--goal", "-1", "synthetic:"], "--goal takes a number of steps, at least 1"),
      (["simulate", "--seed", "-1"], "a whole number from 0"),
      (["calibrate", "walk.csv", "--distance", "-400"], "--distance takes metres"),
      (["history", "--goal", "-1"], "--goal takes a number of steps, at least 1"),
    ])
  func negative(_ arguments: [String], _ sentence: String) throws {
    let transcript = try Executable.built("pedometer").run(arguments)
    #expect(transcript.ending == .exit(64) && transcript.errors.contains(sentence), "\(transcript.errors)")
  }

  @Test("times before a recording may be negative")
  func beforeTheStart() throws {
    let transcript = try Executable.built("pedometer").run(
      ["count", "--start", "-5", "-", "--json"], input: .text(WrittenWalk.minute().text))
    #expect(transcript.output.contains("\"samples\":3000,"))
  }

  @Test("every message about a command line begins with the program's name")
  func messages() throws {
    let pedometer = try Executable.built("pedometer")
    for arguments in [["live", "--duration", "x"], ["bogus"], ["history", "--nope"], ["count", "--rate", "-5", "a"]] {
      let transcript = try pedometer.run(arguments)
      #expect(transcript.ending == .exit(64) && transcript.errors.hasPrefix("pedometer: "), "\(transcript.errors)")
    }
    let daemon = try Executable.built("pedometerd")
    for arguments in [["walkers", "nope"], ["--nope"]] {
      let transcript = try daemon.run(arguments)
      #expect(transcript.ending == .exit(64) && transcript.errors.hasPrefix("pedometerd: "), "\(transcript.errors)")
    }
    let version = try pedometer.run(["-V"])
    let long = try pedometer.run(["--version"])
    #expect(version.ending == .exit(0) && version.output == long.output)
    let json = try pedometer.run(["--json", "count", "synthetic:duration=20", "-q"])
    #expect(json.output.hasPrefix("{\"source\":"))
  }

  @Test("the executable: a suggestion is a usage error, and --json gives JSON Lines")
  func executable() throws {
    let mistyped = try Executable.built("pedometer").run(["coutn", "walk.csv"])
    #expect(mistyped.ending == .exit(64) && mistyped.output == "")
    #expect(mistyped.errors == "pedometer: 'coutn' is not a command; did you mean: pedometer count walk.csv\n")
    let json = try Executable.built("pedometer").run(["count", "synthetic:duration=20", "--json", "-q"])
    #expect(json.ending == .exit(0) && json.output.hasPrefix("{\"source\":") && json.errors == "")
  }

  @Test("count at a terminal says that it waits for a recording; -q does not")
  func waiting() throws {
    let count = try Executable.built("pedometer").start(["count"], inTerminalOf: (100, 24))
    try count.wait(for: "waiting for a recording on standard input")
    count.type("\u{4}")
    #expect(try count.finish() != .exit(0))
    let quiet = try Executable.built("pedometer").start(["count", "-q"], inTerminalOf: (100, 24))
    quiet.type("\u{4}")
    _ = try quiet.finish()
    #expect(!quiet.screen.lines.contains { $0.contains("waiting") })
  }
}
