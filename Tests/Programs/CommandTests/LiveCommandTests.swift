import Glibc
import Recordings
import TestSupport
import Testing

/// `pedometer live` without devices: pipes, files and synthetic walks.
@Suite("live", .timeLimit(.minutes(30)), .ownThreads)
struct LiveCommandTests {
  private static func live(_ arguments: [String], _ walk: WrittenWalk) throws -> Transcript {
    try Executable.built("pedometer").run(["live", "-"] + arguments, input: .text(walk.text))
  }

  @Test("a pipe gives the steps of count, each on its line, and the total last")
  func pipe() throws {
    let walk = try WrittenWalk.minute()
    let transcript = try Self.live(["--format", "json"], walk)
    let lines = try LiveLines(transcript)
    let times = WrittenWalk.stepTimes(in: walk.samples)
    #expect(transcript.ending == .exit(0) && transcript.errors == "")
    #expect(lines.confirmed.map(\.steps) == (1...times.count).map { $0 })
    #expect(zip(lines.confirmed, times).allSatisfy { abs($0.t - $1) < 0.001 })
    #expect(lines.total?.steps == times.count && lines.total?.samples == 3000)
    #expect(lines.events == ["started", "stopped"] && lines.all.first?.event == "started")
  }

  @Test("provisional steps are confirmed or retracted with the time of their announcement; the total is the same")
  func provisional() throws {
    let walk = try WrittenWalk(SyntheticWalk { $0.bout = .seconds(12) })
    let (plain, lines) = (
      try LiveLines(Self.live(["--format", "json"], walk)),
      try LiveLines(Self.live(["--format", "json", "--provisional"], walk))
    )
    #expect(lines.total?.steps == plain.total?.steps)
    #expect(lines.confirmed.map(\.t) == plain.confirmed.map(\.t))
    let announced = lines.provisional.filter { $0.retracted == nil }.map(\.t)
    let settled = lines.confirmed.compactMap(\.announced) + lines.provisional.filter { $0.retracted == true }.map(\.t)
    #expect(announced.count > 40 && announced.sorted() == settled.sorted())
  }

  @Test("--duration ends at the sample of that time")
  func duration() throws {
    let lines = try LiveLines(Self.live(["--format", "json", "--duration", "10"], .minute()))
    #expect(lines.total?.samples == 501 && lines.total?.t == 10)
    #expect(lines.all.last { $0.event == "stopped" }?.message == "the time is up")
  }

  @Test("--interval gives totals at its times, also without changes")
  func interval() throws {
    let standing = try WrittenWalk(SyntheticWalk { $0.activity = .standing })
    let lines = try LiveLines(Self.live(["--format", "json", "--interval", "20"], standing))
    #expect(lines.data.map(\.steps) == [0, 0, 0])
    #expect(zip(lines.data.dropFirst(), [20, 40.0]).allSatisfy { (0..<3).contains($0.t - $1) })
    #expect(try LiveLines(Self.live(["--format", "json"], standing)).data.count == 1)
  }

  @Test("a walker who stops and continues is paused and resumed, and lost samples are a gap")
  func events() throws {
    let walk = try WrittenWalk(
      SyntheticWalk {
        $0.bout = .seconds(15)
        $0.pause = .seconds(20)
      })
    let lines = try LiveLines(Self.live(["--format", "json"], walk))
    #expect(lines.events == ["started", "paused", "resumed", "paused", "stopped"])
    let rows = WrittenWalk.header + (walk.rows[..<1000] + walk.rows[1200...]).joined()
    let torn = try Executable.built("pedometer").run(["live", "-", "--format", "json"], input: .text(rows))
    #expect(try LiveLines(torn).events.contains("gap"))
  }

  @Test("SIGINT and SIGTERM end it with its totals and 0", arguments: [SIGINT, SIGTERM])
  func signals(_ number: Int32) throws {
    let walk = try WrittenWalk.minute()
    let running = try Executable.built("pedometer").start(["live", "-", "--format", "json"])
    try running.send(Array((WrittenWalk.header + walk.rows[..<1000].joined()).utf8))
    _ = try running.outputLines(20)
    running.interrupt(by: number)
    let transcript = try running.finishWithOpenInput()
    let lines = try LiveLines(transcript)
    #expect(transcript.ending == .exit(0))
    #expect(lines.total?.steps == lines.confirmed.count && lines.confirmed.count > 15)
    #expect(lines.all.last { $0.event == "stopped" }?.message == "interrupted")
  }

