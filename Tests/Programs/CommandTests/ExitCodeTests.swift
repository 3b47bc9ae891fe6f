import Accelerometry
import Recordings
import TestSupport
import Testing

/// One recording that cannot be counted as it is, or that looks as if it could not.
private struct Case: Sendable, CustomTestStringConvertible {
  var name: String
  var exitCode: Int32 = 0
  /// Parts of the sentences on standard error.
  var says: [String] = []
  var arguments: [String] = []
  /// Whether the steps have to be those of the walk; otherwise any number, which a sentence doubts.
  var countsAll = true
  var make: @Sendable (_ walk: WrittenWalk) throws -> [UInt8]

  var testDescription: String { name }

  init(
    _ name: String, exitCode: Int32 = 0, says: [String] = [], arguments: [String] = [], countsAll: Bool = true,
    text: @escaping @Sendable (_ walk: WrittenWalk) throws -> String
  ) {
    (self.name, self.exitCode, self.says, self.arguments) = (name, exitCode, says, arguments)
    self.countsAll = countsAll
    make = { Array(try text($0).utf8) }
  }

  init(
    _ name: String, says: [String] = [], countsAll: Bool = true,
    bytes: @escaping @Sendable (_ walk: WrittenWalk) throws -> [UInt8]
  ) {
    (self.name, self.says, self.countsAll, make) = (name, says, countsAll, bytes)
  }
}

/// A table made of the walk's samples: seconds from its start, and the axes in g.
private func table(
  _ header: String, _ walk: WrittenWalk, _ row: (_ index: Int, _ seconds: Double, _ axes: SIMD3<Float>) -> String
) -> String {
  header
    + walk.samples.enumerated().map { index, sample in
      row(index, Double(sample.nanoseconds - walk.samples[0].nanoseconds) / 1e9, sample.acceleration) + "\n"
    }.joined()
}

private func plain(_ axes: SIMD3<Float>) -> String { "\(axes.x),\(axes.y),\(axes.z)" }

private func readings(_ axes: SIMD3<Float>, zero: Float, countsPerG: Float) -> String {
  (0..<3).map { "\(Int((zero + axes[$0] * countsPerG).rounded()))" }.joined(separator: ",")
}

/// Activity counts of an epoch.
private func counts(_ epoch: Int) -> String {
  epoch % 3 == 0 ? "0,0,0" : "\(epoch * 7919 % 4001),\(epoch * 104_729 % 3001),\(epoch * 1301 % 2003)"
}

private let refused: [Case] = [
  Case("a unit of less than 1/65536 g", exitCode: 65, says: ["matches no known unit", "--units raw=COUNTS"]) {
    table("t,x,y,z\n", $0) { "\($1),\(plain($2 * 3e6))" }
  },
  Case("one sample a second", exitCode: 65, says: ["--rate"]) {
    table("t,x,y,z\n", $0) { index, _, axes in "\(index),\(plain(axes))" }
  },
  Case("one sample in two seconds, by Unix time", exitCode: 65, says: ["0.5 samples a second", "needs 5 to 100000"]) {
    table("t,x,y,z\n", $0) { index, _, axes in "\(1_777_882_500 + index * 2),\(plain(axes))" }
  },
  Case("minute data", exitCode: 65, says: ["0.017 samples a second", "needs 5 to 100000"]) { _ in
    "timestamp,axis1,axis2,axis3,vm\n"
      + (0..<600).map { "2026-05-04 \(10 + $0 / 60):\(10 + $0 % 50),\(counts($0)),7\n" }.joined()
  },
  Case("a value a minute whose times look like milliseconds", exitCode: 65, says: ["activity counts", "raw samples"]) {
    _ in "time,axis1,axis2,axis3,vm\n" + (0..<600).map { "\($0 * 60),\(counts($0)),7\n" }.joined()
  },
  Case("activity counts without times", exitCode: 65, says: ["activity counts"], arguments: ["--rate", "30"]) { _ in
    "axis1,axis2,axis3\n" + (0..<600).map { counts($0) + "\n" }.joined()
  },
  Case("ActiGraph's epochs", exitCode: 65, says: ["line 3", "an epoch of 60 s", "raw samples"]) { _ in
    "- Data File Created By ActiGraph GT3X+ ActiLife v6.13.4 date format M/d/yyyy -\nStart Time 08:00:00\n"
      + "Epoch Period (hh:mm:ss) 00:01:00\n" + (0..<600).map { counts($0) + "\n" }.joined()
  },
  Case("a table of magnitudes", exitCode: 65, says: ["2 numbers", "needs a time, x, y and z"]) { _ in
    "timestamp,vm\n" + (0..<99).map { "\(1_777_882_500 + $0 * 60),\($0 * 7919 % 4001)\n" }.joined()
  },
  Case("rows and their numbers", exitCode: 65, says: ["row numbers", "--rate"]) {
    table("", $0) { index, _, axes in "\(index),\(plain(axes))" }
  },
  Case(
    "readings of a converter whose zero cannot be known", exitCode: 65,
    says: ["no steps were found", "--units raw=COUNTS@ZERO"]
  ) { _ in
    // Gravity along one axis, as of a board that is fixed to something.
    "ms,x,y,z\n" + (0..<3000).map { "\($0 * 20),\(338 + $0 % 3),\(338 - $0 % 2),\(405 + $0 % 3)\n" }.joined()
  },
  Case("a filter's bandwidth and no rate", exitCode: 64, says: ["--rate"]) {
    table("Adafruit MPU6050 test!\nFilter bandwidth set to: 21 Hz\n", $0) { plain($2) }
  },
  Case("a warning, and --strict", exitCode: 65, says: ["text instead of numbers in line 1502"], arguments: ["--strict"])
  {
    $0.text("oops\n", before: 1500)
  },
  Case("a recording of one sample, and --strict", exitCode: 65, says: ["only 1 sample"], arguments: ["--strict"]) {
    WrittenWalk.header + $0.rows[0]
  },
]

