import Glibc
import Recordings
import TestSupport
import Testing

/// A pipe that stays open: steps are printed without waiting for later data.
@Suite("A live pipe", .timeLimit(.minutes(30)), .ownThreads)
struct LivePipeTests {
  /// The maximum delay of a step, in seconds of the samples' time.
  private static let longestDelay = 6.0
  /// The maximum error of a step's time, in seconds.
  private static let tolerance = 0.2

  @Test(
    "a step is reported at most six seconds after it was taken, without further input",
    arguments: [
      SyntheticWalk { $0.lead = .seconds(3) },
      SyntheticWalk { walk in
        walk.position = .pocket
        walk.rate = 100
        walk.cadence = 95
        walk.bout = .seconds(12)
      },
    ])
  func stepsInTime(_ settings: SyntheticWalk) throws {
    let walk = try WrittenWalk(settings)
    let steps = WrittenWalk.stepTimes(in: walk.samples)
    let met = walk.strikes.count { strike in steps.contains { abs($0 - strike / .seconds(1)) < Self.tolerance } }
    #expect(Double(met) >= 0.95 * Double(walk.strikes.count), "\(met) of \(walk.strikes.count) true steps")
    let running = try Executable.built("pedometer").start(["count", "--steps", "--format", "csv", "-"])
    try running.send(Array(WrittenWalk.header.utf8))
    var sent = 0
    for now in stride(from: 8.5, to: 60, by: 4.25) {
      let end = walk.samples.firstIndex { $0.timestamp > .seconds(now) } ?? walk.samples.count
      try running.send(Array(walk.rows[sent..<end].joined().utf8))
      sent = end
      let due = steps.filter { $0 < now - Self.longestDelay }
      // Waits only for the expected lines: the header, and the steps that are due.
      let told = try running.outputLines(1 + due.count).dropFirst().compactMap { Double($0) }
      #expect(told.count == due.count && zip(told, due).allSatisfy { abs($0 - $1) < 0.001 }, "at \(now) s")
    }
    try running.send(Array(walk.rows[sent...].joined().utf8))
    let transcript = try running.finish()
    #expect(transcript.ending == .exit(0))
    #expect(transcript.errors == "")
    #expect(transcript.outputLines.count - 1 == steps.count)
  }

  @Test("an epoch is printed while the pipe stays open, once it cannot get more steps")
  func epochsInTime() throws {
    let walk = try WrittenWalk.minute()
    let running = try Executable.built("pedometer").start(["count", "--epochs", "10", "--format", "csv"])
    try running.send(Array((WrittenWalk.header + walk.rows[..<1400].joined()).utf8))
    let lines = try running.outputLines(3)
    #expect(lines.map { $0.prefix { $0 != "," } } == ["t", "0", "10"])
    try running.send(Array(walk.rows[1400...].joined().utf8))
    #expect(try running.finish().outputLines.count == 7)
  }

  @Test(
    "a named pipe without data ends at a signal, with empty totals", arguments: [SIGINT, SIGTERM])
  func silentPipe(_ number: Int32) throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.path + "/silent"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let running = try Executable.built("pedometer").start(["live", "--format", "json", "file:" + pipe])
    // Waits until the program reads.
    let writer = unsafe open(pipe, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    running.interrupt(by: number)
    let transcript = try running.finishWithOpenInput()
    #expect(transcript.ending == .exit(0))
    #expect(try LiveLines(transcript).total?.samples == 0)
  }
}
