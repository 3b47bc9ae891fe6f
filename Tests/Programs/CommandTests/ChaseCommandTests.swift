import Glibc
import Recordings
import TestSupport
import Testing

/// The chase as lines, through the executable.
@Suite("pedometer chase", .timeLimit(.minutes(30)), .ownThreads)
struct ChaseCommandTests {
  private func chase(_ arguments: String..., input: Executable.Input = .nothing) throws -> Transcript {
    try Executable.built("pedometer").run(["chase"] + arguments, input: input)
  }

  /// The alerts, in their order.
  private func alerts(_ transcript: Transcript) -> [String] { values(of: "alert", in: transcript) }

  private func values(of key: String, in transcript: Transcript) -> [String] {
    transcript.outputLines.compactMap { line in
      guard line.hasPrefix("{\"type\":\"\(key)\"") else { return nil }
      return line.split(separator: "\"\(key)\":\"").last?.split(separator: "\"").first.map(String.init)
    }
  }

  private static let milestones = ["milestone25Percent", "milestone50Percent", "milestone75Percent", "goalComplete"]
  private static let warnings = ["nessie50Percent", "nessie90Percent", "caughtByNessie"]

  @Test("a brisk walker: the milestones once each and in order, then completed, exit 0")
  func brisk() throws {
    let transcript = try chase("synthetic:cadence=115", "--goal", "300", "--speed", "200", "--format", "json")
    #expect(transcript.ending == .exit(0))
    #expect(transcript.errors == "")
    #expect(alerts(transcript).filter { $0.hasPrefix("m") || $0.hasPrefix("g") } == Self.milestones)
    #expect(transcript.outputLines.first == "{\"type\":\"state\",\"t\":0,\"state\":\"inProgress\"}")
    let last = transcript.outputLines.suffix(2)
    #expect(last.first?.contains("\"steps\":300,\"goal\":300,\"distance\":") == true)
    #expect(last.first?.contains("\"runner\":1,\"nessie\":0.") == true)
    #expect(last.last?.hasSuffix(",\"state\":\"completed\"}") == true)
  }

  @Test("a slow walker: Nessie's three warnings, then caught, exit 1")
  func slow() throws {
    let transcript = try chase("synthetic:cadence=80", "--goal", "300", "--speed", "1000", "--format", "json")
    #expect(transcript.ending == .exit(1))
    #expect(alerts(transcript).filter { $0.hasPrefix("n") || $0.hasPrefix("c") } == Self.warnings)
    #expect(values(of: "state", in: transcript) == ["inProgress", "caught"])
    #expect(transcript.outputLines.dropLast().last?.hasSuffix("\"nessie\":1}") == true)
  }

  @Test("a standing walker is caught after the head start: 20 m at 1.25 m/s are 16 s")
  func standing() throws {
    let transcript = try chase("synthetic:activity=standing", "--goal", "5", "--speed", "1000", "--format", "json")
    #expect(transcript.ending == .exit(1))
    #expect(transcript.outputLines.last == "{\"type\":\"state\",\"t\":16,\"state\":\"caught\"}")
  }