  @Test("a synthetic walk is played in real time and printed as text, CSV and JSON")
  func formats() throws {
    let executable = try Executable.built("pedometer")
    let text = try executable.run(["live", "synthetic:duration=0.5"])
    #expect(text.ending == .exit(0))
    #expect(text.output.contains("synthetic:duration=0.5: 0 steps") && text.output.contains("25 samples"))
    #expect(text.errorLines.first == "pedometer: counting with synthetic:duration=0.5 at 50 Hz")
    let csv = try Self.live(["--format", "csv"], .minute())
    #expect(
      csv.outputLines.first
        == "type,t,steps,distanceTravelled,cadence,pace,confirmed,retracted,event,message,floorsAscended,floorsDescended"
    )
    #expect(csv.outputLines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 12 })
    #expect(csv.outputLines.last?.hasPrefix("total,59.98,") == true)
  }

  @Test("distance follows the options for the walker")
  func walker() throws {
    let lines = try Self.live(["--format", "csv", "--step-length", "0.5"], .minute())
    let total = lines.outputLines.last?.split(separator: ",").compactMap { Double($0) } ?? []
    #expect(total.count > 2 && total[2] == total[1] * 0.5)
  }

  @Test("a reader that closes the pipe is not a failure")
  func closedPipe() throws {
    let transcript = try Executable.built("pedometer").run(
      ["live", "-", "--format", "json"], input: .text(WrittenWalk.minute().text), output: .closedAfter(bytes: 10))
    #expect(transcript.ending == .exit(0) && transcript.errors == "")
  }

  @Test(
    "impossible values are refused with their code and a sentence",
    arguments: [
      (["live", "/nowhere/walk.csv"], 66, "/nowhere/walk.csv"), (["live", "synthetic:cadence=9"], 64, "40 to 240"),
      (["live", "walk.csv", "--wait"], 64, "not a sensor"), (["live", "-", "--interval", "0"], 64, "--interval"),
      (["live", "--duration", "-1"], 64, "duration"), (["live", "iio:device99"], 69, "device99"),
      (["live", "counter:device99"], 69, "cannot find counter:device99"),
      (["live", "foo:bar"], 66, "begin with one of iio:, evdev:"),
      (["live", "evdev:/dev/input/event999"], 69, "event999"), (["live", "--height", "9"], 64, "--height"),
      (["record", "synthetic:"], 64, "--output"), (["record", "counter:device0", "-o", "x.csv"], 64, "steps"),
      (["record", "x.csv", "-o", "x.csv"], 64, "two different names"),
      (["record", "synthetic:", "-o", "/nowhere/x.csv"], 73, "/nowhere/x.csv"),
    ] as [([String], Int32, String)])
  func refused(_ arguments: [String], _ status: Int32, _ word: String) throws {
    let transcript = try Executable.built("pedometer").run(arguments)
    #expect(transcript.ending == .exit(status))
    #expect(transcript.errors.contains(word) && transcript.output == "")
  }

  @Test("a sensor that sends nothing in the time of --duration is 76, and not a walk without steps")
  func silent() throws {
    let transcript = try Executable.built("pedometer").run(["live", "exec:sleep 600", "--duration", "0.1"])
    #expect(transcript.ending == .exit(76) && transcript.output == "")
    #expect(transcript.errors.contains("sent no samples within --duration; check that it is sending"))
  }

  @Test("a program that never stops writing to its standard error delays no end")
  func flood() throws {
    let transcript = try Executable.built("pedometer").run(["live", "exec:sh -c 'yes >&2; true'", "--duration", "0.1"])
    #expect(transcript.ending == .exit(76) && transcript.errorLines.count < 30)
  }

  @Test("a program counts what the recording counts that it prints")
  func program() throws {
    let folder = try TemporaryDirectory()
    let walk = try WrittenWalk.minute()
    let path = try folder.write(Array(walk.text.utf8), to: "walk.csv")
    let transcript = try Executable.built("pedometer").run(["live", "exec:cat '\(path)'", "--format", "json"])
    let lines = try LiveLines(transcript)
    #expect(transcript.ending == .exit(0) && lines.events == ["started", "warning", "stopped"], "\(transcript)")
    #expect(lines.total?.steps == WrittenWalk.stepTimes(in: walk.samples).count && lines.total?.samples == 3000)
  }

  @Test("killed without warning, it leaves nothing of a program behind, also not what that has started")
  func killed() throws {
    let folder = try TemporaryDirectory()
    // All that was started has the pipe open.
    let pipe = folder.path + "/alive"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let reading = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reading) }
    let script = "exec 9>'\(pipe)'; trap '' TERM; (trap '' TERM; sleep 6000) & echo begun >&2; sleep 6000; sleep 6000"
    let path = try folder.write(Array(script.utf8), to: "endless.sh")
    let running = try Executable.built("pedometer").start(["live", "exec:sh '\(path)'"])
    #expect(try running.complains(with: "begun"))
    running.send(signal: SIGKILL)
    var set = pollfd(fd: reading, events: 0, revents: 0)
    #expect(unsafe poll(&set, 1, Hang.milliseconds) == 1 && set.revents & Int16(POLLHUP) != 0)
    #expect(try running.finish().ending == .signal(SIGKILL))
  }

  @Test("a recording without a sample after --start gets a warning")
  func late() throws {
    let transcript = try Self.live(["--start", "400"], .minute())
    #expect(transcript.ending == .exit(0) && transcript.output.contains(": 0 steps"))
    #expect(transcript.errors.contains("there are no samples between the given start and end"))
  }

  @Test("standard input without a recording is 65, and no count is announced")
  func garbage() throws {
    let transcript = try Executable.built("pedometer").run(
      ["live", "-", "--format", "json"], input: .text("this is\nno recording\n"))
    #expect(transcript.ending == .exit(65) && transcript.output == "" && transcript.errorLines.count == 1)
  }
}
