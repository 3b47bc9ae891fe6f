import Accelerometry
import Glibc
import LinuxSensors
import LiveSources
import Recordings
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import PedometerCommands

@Suite("record", .timeLimit(.minutes(30)), .ownThreads)
struct RecordCommandTests {
  @Test(
    "the recorded samples are bit-identical, and give the same count",
    arguments: ["walk.csv", "walk.csv.gz", "walk.jsonl"])
  func roundTrip(_ name: String) throws {
    let walk = try WrittenWalk.minute()
    let directory = try TemporaryDirectory()
    let path = directory.path + "/" + name
    let executable = try Executable.built("pedometer")
    let transcript = try executable.run(["record", "-", "-o", path], input: .text(walk.text))
    #expect(transcript.ending == .exit(0) && transcript.output == "")
    #expect(transcript.errorLines.last == "pedometer: 3000 samples recorded")
    let reader = try RecordingReader(path: path)
    var samples: [AccelerationSample] = []
    var some: [AccelerationSample] = []
    while try reader.read(into: &some) { samples += some }
    #expect(samples == walk.samples)
    let live = try LiveLines(executable.run(["live", "-", "--format", "json"], input: .text(walk.text)))
    let count = try executable.run(["count", path])
    #expect(live.total?.steps.map { count.output.contains(": \($0) steps") } == true)
  }

  @Test("comments before the samples describe the recording, and count skips them")
  func metadata() throws {
    let transcript = try Executable.built("pedometer").run(["record", "synthetic:duration=0.2", "-o", "-"])
    let lines = transcript.outputLines
    #expect(lines.contains("# source: synthetic:duration=0.2") && lines.contains("# sampling frequency [Hz]: 50"))
    #expect(lines.contains("# mount matrix applied: 1.0, 0.0, 0.0; 0.0, 1.0, 0.0; 0.0, 0.0, 1.0"))
    #expect(lines.contains("t [s],x [g],y [g],z [g]") && lines.contains("# clock: recording"))
    #expect(lines.count { !$0.hasPrefix("#") } == 11)
  }

  @Test("SIGINT leaves a complete file and no others")
  func interrupted() throws {
    let walk = try WrittenWalk.minute()
    let directory = try TemporaryDirectory()
    let watch = try FolderWatch(directory.path)
    let running = try Executable.built("pedometer").start(["record", "-", "-o", directory.path + "/walk.csv"])
    try running.send(Array((WrittenWalk.header + walk.rows[..<1500].joined()).utf8))
    // the file grows under another name
    try watch.waitForBytes()
    #expect(!directory.contents.contains("walk.csv"))
    running.interrupt(by: SIGINT)
    let transcript = try running.finishWithOpenInput()
    #expect(transcript.ending == .exit(0))
    #expect(directory.contents == ["walk.csv"])
    let rows = try TemporaryDirectory.text(of: directory.path + "/walk.csv").split(separator: "\n")
    #expect(rows.last { !$0.hasPrefix("#") }?.split(separator: ",").count == 4)
  }

  @Test("--duration ends at the sample of that time")
  func duration() throws {
    let transcript = try Executable.built("pedometer").run(
      ["record", "-", "-o", "-", "--duration", "2"], input: .text(WrittenWalk.minute().text))
    #expect(transcript.outputLines.count { !$0.hasPrefix("#") } == 102)
  }

  @Test("record says what it records and how many samples, unless -q was given")
  func remarks() throws {
    let executable = try Executable.built("pedometer")
    let sample = "t,x,y,z\n0,0,0,1\n"
    let said = try executable.run(["record", "-", "-o", "-"], input: .text(sample))
    #expect(said.errors == "pedometer: recording -\npedometer: 1 sample recorded\n")
    let quiet = try executable.run(["record", "-", "-o", "-", "-q"], input: .text(sample))
    #expect(quiet.ending == .exit(0) && quiet.errors == "" && quiet.output == said.output)
    #expect(try executable.run(["count", "-"], input: .text(sample)).output.contains("recorded  0 s, 1 sample\n"))
  }

  @Test("unreadable parts of a recording are reported by record and live")
  func doubts() throws {
    let directory = try TemporaryDirectory()
    let text = try WrittenWalk.minute().text("garbage\n", before: 500)
    let executable = try Executable.built("pedometer")
    let recorded = try executable.run(["record", "-", "-o", directory.path + "/x.csv"], input: .text(text))
    #expect(recorded.ending == .exit(0))
    #expect(recorded.errorLines.contains { $0.hasPrefix("pedometer: 1 row was skipped") })
    #expect(recorded.errorLines.last == "pedometer: 3000 samples recorded")
    let live = try executable.run(["live", "-", "--format", "json"], input: .text(text))
    #expect(live.outputLines.contains { $0.contains(#""event":"warning""#) && $0.contains("1 row was skipped") })
    #expect(live.outputLines.last?.contains(#""warnings":["1 row was skipped"#) == true)
  }

  @Test("a source that fails before its first sample leaves no file")
  func nothing() throws {
    let directory = try TemporaryDirectory()
    let transcript = try Executable.built("pedometer").run(
      ["record", "-", "-o", directory.path + "/x.csv"], input: .text("no recording\n"))
    #expect(transcript.ending == .exit(65) && directory.contents.isEmpty)
  }

  @Test("a board's samples are recorded over a loss, and counting the file gives its steps")
  func board() async throws {
    let directory = try TemporaryDirectory()
    let openings = Mutex(0)
    var kind = SerialBoard()
    kind.openChannel = { _, _ in
      let opening = openings.withLock { count in
        count += 1
        return count
      }
      let third = PrintedWalk().chunks.count / 3 + 1
      let chunks = PrintedWalk().chunks.dropFirst((opening - 1) * third).prefix(third)
      let shift = Int64(opening) * 10 * PrintedWalk.second
      return try ScriptedBoard(
        chunks.map { .init($0.time + shift, $0.bytes) }, start: (chunks.first?.time ?? 0) + shift)
    }
    let terminal = try SerialTerminal()
    var sources = Sources()
    sources.kinds = [kind]
    sources.boards = { [] }
    // The board comes back three times; then nobody waits for it any more.
    sources.sleep = { _ in if openings.withLock({ $0 }) >= 3 { throw CancellationError() } }
    let uri = SourceURI.serial(SerialAddress(path: terminal.path))
    let status = await RecordRun(
      uri: uri, sources: sources, destination: .file(path: directory.path + "/walk.csv"), format: .csv,
      limit: LiveDuration(duration: nil), stop: LiveTask.Stop()
    ).run()
    #expect(status == nil && directory.contents == ["walk.csv"])
    let text = try TemporaryDirectory.text(of: directory.path + "/walk.csv")
    #expect(text.contains("# source: serial:\(terminal.path)"))
    #expect(!text.contains("mount matrix"))
    // The board prints four decimals, and so does the recording.
    let rows = text.split(separator: "\n").drop { $0.hasPrefix("#") }.dropFirst()
    #expect(rows.allSatisfy { $0.split(separator: ",").dropFirst().allSatisfy { $0.utf8.count <= 7 } })
    // The first row of each part may be the end of one.
    #expect(text.split(separator: "\n").count { !$0.hasPrefix("#") } >= PrintedWalk.walk.count - 3)
    let count = try Executable.built("pedometer").run(["count", "--format", "json", directory.path + "/walk.csv"])
    let steps = count.output.firstMatch(of: /"steps":(\d+)/).flatMap { Int($0.1) }
    #expect(steps.map { (100...109).contains($0) } == true, "\(count)")
  }
}