  @Test("a recording gives the same bytes at every speed, on every run, in a file and in a pipe")
  func deterministic() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/walk.csv.gz"
    let made = try Executable.built("pedometer").run(
      ["simulate", "--cadence", "150", "--duration", "20", "--jitter", "0.3", "--seed", "4", "-o", file])
    #expect(made.ending == .exit(0))
    let fast = try chase(file, "--goal", "30", "--speed", "50", "--format", "json")
    #expect(fast.ending == .exit(0))
    #expect(fast.outputLines.count > 25)
    for speed in ["50", "10", "33.3", "100000"] {
      let other = try chase("file:" + file, "--goal", "30", "--speed", speed, "--format", "json")
      #expect(other.output == fast.output, "at speed \(speed)")
    }
    let piped = try chase("-", "--goal", "30", "--format", "json", input: .file(file))
    #expect(piped.output == fast.output)
    #expect(piped.ending == .exit(0))
  }

  @Test("after the end of a recording the walker stands, and Nessie arrives")
  func recordingEnds() throws {
    let text = try WrittenWalk.minute().text
    let transcript = try chase("-", "--goal", "1000", "--format", "json", input: .text(text))
    #expect(transcript.ending == .exit(1))
    #expect(Array(alerts(transcript).suffix(3)) == ["recordingEnded"] + Self.warnings.dropFirst())
    #expect(transcript.outputLines.contains { $0.contains("\"t\":59.98,\"alert\":\"recordingEnded\"") })
  }

  @Test("the founding Nessie catches everybody")
  func pursuers() throws {
    let even = ["synthetic:cadence=115", "--goal", "10000", "--speed", "10000", "--format", "json"]
    let founding = try Executable.built("pedometer").run(["chase"] + even + ["--founding"])
    #expect(founding.ending == .exit(1))
    #expect(founding.outputLines.last == "{\"type\":\"state\",\"t\":2,\"state\":\"caught\"}")
  }

  @Test("rules are options: a slower Nessie, a longer head start, a walker's own steps")
  func rules() throws {
    let slow = ["synthetic:cadence=80", "--goal", "50", "--speed", "10000"]
    let saved = try Executable.built("pedometer").run(["chase"] + slow + ["--nessie-speed", "0.5"])
    #expect(saved.ending == .exit(0))
    let ahead = try Executable.built("pedometer").run(["chase"] + slow + ["--head-start", "500"])
    #expect(ahead.ending == .exit(0))
    #expect(ahead.outputLines[0] == "0:00  Go! 50 steps to walk, Nessie 500 m behind.")
    let long = try chase("synthetic:cadence=115", "--goal", "100", "--speed", "10000", "--step-length", "1")
    #expect(long.outputLines.last?.contains("100 of 100 steps, 100 m in ") == true)
  }

  @Test("a signal ends the chase with its figures and its state, and 0", arguments: [SIGINT, SIGTERM])
  func signals(_ number: Int32) throws {
    let running = try Executable.built("pedometer").start(
      ["chase", "synthetic:cadence=115", "--goal", "100000", "--format", "json"])
    #expect(try running.outputLines(1).first?.contains("inProgress") == true)
    running.send(signal: number)
    let transcript = try running.finish()
    #expect(transcript.ending == .exit(0))
    #expect(transcript.errors == "")
    #expect(transcript.outputLines.last?.hasSuffix("\"state\":\"inProgress\"}") == true)
    #expect(transcript.outputLines.dropLast().last?.hasPrefix("{\"type\":\"chase\"") == true)
  }

  @Test("a pipe that stays open: events follow the samples, and its end is the recording's")
  func livePipe() throws {
    let walk = try WrittenWalk.minute()
    let running = try Executable.built("pedometer").start(["chase", "-", "--goal", "60", "--format", "json"])
    try running.send(Array((WrittenWalk.header + walk.rows[..<500].joined()).utf8))
    // Ten seconds have arrived, and Nessie has made at least her first eight strokes, with nothing more to read.
    #expect(try running.outputLines(9).count == 9)
    try running.send(Array(walk.rows[500...].joined().utf8))
    let transcript = try running.finish()
    #expect(transcript.ending == .exit(0))
    #expect(alerts(transcript).filter { $0.hasPrefix("m") || $0.hasPrefix("g") } == Self.milestones)
  }

  @Test("a reader that closes the pipe ends the chase quietly")
  func closedPipe() throws {
    let transcript = try Executable.built("pedometer").run(
      ["chase", "synthetic:cadence=115", "--goal", "100000", "--speed", "200", "--format", "json"],
      output: .closedAfter(bytes: 100))
    #expect(transcript.ending == .exit(0))
    #expect(transcript.errors == "")
  }

  @Test("a truncated recording pauses the chase and ends it with the reason")
  func broken() throws {
    let directory = try TemporaryDirectory()
    // A directory in place of the file: reading fails at the first byte.
    let folder = try chase(directory.path, "--goal", "10")
    #expect(folder.ending == .exit(66))
    #expect(folder.output == "")
    #expect(folder.errorLines.count == 1 && folder.errors.contains("is a directory"))
  }

  @Test(
    "invalid usage is reported in a sentence, with nothing on standard output",
    arguments: [
      (["no-such.csv", "--goal", "5"], 66, "no-such.csv"),
      (["synthetic:cadence=115"], 64, "--goal 1000"),
      (["synthetic:cadence=115", "--goal", "0"], 64, "at least 1"),
      (["synthetic:hat=1", "--goal", "5"], 64, "hat"),
      (["synthetic:", "--goal", "5", "--speed", "0"], 64, "above 0"),
      (["synthetic:", "--goal", "5", "--speed", "inf"], 64, "above 0"),
      (["synthetic:", "--goal", "5", "--wait"], 64, "leave out --wait"),
      (["iio:device0", "--goal", "5", "--speed", "2"], 64, "leave out --speed"),
      (["synthetic:", "--goal", "5", "--nessie-speed", "0"], 64, "above 0"),
      (["synthetic:", "--goal", "5", "--head-start", "-1"], 64, "0 m or more"),
      (["synthetic:", "--goal", "5", "--founding", "--head-start", "3"], 64, "leave out"),
      (["synthetic:", "--goal", "5", "--format", "csv"], 64, "text"),
      (["iio:device4711", "--goal", "5"], 69, "device4711"),
      (["evdev:/dev/null", "--goal", "5"], 69, "/dev/null"),
      (["counter:device4711", "--goal", "5"], 69, "device4711"),
    ] as [([String], Int32, String)])
  func refused(_ arguments: [String], _ code: Int32, _ hint: String) throws {
    let transcript = try Executable.built("pedometer").run(["chase"] + arguments)
    #expect(transcript.ending == .exit(code))
    #expect(transcript.output == "")
    #expect(transcript.errors.contains(hint), "\(transcript.errors)")
  }

  @Test("a file without a recording is 65, and one that this user may not read 77")
  func unreadable() throws {
    let directory = try TemporaryDirectory()
    let path = try WrittenWalk.write(WrittenWalk.minute().samples, to: directory, "closed.csv")
    unsafe chmod(path, 0)
    let closed = try Executable.built("pedometer").boundByPermissions.run(["chase", path, "--goal", "5"])
    #expect(closed.ending == .exit(77))
    let empty = try chase("-", "--goal", "5", input: .text(""))
    #expect(empty.ending == .exit(65))
    #expect(empty.output == "" && empty.errors.contains("empty"))
  }

  @Test("the help has examples, keys and exit codes")
  func help() throws {
    let transcript = try chase("--help")
    #expect(transcript.ending == .exit(0))
    for text in ["EXAMPLES", "pedometer chase --goal 1000", "KEYS", "caught", "synthetic:cadence=115"] {
      #expect(transcript.output.contains(text), "\(text)")
    }
    #expect(transcript.outputLines.allSatisfy { $0.count <= 80 })
    // Options that all commands share are in the help of count.
    #expect(transcript.output.contains("READING RECORDINGS:\n  see 'pedometer help count'\n\nWALKER:"))
    #expect(!transcript.output.contains("--columns") && transcript.output.hasSuffix("\n"))
  }
}