private let doubted: [Case] = [
  Case("a recording of one sample", says: ["only 1 sample", "check that the recording is complete"], countsAll: false) {
    WrittenWalk.header + $0.rows[0]
  },
  Case("less than a second", says: ["40 samples span less than a second"], countsAll: false) {
    WrittenWalk.header + $0.rows[..<40].joined()
  },
  Case("a sensor that freezes and stays frozen", says: ["from 30 s to the end", "the sensor froze"], countsAll: false) {
    table("t,x,y,z\n", $0) { [samples = $0.samples] index, seconds, axes in
      "\(seconds),\(plain(index < 1500 ? axes : samples[1500].acceleration))"
    }
  },
  Case("a sensor that freezes for ten seconds", says: ["the sensor froze once"], countsAll: false) {
    // Where it is not held still: in the middle of a step.
    table("t,x,y,z\n", $0) { index, seconds, axes in
      "\(seconds),\(plain((1500..<2000).contains(index) ? SIMD3(0.9, -0.9, 0.9) : axes))"
    }
  },
  Case("readings of a converter", says: ["512 at 0 g", "--units raw=COUNTS@ZERO"]) {
    table("ms,x,y,z\n", $0) { "\(Int($1 * 1000)),\(readings($2, zero: 512, countsPerG: 102))" }
  },
  Case("a rate far too low", says: ["check --rate"], arguments: ["--rate", "12"], countsAll: false) {
    table("x,y,z\n", $0) { plain($2) }
  },
  Case("seconds that turn into milliseconds", says: ["change from seconds to milliseconds"]) {
    table("t,x,y,z\n", $0) { index, seconds, axes in
      let time = 1_777_882_500 + seconds
      return "\(index < 1500 ? "\(time)" : "\(Int((time * 1000).rounded()))"),\(plain(axes))"
    }
  },
  Case("accelerations of 1e30 g", says: ["not valid accelerations"]) {
    table("t,x,y,z\n", $0) { "\($1),\($0 % 500 == 499 ? "1e30,0,1" : plain($2))" }
  },
  Case("glitches of 16 g", says: ["spikes"]) {
    table("t,x,y,z\n", $0) { "\($1),\($0 % 100 == 99 ? "16,-16,16" : plain($2))" }
  },
  Case("a damaged gzip member", says: ["skipped"], countsAll: false) { walk in
    let parts = [
      WrittenWalk.header + walk.rows[..<1000].joined(), walk.rows[1000..<2000].joined(), walk.rows[2000...].joined(),
    ]
    var members = try parts.map { try gzip(Array($0.utf8)) }
    members[1][members[1].count / 2] ^= 0x55
    members[1][members[1].count / 2 + 1] ^= 0xAA
    return members.flatMap { $0 }
  },
]

