import Accelerometry
import Glibc
import Recordings
import TestSupport
import Testing

/// An invalid recording, and the expected result.
struct BadInput: Sendable, CustomTestStringConvertible {
  /// The expected count.
  enum Counted: Sendable {
    /// Nothing: there is no line for it on standard output.
    case nothing
    /// What had been printed before the reader closed the output: as much as it happened to read.
    case whatCame
    /// Every sample of the walk.
    case everything
    /// This many samples, with these steps.
    case samples(Int, steps: Int)
    /// The samples before the damage, at least this many.
    case beginning(atLeast: Int)
  }

  /// How it is passed to the program.
  struct Attempt {
    var arguments = ["walk.csv"]
    var input = Executable.Input.nothing
    var output = Executable.Output.kept
    var isBoundByPermissions = false
    /// The beginning of messages.
    var source = "walk.csv"
  }

  var name: String
  var exitCode: Int32 = 0
  /// The expected messages, without the source.
  var says: [String] = []
  var counted = Counted.everything
  /// Creates the file and returns how to pass it.
  var make: @Sendable (TemporaryDirectory) throws -> Attempt

  var testDescription: String { name }

  /// A file with this content.
  static func file(_ text: @escaping @Sendable () throws -> String) -> @Sendable (TemporaryDirectory) throws -> Attempt
  {
    { directory in
      try directory.write(Array(try text().utf8), to: "walk.csv")
      return Attempt()
    }
  }

  /// The walk with an insertion before its row 1500, which is line 1502.
  static func inserting(_ text: String) -> @Sendable (TemporaryDirectory) throws -> Attempt {
    file { try WrittenWalk.minute().text(text, before: 1500) }
  }

  /// The walk with other timestamps.
  static func retimed(_ time: @escaping @Sendable (Int, Int64) -> Int64)
    -> @Sendable (TemporaryDirectory) throws ->
    Attempt
  {
    { directory in
      let samples = try retimed(time) as [AccelerationSample]
      try WrittenWalk.write(samples, to: directory, "walk.csv")
      return Attempt()
    }
  }

  static func retimed(_ time: (Int, Int64) -> Int64) throws -> [AccelerationSample] {
    try WrittenWalk.minute().samples.enumerated().map { index, sample in
      AccelerationSample(nanoseconds: time(index, sample.nanoseconds), acceleration: sample.acceleration)
    }
  }
}

@Suite("Bad input, through the real executable", .timeLimit(.minutes(30)), .ownThreads)
struct BadInputTests {
  @Test("is reported in one sentence, and the valid part is counted", arguments: BadInput.all)
  func badInput(_ bad: BadInput) throws {
    let directory = try TemporaryDirectory()
    let attempt = try bad.make(directory)
    var pedometer = try Executable.built("pedometer").inFolder(directory.path)
    if attempt.isBoundByPermissions { pedometer = pedometer.boundByPermissions }
    let transcript = try pedometer.run(
      ["count", "--format", "csv"] + attempt.arguments, input: attempt.input, output: attempt.output)

    #expect(transcript.ending == .exit(bad.exitCode), "\(transcript.errors)")
    if bad.says.isEmpty { #expect(transcript.errors == "") }
    for line in transcript.errorLines {
      #expect(line.hasPrefix("pedometer: \(attempt.source): "), "\(line)")
      #expect(line.count < 300 && !line.hasSuffix("."), "\(line)")
    }
    for words in bad.says { #expect(transcript.errors.contains(words), "\(transcript.errors)") }
    try expectCounted(bad.counted, transcript)
  }

  private func expectCounted(_ counted: BadInput.Counted, _ transcript: Transcript) throws {
    let walk = try WrittenWalk.minute()
    let rows = transcript.outputLines.dropFirst()
    if case .whatCame = counted { return }
    if case .nothing = counted {
      #expect(rows.isEmpty)
      return
    }
    let cells = try #require(rows.first).split(separator: ",", omittingEmptySubsequences: false)
    let (steps, samples) = (Int(cells[1]), try #require(Int(cells[4])))
    switch counted {
    case .nothing, .whatCame: break
    case .everything:
      #expect(samples == walk.samples.count)
      #expect(steps == WrittenWalk.steps(in: walk.samples))
    case .samples(let count, let expected):
      #expect(samples == count)
      #expect(steps == expected)
    case .beginning(let least):
      #expect(samples >= least && samples < walk.samples.count)
      #expect(steps == WrittenWalk.steps(in: walk.samples.prefix(samples)))
    }
  }

  @Test("a lost half of a walk would show in its number of steps")
  func theWalkItself() throws {
    let walk = try WrittenWalk.minute()
    #expect(abs(WrittenWalk.steps(in: walk.samples) - walk.strikes.count) <= 2)
    #expect(walk.strikes.count > 100)
  }

  @Test("a line without an end does not fill the memory, and what follows it is counted")
  func endlessLine() throws {
    let walk = try WrittenWalk.minute()
    let piece = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
    func peak(megabytes: Int) throws -> (bytes: Int, transcript: Transcript) {
      let running = try Executable.built("pedometer").start(["count", "--steps", "-"])
      for _ in 0..<megabytes { try running.send(piece) }
      try running.send(Array(("\n" + walk.text).utf8))
      // When a step is printed, the program has processed everything sent before.
      #expect(try running.outputLines(20).count == 20)
      let bytes = try #require(try running.peakResidentBytes())
      return (bytes, try running.finish())
    }
    let small = try peak(megabytes: 0)
    let large = try peak(megabytes: 12)
    #expect(large.transcript.ending == .exit(0))
    #expect(large.transcript.output == small.transcript.output)
    #expect(large.transcript.errors.contains("more than 64 KiB without a line break in line 1"))
    #expect(large.bytes - small.bytes < 4 << 20, "\(large.bytes), \(small.bytes) without the line")
  }

  @Test("of several sources the valid ones are counted and the most severe exit code wins", arguments: [1, 2])
  func severalSources(jobs: Int) throws {
    let directory = try TemporaryDirectory()
    let walk = try WrittenWalk.minute()
    try directory.write(Array(walk.text.utf8), to: "good.csv")
    try directory.write([], to: "empty.csv")
    try directory.write(Array(walk.text("dropped\n", before: 9).utf8), to: "damaged.csv")
    let transcript = try Executable.built("pedometer").inFolder(directory.path).run([
      "count", "--format", "json", "--jobs", "\(jobs)", "empty.csv", "good.csv", "missing.csv", "damaged.csv",
    ])
    #expect(transcript.exitCode == 66)
    let steps = "\"steps\":\(WrittenWalk.steps(in: walk.samples)),"
    #expect(transcript.outputLines.count == 2)
    #expect(transcript.outputLines.first?.hasPrefix("{\"source\":\"good.csv\",\(steps)") == true)
    #expect(transcript.outputLines.last?.hasPrefix("{\"source\":\"damaged.csv\",\(steps)") == true)
    #expect(transcript.outputLines.last?.contains("text instead of numbers in line 11") == true)
    #expect(transcript.errorLines.count == 2)
    #expect(transcript.errorLines.first?.hasPrefix("pedometer: empty.csv: ") == true)
    #expect(transcript.errorLines.last?.hasPrefix("pedometer: missing.csv: ") == true)
  }
}
