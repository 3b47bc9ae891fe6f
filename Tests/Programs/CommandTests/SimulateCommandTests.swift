import ArgumentParser
import Glibc
import TestSupport
import Testing

@testable import PedometerCommands

@Suite(.timeLimit(.minutes(30)), .ownThreads) struct SimulateCommandTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) throws {
    try SimulateCommand.parse(arguments).run()
  }

  private func text(_ name: String) throws -> String { try TemporaryDirectory.text(of: directory.path + "/" + name) }

  @Test("a walk and its true steps are written, as many steps as requested")
  func writesWalkAndTruth() throws {
    try run(
      "--steps", "20", "--rate", "25", "--lead", "1", "-o", directory.path + "/walk.csv", "--truth",
      directory.path + "/steps")
    #expect(directory.contents == ["steps", "walk.csv"])
    let lines = try text("walk.csv").split(separator: "\n")
    #expect(lines[0] == "t,x,y,z")
    #expect(lines[2].hasPrefix("0.04,"))
    let steps = try text("steps").split(separator: "\n").compactMap { Double($0) }
    #expect(steps.count == 20)
    #expect(steps.first.map { $0 > 1 } == true)
  }

  @Test(
    "if stopped, it leaves no files, and existing ones unchanged", arguments: [SIGINT, SIGTERM])
  func interrupted(_ signal: Int32) throws {
    let path = directory.path + "/walk.csv"
    let former = try ["walk.csv", "steps"].map { try directory.write(Array("former".utf8), to: $0) }
    let watch = try FolderWatch(directory.path)
    let running = try Executable.built("pedometer").start(
      ["simulate", "--duration", "8640000", "-o", path, "--truth", directory.path + "/steps"])
    try watch.waitForBytes()
    running.send(signal: signal)
    let transcript = try running.finish()
    #expect(transcript.ending == .signal(signal))
    #expect(transcript.errors == "pedometer: interrupted; '\(path)' was not written\n")
    #expect(directory.contents == ["steps", "walk.csv"])
    for path in former { #expect(try TemporaryDirectory.text(of: path) == "former") }
  }

  @Test("JSON Lines with metadata begin with the parameters of the walk")
  func jsonWithMetadata() throws {
    try run(
      "--duration", "2", "--format", "json", "--metadata", "--seed", "9", "-o", directory.path + "/walk.jsonl")
    let lines = try text("walk.jsonl").split(separator: "\n")
    #expect(lines.count == 101)
    #expect(lines[0].hasPrefix("{\"metadata\":{") && lines[0].contains("\"seed\":\"9\""))
    #expect(lines[1].hasPrefix("{\"t\":0,\"x\":"))
  }

  @Test("the name of the file chooses the format, unless --format does")
  func namedFormat() throws {
    for name in ["walk.jsonl", "walk.ndjson"] {
      try run("--duration", "1", "-o", directory.path + "/" + name)
      #expect(try text(name).hasPrefix("{\"t\":0,"))
    }
    try run("--duration", "1", "--format", "csv", "-o", directory.path + "/walk.jsonl")
    #expect(try text("walk.jsonl").hasPrefix("t,x,y,z\n"))
  }

  @Test("without gravity the header names the units, which the magnitude cannot show")
  func gravityRemoved() throws {
    try run("--duration", "1", "--gravity-removed", "-o", directory.path + "/walk.csv")
    #expect(try text("walk.csv").hasPrefix("t [s],x [g],y [g],z [g]\n"))
  }

  @Test("a program walks and rests as specified")
  func program() throws {
    let command = try SimulateCommand.parse(["--program", "typing:10,walking:20:100,running:20"])
    let steps = try command.walk().steps
    #expect(abs(steps.count { $0 < .seconds(30) } - 33) <= 2)
    #expect(steps.allSatisfy { $0 > .seconds(10) })
  }

  @Test(
    "invalid values are a usage error with a remedy",
    arguments: [
      (["--cadence", "fast"], "steps per minute"), (["--position", "hat"], "lower-back, foot"),
      (["--steps", "0"], "whole"),
      (["--program", "walking"], "activity:seconds"), (["--program", "walking:10:x"], "activity:seconds"),
      (["--program", "walking:10", "--duration", "5"], "leave out"),
      (["--program", "typing:9,walking:10:100", "--cadence", "90"], "leave out --cadence"),
      (["--arm-swing", "90"], "--arm-swing 90 is invalid for a synthetic walk; --arm-swing is degrees"),
      (["--activity", "swimming"], "one of walking, running, standing, typing, brushing-teeth, driving"),
      (["--activity", "typing", "--steps", "3"], "steps"),
      (["-o", "a", "--truth", "a"], "same file"), (["--format", "xml"], "csv"), (["--program", ""], "activity"),
    ])
  func usageErrors(arguments: [String], hint: String) {
    let error = #expect(throws: (any Error).self) { try SimulateCommand.parse(arguments) }
    guard let error else { return }
    #expect(SimulateCommand.exitCode(for: error) == .validationFailure)
    #expect(SimulateCommand.exitCode(for: error).rawValue == 64)
    #expect(SimulateCommand.fullMessage(for: error).contains(hint))
  }

  @Test("a file that cannot be created is exit code 73, a full device 74")
  func outputErrors() {
    let cannot = #expect(throws: ExitCode.self) { try run("--duration", "1", "-o", directory.path + "/no/walk.csv") }
    #expect(cannot?.rawValue == 73)
    let full = #expect(throws: ExitCode.self) { try run("--duration", "1", "-o", "/dev/full") }
    #expect(full?.rawValue == 74)
  }

  @Test("names of several words may be written with hyphens; the old ones stay")
  func kebab() throws {
    let old = try Executable.built("pedometer").run(["simulate", "--activity", "brushingTeeth", "--duration", "3"])
    let new = try Executable.built("pedometer").run(["simulate", "--activity", "brushing-teeth", "--duration", "3"])
    let program = try Executable.built("pedometer").run(["simulate", "--program", "brushing-teeth:3"])
    #expect(old.ending == .exit(0) && new.output == old.output && program.ending == .exit(0))
    let source = try Executable.built("pedometer").run(["count", "synthetic:activity=brushing-teeth,duration=20"])
    #expect(source.ending == .exit(0))
  }
}
