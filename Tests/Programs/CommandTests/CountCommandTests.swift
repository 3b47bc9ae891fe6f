import JSONLines
import Recordings
import TestSupport
import Testing

@Suite("pedometer count, through the real executable", .timeLimit(.minutes(30)), .ownThreads)
struct CountCommandTests {
  private let directory: TemporaryDirectory
  private let walk: WrittenWalk

  init() throws {
    directory = try TemporaryDirectory()
    walk = try WrittenWalk.minute()
    try directory.write(Array(walk.text.utf8), to: "walk.csv")
  }

  /// Runs the command in the folder of `walk.csv`.
  private func count(_ arguments: String..., input: Executable.Input = .nothing) throws -> Transcript {
    try Executable.built("pedometer").inFolder(directory.path).run(["count"] + arguments, input: input)
  }

  private var steps: Int { WrittenWalk.steps(in: walk.samples) }

  /// The value of a key in a line of JSON.
  private func value(_ key: String, _ line: some StringProtocol) throws -> Double {
    let text = try #require(line.split(separator: "\"\(key)\":", maxSplits: 1).dropFirst().first)
    return try #require(Double(text.prefix { !",}".contains($0) }))
  }

  // MARK: Totals

  @Test("as text, one recording is three lines below its steps")
  func text() throws {
    let transcript = try count("walk.csv")
    #expect(
      transcript.output == """
        walk.csv: \(steps) steps
          distance  73 m
          walking   1 min 00 s, at 108 steps/min
          recorded  1 min 00 s, 3000 samples at 50 Hz

        """)
    #expect(transcript.errors == "" && transcript.exitCode == 0)
  }

  @Test("where people read miles, distances are in feet and miles, and JSON keeps metres")
  func miles() throws {
    let executable = try Executable.built("pedometer")
    func counted(_ options: String...) throws -> String {
      try executable.run(
        ["count", "-", "--step-length", "0.7"] + options, input: .text(walk.text),
        environment: ["LC_MEASUREMENT": "en_US"]
      ).output
    }
    let metres = try value("distanceTravelled", try counted("--format", "json"))
    #expect(abs(metres - 0.7 * Double(steps)) < 0.01)
    #expect(try counted().contains("  distance  \(Int((metres / 0.3048).rounded())) ft\n"))
    #expect(Decimals.distance(2414.016, inMiles: true) == "1.5 mi" && Decimals.distance(1_234_400) == "1,234 km")
  }

  @Test("a recording without steps says how to learn why, and how to count it all the same")
  func advice() throws {
    let executable = try Executable.built("pedometer")
    let rest = try executable.run(["simulate", "--activity", "standing", "--duration", "20"]).output
    func end(_ options: String...) throws -> String? {
      try executable.run(["count", "-"] + options, input: .text(rest)).outputLines.last.map(String.init)
    }
    let known = "--walking counts a recording that is known to be one"
    #expect(try end() == "  no walk   --explain tells why; " + known)
    #expect(try end("--explain") == "  no walk   " + known)
    #expect(try end("--walking") == "  recorded  20 s, 1000 samples at 50 Hz")
    let short = try executable.run(["simulate", "--activity", "standing", "--duration", "4"]).output
    #expect(try !executable.run(["count", "-"], input: .text(short)).output.contains("no walk"))
  }

  @Test("as JSON, a recording is one object with the keys that scripts rely on, in their order")
  func json() throws {
    let line = try #require(try count("--format", "json", "walk.csv").outputLines.first)
    let keys = line.split(separator: "\"").filter { word in word.first?.isLetter == true && word != "walk.csv" }
    #expect(
      keys == [
        "source", "steps", "distanceTravelled", "duration", "samples", "samplingFrequency", "meanCadence",
        "walkingDuration", "confidence", "gaps", "warnings",
      ])
    #expect(try value("steps", line) == Double(steps))
    #expect(try value("duration", line) == 59.98)
    #expect(try value("samples", line) == 3000)
    #expect(try value("samplingFrequency", line) == 50)
    #expect(abs(try value("meanCadence", line) * 60 - 108) < 3)
    #expect(line.hasPrefix("{\"source\":\"walk.csv\",") && line.hasSuffix(",\"gaps\":0,\"warnings\":[]}"))
  }

  @Test("as CSV, a heading names the same keys")
  func csv() throws {
    let lines = try count("--format", "csv", "walk.csv").outputLines
    let keys = [
      "source", "steps", "distanceTravelled", "duration", "samples", "samplingFrequency", "meanCadence",
      "walkingDuration", "gaps", "warnings", "start", "end", "confidence",
    ]
    #expect(lines.first?.split(separator: ",").map(String.init) == keys)
    #expect(lines.last?.hasPrefix("walk.csv,\(steps),") == true)
    #expect(lines.last?.contains(/,0,,,,(0\.\d+|1)$/) == true, "\(lines)")
  }

  @Test(
    "several sources are printed in the given order, with a total, however many are counted at once", arguments: [1, 2])
  func severalSources(jobs: Int) throws {
    try WrittenWalk.write(Array(walk.samples[..<1000]), to: directory, "short.jsonl.gz")
    let transcript = try count(
      "-j\(jobs)", "walk.csv", "synthetic:activity=standing", "short.jsonl.gz", "-", input: .text(walk.text))
    let lines = transcript.outputLines.map { line in
      line.split(separator: " ").prefix { $0 != "steps" }.joined(separator: " ")
    }
    let short = WrittenWalk.steps(in: walk.samples[..<1000])
    #expect(
      lines == [
        "walk.csv \(steps)", "synthetic:activity=standing 0", "short.jsonl.gz \(short)", "standard input \(steps)",
        "all 4 \(2 * steps + short)",
      ])
    let columns = Set(
      transcript.outputLines.compactMap { $0.ranges(of: " steps").first?.lowerBound.utf16Offset(in: $0) })
    #expect(columns.count == 1, "\(transcript.output)")
    #expect(transcript.errors == "")
  }

  @Test("standard input is read by - and by no source at all", arguments: [["-"], []])
  func standardInput(sources: [String]) throws {
    let pedometer = try Executable.built("pedometer")
    for input in [Executable.Input.text(walk.text), .file(directory.path + "/walk.csv")] {
      let transcript = try pedometer.run(["count", "--format", "json"] + sources, input: input)
      #expect(transcript.output.hasPrefix("{\"source\":\"-\",\"steps\":\(steps),"))
    }
  }

  @Test("a synthetic walk is counted like a recording of it")
  func synthetic() throws {
    let output = try count("--format", "json", "synthetic:").output
    #expect(output.hasPrefix("{\"source\":\"synthetic:\",\"steps\":\(steps),"))
  }

  @Test("names and words of a recording cannot control the terminal, and scripts get them unchanged")
  func hostileNames() throws {
    let name = "we \u{1B}[31m\n.csv"
    try directory.write(Array(walk.text.utf8), to: name)
    let text = try count("--jobs", "1", name, "missing\u{1B}]0;x\u{7}.csv", "walk.csv")
    #expect(text.outputLines.first?.hasPrefix("we ?[31m?.csv ") == true && text.exitCode == 66)
    #expect(text.errors.contains("missing?]0;x?.csv"))
    try directory.write(Array("ti\u{1B}[2Jme,b\u{7},c\n1,2,3\n2,3,4\n".utf8), to: "words.csv")
    let words = try count("--columns", "a,b,c,d", "words.csv")
    #expect(words.exitCode != 0 && words.errors.contains("words.csv"))
    for transcript in [text, words, try count("--steps", name, "walk.csv"), try count(name)] {
      let controls = (transcript.output + transcript.errors).unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
      #expect(controls.isEmpty, "\(transcript.output) \(transcript.errors)")
    }
    #expect(try count("--format", "json", name).output.contains("we \\u001b[31m\\n.csv"))
  }

  @Test(
    "a window that ends before it begins is a usage error; one whose ends cannot be compared yet is not",
    arguments: [
      ("60", "30", 64), ("2026-05-06T10:11:12Z", "2026-05-06T10:11:12+02:00", 64), ("2026-05-07", "2026-05-06", 64),
      ("30", "60", 0), ("30", "30", 0),
    ] as [(String, String, Int32)])
  func window(start: String, end: String, exitCode: Int32) throws {
    let transcript = try count("--start", start, "--end", end, "walk.csv")
    #expect(transcript.exitCode == exitCode)
    #expect(transcript.errors.contains("--end is earlier than --start") == (exitCode == 64))
    #expect((transcript.output == "") == (exitCode == 64))
  }

  // MARK: Steps and epochs

  @Test("each step is a line, the same in all formats, and agrees with the true times")
  func stepTimes() throws {
    let csv = try count("--steps", "--format", "csv", "walk.csv").outputLines
    let times = csv.dropFirst().map(String.init)
    #expect(csv.first == "t")
    #expect(times.count == steps)
    #expect(try count("--steps", "walk.csv").outputLines.map(String.init) == times)
    let json = try count("--steps", "--format", "json", "walk.csv").outputLines
    #expect(json.map { $0.prefix { $0 != "," } } == times.map { "{\"t\":\($0)" })
    #expect(json.allSatisfy { $0.contains(",\"confidence\":0.") })
    let truth = walk.strikes.map { $0 / .seconds(1) }
    let met = times.compactMap { Double($0) }.count { time in truth.contains { abs($0 - time) < 0.1 } }
    #expect(met >= steps - 2)
  }

  @Test("times count from the first sample, whatever its timestamp")
  func timesFromTheFirstSample() throws {
    let moved = WrittenWalk.shifted(walk.samples, by: .seconds(1_780_000_000))
    try WrittenWalk.write(moved, to: directory, "moved.csv")
    #expect(try count("--steps", "moved.csv").output == count("--steps", "walk.csv").output)
  }

  @Test("with several sources each line of steps names its source")
  func stepsOfSeveralSources() throws {
    let json = try count("--steps", "--format", "json", "walk.csv", "synthetic:duration=20").outputLines
    #expect(json.first?.hasPrefix("{\"source\":\"walk.csv\",\"t\":") == true)
    #expect(json.last?.hasPrefix("{\"source\":\"synthetic:duration=20\",\"t\":") == true)
    let csv = try count("--steps", "--format", "csv", "walk.csv", "synthetic:duration=20").outputLines
    #expect(csv.first == "source,t")
    #expect(csv.dropFirst().first?.hasPrefix("walk.csv,") == true)
    #expect(csv.count - 1 == json.count)
  }

  @Test("epochs cover the recording without a gap, and their steps are all steps")
  func epochs() throws {
    let json = try count("--epochs", "25", "--format", "json", "walk.csv").outputLines
    #expect(try json.map { try value("t", $0) } == [0, 25, 50])
    #expect(try json.reduce(0) { $0 + (try value("steps", $1)) } == Double(steps))
    #expect(json.allSatisfy { $0.contains("\"distanceTravelled\":") && $0.contains("\"cadence\":") })
    let csv = try count("--epochs", "25", "--format", "csv", "walk.csv").outputLines
    #expect(csv.first == "t,steps,distanceTravelled,cadence" && csv.count == 4)
    let text = try count("--epochs", "25", "walk.csv").outputLines
    #expect(text.map { $0.split(separator: " ").first } == ["0:00:00", "0:00:25", "0:00:50"])
    #expect(Set(text.map(\.count)).count == 1, "\(text)")
    let several = try count("--epochs", "25", "walk.csv", "synthetic:activity=driving").outputLines
    #expect(several.last.map { $0.split(separator: " ") } == ["synthetic:activity=driving", "0:00:50", "0", "steps"])
  }

  @Test("output too long to be held back is still in the given order")
  func longOutputOfSeveralSources() throws {
    for (name, hours) in [("long.csv", 3), ("longer.csv", 8)] {
      let later = WrittenWalk.shifted(walk.samples, by: .seconds(hours * 3600))
      try WrittenWalk.write(walk.samples + later, to: directory, name)
    }
    let options = ["--epochs", "1", "--format", "csv", "longer.csv", "walk.csv", "long.csv", "longer.csv"]
    let pedometer = try Executable.built("pedometer").inFolder(directory.path)
    let inTurn = try pedometer.run(["count", "--jobs", "1"] + options)
    let atOnce = try pedometer.run(["count", "--jobs", "3"] + options)
    #expect(inTurn.outputLines.count == 1 + (8 + 3 + 8) * 3600 + 4 * 60)
    #expect(atOnce.output == inTurn.output)
    let closed = try pedometer.run(["count", "--jobs", "3"] + options, output: .closedAfter(bytes: 99))
    #expect(closed.ending == .exit(0) && closed.errors == "")
  }

  @Test("epochs of a window begin with the one that contains its first sample")
  func epochsOfAWindow() throws {
    let lines = try count("--epochs", "10", "--start", "25", "--end", "45", "--format", "csv", "walk.csv").outputLines
    #expect(lines.dropFirst().map { $0.prefix { $0 != "," } } == ["20", "30", "40"])
  }

  @Test("a gap of weeks has all its epochs")
  func epochsOfAPause() throws {
    let later = WrittenWalk.shifted(walk.samples, by: .seconds(20 * 86_400))
    try WrittenWalk.write(walk.samples + later, to: directory, "pause.csv")
    let lines = try count("--epochs", "3600", "--format", "csv", "pause.csv").outputLines
    #expect(lines.count == 1 + 20 * 24 + 1)
    #expect(lines.dropFirst(2).dropLast().allSatisfy { $0.hasSuffix(",0,0,") })
    #expect(lines.last?.hasPrefix("1728000,\(steps),") == true)
  }

  // MARK: The user's settings

  @Test("recordings without timestamps, headers or units are counted with the options")
  func readingOptions() throws {
    let rows = walk.samples.map { sample in
      let counts = sample.acceleration * 4096
      return "a;\(counts.z);\(counts.x);\(counts.y)\n"
    }
    try directory.write(Array(rows.joined().utf8), to: "raw.txt")
    let options = ["--rate", "50", "--columns", "3,4,2", "--input-format", "csv", "--format", "json"]
    let raw = try Executable.built("pedometer").inFolder(directory.path)
      .run(["count", "--units", "raw=4096"] + options + ["raw.txt"])
    #expect(raw.output.hasPrefix("{\"source\":\"raw.txt\",\"steps\":\(steps),"))
    #expect(raw.output.hasSuffix("\"warnings\":[]}\n"))
    let slower = try count("--columns", "t,x,y,z", "--units", "g", "--format", "json", "walk.csv")
    #expect(slower.output.contains("\"steps\":\(steps),") && slower.output.hasSuffix("\"warnings\":[]}\n"))
  }

  @Test(
    "other units give the same count, whether stated or detected",
    arguments: [("mg", 1000.0), ("m/s2", 9.80665), ("auto", 1000), ("auto", 9.80665)])
  func units(name: String, perG: Double) throws {
    let rows = walk.samples.map { sample in
      let values = (0..<3).map { "\(Double(sample.acceleration[$0]) * perG)" }.joined(separator: ",")
      return "\(sample.timestamp / .seconds(1)),\(values)\n"
    }
    let transcript = try count("--units", name, "--format", "json", "-", input: .text("t,x,y,z\n" + rows.joined()))
    let line = try #require(transcript.outputLines.first)
    #expect(abs(try value("steps", line) - Double(steps)) <= 1)
    #expect(line.hasSuffix("\"warnings\":[]}"))
  }

  @Test("damage of the samples is in the warnings of JSON, and on standard error in text")
  func damagedSamples() throws {
    var samples = walk.samples
    for i in [500, 1000, 1500] { samples[i].acceleration.x = 16 }
    let rows = samples.map { sample in
      let values = (0..<3).map { "\(sample.acceleration[$0])" }.joined(separator: ",")
      return "\(sample.timestamp / .seconds(1)),\(values)\n"
    }
    let input = "t,x,y,z\n" + rows.joined()
    let sentence = "3 samples are spikes, the first at 10 s; ignored (check the sensor's connection)"
    let json = try count("--format", "json", "-", input: .text(input)).output
    #expect(json.contains("\"steps\":\(steps),") && json.hasSuffix("\"warnings\":[\"\(sentence)\"]}\n"))
    #expect(try count("-", input: .text(input)).errors.hasSuffix(": \(sentence)\n"))
  }

  @Test("a window excludes earlier and later samples, and times still count from the recording's first sample")
  func window() throws {
    let line = try #require(
      try count("--start", "10", "--end", "40.5", "--format", "json", "walk.csv").outputLines.first)
    #expect(try value("samples", line) == 1525)
    #expect(abs(try value("steps", line) - Double(steps) * 30.5 / 60) <= 3)
    let times = try count("--start", "10", "--end", "40.5", "--steps", "walk.csv").outputLines.compactMap { Double($0) }
    #expect(times.allSatisfy { (9.5...40.5).contains($0) } && times.count > 40)
    let dates =
      "time,x,y,z\n"
      + walk.rows.enumerated().map { index, row in
        let (second, hundredth) = (index / 50, index % 50 * 2)
        let stamp = "2026-05-06T10:11:\(second < 10 ? "0" : "")\(second).\(hundredth < 10 ? "0" : "")\(hundredth)Z"
        return stamp + row.drop { $0 != "," }
      }.joined()
    let dated = try count(
      "--start", "2026-05-06T12:12:30+02:00", "--end", "2026-05-07", "--format", "json", input: .text(dates))
    #expect(dated.output.contains("\"samples\":0,") && dated.output.contains("no samples between"))
    let half = try count("--start", "2026-05-06T12:11:30+02:00", "--format", "json", input: .text(dates))
    #expect(half.output.contains("\"samples\":1500,"))
  }

  @Test("distance follows a given step length, otherwise the body height")
  func distance() throws {
    func distance(_ arguments: String...) throws -> Double {
      let transcript = try Executable.built("pedometer").run(["count", "--format", "json", "synthetic:"] + arguments)
      return try value("distanceTravelled", try #require(transcript.outputLines.first))
    }
    #expect(try abs(distance("--step-length", "0.5") - Double(steps) * 0.5) < 0.01)
    #expect(try abs(distance("--step-length", "0.5", "--height", "2") - Double(steps) * 0.5) < 0.01)
    #expect(try abs(distance("--height", "1.87") / distance("--height", "1.7") - 1.1) < 0.001)
    #expect(try distance() == distance("--height", "1.7"))
  }

  // MARK: Usage

  @Test("help shows examples, formats and exit codes")
  func help() throws {
    let transcript = try count("--help")
    #expect(transcript.exitCode == 0)
    for words in [
      "EXAMPLES\n  pedometer count walk.csv\n", "| pedometer count --steps -\n", "exit code wins", "--epochs",
      "--units",
    ] {
      #expect(transcript.output.contains(words), "\(words) is not in\n\(transcript.output)")
    }
    #expect(transcript.outputLines.allSatisfy { $0.count <= 80 })
  }

  @Test("the version is a number on one line", arguments: [["--version"], ["count", "--version"]])
  func version(arguments: [String]) throws {
    let transcript = try Executable.built("pedometer").run(arguments)
    #expect(transcript.exitCode == 0)
    #expect(transcript.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test(
    "wrong usage is exit code 64 with a sentence that states the remedy",
    arguments: [
      (["--jobs", "0"], "--jobs takes a number of at least 1"), (["--rate", "0"], "--rate 50"),
      (["--rate", "3"], "5 to 100000 samples per second"), (["--rate", "200000"], "5 to 100000"),
      (["--rate", "fast"], "fast"), (["--units", "stone"], "raw=16384"), (["--units", "raw=0"], "raw=16384"),
      (["--columns", "t,x"], "--columns t,x,y,z"), (["--columns", "t,,x,y"], "--columns t,x,y,z"),
      (["--columns", "1,2,2,3"], "names a column twice"),
      (["--steps", "--epochs", "5"], "exclude each other"), (["--epochs", "0.5"], "--epochs 60"),
      (["--epochs", "nan"], "--epochs 60"), (["--start", "yesterday"], "2026-05-06T10:11:12"),
      (["--height", "170"], "--height 1.72"), (["--step-length", "-1"], "--step-length"),
      (["--input-format", "xls"], "auto"), (["--format", "xml"], "json"), (["--colour"], "--colour"),
      (["-", "-"], "only once"), (["iio:device0"], "pedometer live iio:device0"), ([""], "empty source name"),
      (["synthetic:cadence=fast"], "40 to 240"), (["synthetic:speed=3"], "cadence"),
      (["--columns", "t,x,y,9", "walk.csv"], "has no column '9'"),
    ])
  func usageErrors(arguments: [String], hint: String) throws {
    let transcript = try Executable.built("pedometer").inFolder(directory.path).run(["count"] + arguments)
    #expect(transcript.exitCode == 64)
    #expect(transcript.output == "")
    #expect(transcript.errors.contains(hint), "\(transcript.errors)")
  }

  @Test(
    "a stated rate at which the movement is not walking causes a warning",
    arguments: [(20, "check --rate"), (25, "check --rate"), (50, ""), (130, "check --rate")])
  func doubtedRate(rate: Int, doubt: String) throws {
    let rows = try WrittenWalk.minute().rows.map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
    let transcript = try Executable.built("pedometer").run(
      ["count", "--rate", "\(rate)", "-"], input: .text("x,y,z\n" + rows.joined()))
    #expect(transcript.ending == .exit(0))
    #expect(transcript.errors.contains("check --rate") == !doubt.isEmpty)
    #expect(doubt.isEmpty || transcript.errors.contains(doubt), "\(transcript.errors)")
  }
}