private let counted: [Case] = [
  Case("linear acceleration in m/s² after a quiet beginning", says: ["gravity seems to be removed"]) { walk in
    let quiet = (0..<500).map { "\(Double($0) / 50),0.0\($0 % 3),-0.0\($0 % 2),0.01\n" }.joined()
    return table("t,x,y,z\n" + quiet, walk) { index, seconds, axes in
      // As a phone does it: without the mean of a second.
      let near = walk.samples[max(0, index - 25)..<min(walk.samples.count, index + 26)].map(\.acceleration)
      let mean = near.reduce(SIMD3<Float>()) { $0 + $1 } / Float(near.count)
      return "\(10 + seconds),\(plain((axes - mean) * 9.80665))"
    }
  },
  Case("seconds of ten digits") { table("t,x,y,z\n", $0) { "\(1_777_882_500 + $1),\(plain($2))" } },
  Case("row numbers before the times") { table("", $0) { "\($0),\($1),\(plain($2))" } },
  Case("row numbers before milliseconds") { table("", $0) { "\($0),\(Int(($1 * 1000).rounded())),\(plain($2))" } },
  Case("garbage of a serial line in front") {
    (0..<300).map { UInt8(128 + $0 * 37 % 127) } + [0x0A] + Array($0.text.utf8)
  },
  Case("zeros between the members of a gzip file") { walk in
    let zeros = [UInt8](repeating: 0, count: 700)
    return try gzip(Array((WrittenWalk.header + walk.rows[..<1500].joined()).utf8)) + zeros
      + gzip(Array(walk.rows[1500...].joined().utf8)) + zeros
  },
  Case("MATLAB's dates") {
    table("Timestamp,X,Y,Z\n", $0) {
      let milliseconds = Int(($1 * 1000).rounded())
      let fraction = String(String(1000 + milliseconds % 1000).dropFirst())
      let second = String(String(100 + milliseconds / 1000 % 60).dropFirst())
      return "13-Nov-2025 10:\(10 + milliseconds / 60_000):\(second).\(fraction),\(plain($2))"
    }
  },
]

/// Compresses.
private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  let directory = try TemporaryDirectory()
  try directory.write(bytes, to: "part")
  _ = try Executable(path: "/bin/sh").inFolder(directory.path).run(["-c", "gzip -n part"])
  return try TemporaryDirectory.bytes(of: directory.path + "/part.gz")
}

@Suite("What a recording must never do silently, through the real executable", .timeLimit(.minutes(30)), .ownThreads)
struct ExitCodeTests {
  private func count(_ item: Case, _ name: String) throws -> Transcript {
    let directory = try TemporaryDirectory()
    try directory.write(item.make(try WrittenWalk.minute()), to: name)
    return try Executable.built("pedometer").inFolder(directory.path)
      .run(["count", "--format", "csv"] + item.arguments + [name])
  }

  @Test("is refused with the reason and the remedy, and nothing on standard output", arguments: refused)
  fileprivate func refuses(_ item: Case) throws {
    let transcript = try count(item, "walk.csv")
    #expect(transcript.ending == .exit(item.exitCode), "\(transcript.output)\(transcript.errors)")
    #expect(transcript.outputLines.count <= 1)
    #expect(transcript.errorLines.count == 1 && transcript.errors.hasPrefix("pedometer: walk.csv: "))
    for words in item.says { #expect(transcript.errors.contains(words), "\(transcript.errors)") }
  }

  @Test("is counted with a warning, also in JSON", arguments: doubted + counted)
  fileprivate func counts(_ item: Case) throws {
    let transcript = try count(item, "walk.csv")
    #expect(transcript.ending == .exit(0), "\(transcript.errors)")
    for words in item.says { #expect(transcript.errors.contains(words), "\(transcript.errors)") }
    if item.says.isEmpty { #expect(transcript.errors == "") }
    let cells = try #require(transcript.outputLines.dropFirst().first).split(separator: ",")
    let steps = try #require(Int(cells[1]))
    if item.countsAll {
      let expected = WrittenWalk.steps(in: try WrittenWalk.minute().samples)
      #expect(abs(steps - expected) <= 2, "\(steps) instead of \(expected)")
    }
    var asJSON = item
    asJSON.arguments += ["--format", "json"]
    let json = try count(asJSON, "walk.csv")
    for words in item.says { #expect(json.output.contains(words), "\(json.output)") }
  }

  @Test("a name that is not UTF-8 is opened")
  func names() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array(try WrittenWalk.minute().text.utf8), to: "walk.csv")
    let transcript = try Executable(path: "/bin/sh").inFolder(directory.path).run([
      "-c", "mv walk.csv \"$(printf 'w\\351lk.csv')\"; exec \"$0\" count --format csv w*k.csv",
      Executable.pathOfBuilt("pedometer"),
    ])
    #expect(transcript.ending == .exit(0), "\(transcript.errors)")
  }

  @Test("control sequences in names and headers never reach the terminal, and long names are cut")
  func controlSequences() throws {
    let directory = try TemporaryDirectory()
    let name = "w\u{1B}]0;owned\u{7}" + String(repeating: "a", count: 200) + ".csv"
    let text = "t,\u{1B}[31mx,y,q\u{1B}[0m\n" + (try WrittenWalk.minute().rows.joined())
    try directory.write(Array(text.utf8), to: name)
    for arguments in [[], ["--format", "csv"], ["--columns", "t,x,y,w"]] {
      let transcript = try Executable.built("pedometer").inFolder(directory.path).run(["count"] + arguments + [name])
      #expect(!transcript.errors.contains("\u{1B}"))
      if arguments.isEmpty { #expect(!transcript.output.contains("\u{1B}")) }
      for line in transcript.errorLines { #expect(line.count < 400) }
    }
  }
}
