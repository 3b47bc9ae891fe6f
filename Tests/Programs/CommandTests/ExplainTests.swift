import Foundation
import Recordings
import TestSupport
import Testing

@testable import PedometerCommands

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("pedometer count --explain and --plot, through the real executable", .timeLimit(.minutes(30)), .ownThreads)
struct ExplainTests {
  private let directory: TemporaryDirectory
  private let walk: WrittenWalk
  private static let made = Result {
    var walk = SyntheticWalk()
    walk.program = [
      .init(.standing, .seconds(10)), .init(.walking, .seconds(25)), .init(.standing, .seconds(20)),
      .init(.brushingTeeth, .seconds(40)),
    ]
    return try WrittenWalk(walk)
  }

  init() throws {
    directory = try TemporaryDirectory()
    walk = try Self.made.get()
    try directory.write(Array(walk.text.utf8), to: "day.csv")
  }

  private func count(_ arguments: String..., input: Executable.Input = .nothing) throws -> Transcript {
    try Executable.built("pedometer").inFolder(directory.path).run(["count"] + arguments, input: input)
  }

  private func object(_ line: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  // MARK: Reasons

  @Test("as text, bouts and uncounted movement are lines above the totals")
  func text() throws {
    let lines = try count("--explain", "day.csv").outputLines.map(String.init)
    let total = try #require(lines.firstIndex { $0.hasPrefix("day.csv: ") }, "\(lines)")
    #expect(lines[0].contains(" steps at 1") && lines[0].contains(" steps/min, confidence 0.9"))
    #expect(lines[1].hasSuffix("not counted: shakes more than three times a second: teeth or hair?"))
    #expect(lines[0].prefix { $0 != "s" }.count == lines[1].prefix { $0 != "s" }.count)
    // The remainder of the walk before its first step and after its last, if it is not counted.
    #expect(lines[2..<total].allSatisfy { $0.hasSuffix(" s  not counted: other movements, each too short to list") })
    #expect(total <= 3 && lines[total].hasSuffix(" steps"))
    #expect(lines[(total + 1)...].joined() == (try count("day.csv").outputLines.dropFirst().joined()))
  }

  @Test("movement that is too short to list is added up in a last line of text, and in the total of JSON")
  func remainder() throws {
    let shaken = walk.samples.enumerated().map { index, sample in
      var sample = sample
      // Between the walk and the tooth brushing: a moment of other movement, too short for a reason.
      if (2300..<2380).contains(index) { sample.acceleration.x += Float(index % 90) / 90 }
      return sample
    }
    try WrittenWalk.write(shaken, to: directory, "shaken.csv")
    let seconds = try ["day.csv", "shaken.csv"].map { name in
      let total = try object(try #require(try count("--explain", "--format", "json", name).outputLines.last))
      return try #require(total["unlistedMovement"] as? Double)
    }
    #expect((2...9).contains(seconds[1] - seconds[0]), "\(seconds)")
    let lines = try count("--explain", "shaken.csv").outputLines.map(String.init)
    #expect(lines.count == 7 && lines[2].hasSuffix("not counted: other movements, each too short to list"), "\(lines)")
    let plain = try object(try #require(try count("--format", "json", "shaken.csv").outputLines.last))
    #expect(plain["unlistedMovement"] == nil)
    #expect(try count("--explain", "--format", "csv", "shaken.csv").outputLines.count == 3)
  }

  @Test("as JSON, each finding is an object, and the last line is the total with its type")
  func json() throws {
    let lines = try count("--explain", "--format", "json", "day.csv").outputLines
    try #require(lines.count == 3)
    let (bout, stretch, total) = (try object(lines[0]), try object(lines[1]), try object(lines[2]))
    #expect(Set(bout.keys) == ["type", "t", "end", "steps", "cadence", "confidence"])
    #expect(Set(stretch.keys) == ["type", "t", "end", "reason", "message"])
    #expect(bout["type"] as? String == "bout" && stretch["type"] as? String == "stretch")
    #expect(stretch["reason"] as? String == "shaking")
    #expect(total["type"] as? String == "total" && total["source"] as? String == "day.csv")
    #expect(total["steps"] as? Int == bout["steps"] as? Int)
    #expect(total["confidence"] as? Double == bout["confidence"] as? Double)
    let times = try [bout, stretch].flatMap { try [#require($0["t"] as? Double), #require($0["end"] as? Double)] }
    #expect(times == times.sorted() && abs(times[0] - 10) < 2 && abs(times[1] - 35) < 2 && times[3] <= 95)
  }

  @Test("as CSV, a heading names the columns and every line has them")
  func csv() throws {
    let lines = try count("--explain", "--format", "csv", "day.csv").outputLines
    #expect(lines.first == "type,t,end,steps,cadence,confidence,reason,message")
    #expect(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count } == [8, 8, 8])
    #expect(lines.last?.hasSuffix(",,,,shaking,shakes more than three times a second: teeth or hair?") == true)
  }

  @Test("files, gzip and standard input are explained in the same way")
  func inputs() throws {
    try WrittenWalk.write(walk.samples, to: directory, "day.csv.gz")
    let plain = try count("--explain", "--format", "csv", "day.csv").output
    #expect(try count("--explain", "--format", "csv", "day.csv.gz").output == plain)
    #expect(try count("--explain", "--format", "csv", "-", input: .text(walk.text)).output == plain)
  }

  @Test("with several sources, each line names its source", arguments: ["1", "2"])
  func severalSources(jobs: String) throws {
    let sources = ["day.csv", "synthetic:activity=brushingTeeth"]
    let json = try Executable.built("pedometer").inFolder(directory.path)
      .run(["count", "--explain", "--format", "json", "--jobs", jobs] + sources).outputLines.map { try object($0) }
    #expect(json.map { $0["source"] as? String } == [0, 0, 0, 1, 1].map { sources[$0] })
    let csv = try Executable.built("pedometer").inFolder(directory.path)
      .run(["count", "--explain", "--format", "csv", "--jobs", jobs] + sources).outputLines
    #expect(csv.first?.hasPrefix("source,type,t,") == true && csv.last?.hasPrefix(sources[1] + ",stretch,") == true)
  }

  @Test("a window explains its content, with times from the recording's first sample")
  func window() throws {
    let lines = try count("--explain", "--format", "json", "--start", "50", "--end", "80", "day.csv").outputLines
    let stretch = try object(try #require(lines.first))
    #expect(stretch["reason"] as? String == "shaking")
    #expect((stretch["t"] as? Double ?? 0) > 50 && (stretch["end"] as? Double ?? 99) <= 80)
  }

  @Test("confidence is in the JSON of totals, steps and epochs, and nowhere else")
  func confidence() throws {
    let total = try object(try #require(try count("--format", "json", "day.csv").outputLines.first))
    let confidence = try #require(total["confidence"] as? Double)
    #expect(confidence > 0.8 && confidence < 1)
    let steps = try count("--steps", "--format", "json", "day.csv").outputLines.map { try object($0) }
    #expect(steps.count == total["steps"] as? Int)
    #expect(steps.allSatisfy { ($0["confidence"] as? Double).map { (0.5...1).contains($0) } ?? false })
    let epochs = try count("--epochs", "30", "--format", "json", "day.csv").outputLines.map { try object($0) }
    #expect(epochs.map { $0["confidence"] is Double } == [true, true, false, false])
    #expect(epochs.last?["confidence"] is NSNull)
    let still = try object(try #require(try count("--format", "json", "synthetic:activity=standing").outputLines.first))
    #expect(still["confidence"] is NSNull)
    #expect(!(try count("--steps", "--format", "csv", "day.csv").output.contains(",")))
  }

  @Test("conflicting options are wrong usage, with the valid ones")
  func usage() throws {
    for arguments in [["--explain", "--steps"], ["--explain", "--epochs", "9"], ["--plot", "-"]] {
      let transcript = try Executable.built("pedometer").inFolder(directory.path).run(
        ["count"] + arguments + ["day.csv"])
      #expect(transcript.exitCode == 64 && transcript.output == "", "\(arguments)")
    }
    #expect(directory.contents == ["day.csv"])
  }

  // MARK: The picture

  /// The result of XML's own parser: the names of the elements and all text; `nil` if it is not well-formed.
  private final class Reading: NSObject, XMLParserDelegate {
    private(set) var elements: [String: Int] = [:]
    private(set) var text = ""

    init?(_ document: String) {
      super.init()
      let parser = XMLParser(data: Data(document.utf8))
      parser.delegate = self
      if !parser.parse() { return nil }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements[name, default: 0] += 1
      text += "\n"
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  @Test("the picture is well-formed, has totals, steps and reasons, and the count is printed as usual")
  func picture() throws {
    let plain = try count("day.csv").output
    #expect(try count("--plot", "day.svg", "day.csv").output == plain)
    let document = try TemporaryDirectory.text(of: directory.path + "/day.svg")
    let reading = try #require(Reading(document))
    let steps = try count("--steps", "day.csv").outputLines.count
    #expect(reading.text.contains("\(steps) steps") && reading.text.contains("teeth or hair?"))
    #expect(
      document.split(separator: "stroke-width=\"1.4\"").count - 1 == steps + 1, "every step, and one in the legend")
    #expect(reading.text.contains("0:01:30") && document.contains("prefers-color-scheme: dark"))
    #expect(document.contains("url(#hatch-orange)"))
  }

  @Test("the same recording gives the same picture, also from a pipe in pieces")
  func deterministic() throws {
    _ = try count("--plot", "a.svg", "day.csv")
    _ = try count("--plot", "b.svg", "--explain", "day.csv")
    let text = try TemporaryDirectory.text(of: directory.path + "/a.svg")
    #expect(try TemporaryDirectory.text(of: directory.path + "/b.svg") == text)
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  @Test("a file's name is escaped in the picture")
  func escaping() throws {
    let name = "a<b>&\"c\u{1}.csv"
    try directory.write(Array(walk.text.utf8), to: name)
    #expect(try count("--plot", "p.svg", name).exitCode == 0)
    let reading = try #require(Reading(try TemporaryDirectory.text(of: directory.path + "/p.svg")))
    #expect(reading.text.contains("a<b>&\"c?.csv") && reading.elements["b"] == nil)
  }

  @Test("an unwritable path is reported before counting, with exit code 73")
  func unwritable() throws {
    let transcript = try count("--plot", "missing/p.svg", "day.csv")
    #expect(transcript.exitCode == 73 && transcript.output == "")
    #expect(transcript.errors.contains("missing/p.svg") && transcript.errors.contains("create its folder first"))
  }

  @Test("an unreadable recording keeps the existing picture")
  func kept() throws {
    let old = "<?xml version=\"1.0\"?>\n<svg>old</svg>"
    try directory.write(Array(old.utf8), to: "p.svg")
    #expect(try count("--plot", "p.svg", input: .text("no recording")).exitCode == 65)
    #expect(try TemporaryDirectory.text(of: directory.path + "/p.svg") == old)
    #expect(directory.contents == ["day.csv", "p.svg"])
    #expect(try count("--plot", "p.svg", "day.csv").exitCode == 0)
    #expect(try TemporaryDirectory.text(of: directory.path + "/p.svg").contains("teeth or hair?"))
  }

  @Test("several recordings get a numbered picture each, in the given order")
  func severalPictures() throws {
    #expect(CountOutputOptions.pictures("a/walk.svg", 2) == ["a/walk-1.svg", "a/walk-2.svg"])
    #expect(CountOutputOptions.pictures("w.SVG", 10).first == "w-01.SVG")
    #expect(try count("--plot", "p.svg", "day.csv", "synthetic:").exitCode == 0)
    let first = try String(contentsOfFile: directory.path + "/p-1.svg", encoding: .utf8)
    let second = try String(contentsOfFile: directory.path + "/p-2.svg", encoding: .utf8)
    #expect(first.contains("day.csv") && second.contains("synthetic:"))
  }

  @Test(
    "no recording is replaced by a picture because of a wildcard or a wrong order after --plot",
    arguments: [
      ["--plot", "b.csv", "day.csv"], ["--plot", "day.csv", "day.csv"], ["--plot", "b.csv", "day.csv", "walk.svg"],
    ])
  func recordings(arguments: [String]) throws {
    try directory.write(Array(walk.text.utf8), to: "b.csv")
    let before = directory.contents
    let transcript = try Executable.built("pedometer").inFolder(directory.path).run(["count"] + arguments)
    #expect(transcript.exitCode == 64 && transcript.output == "")
    #expect(transcript.errors.contains("give a name that ends in .svg"))
    for name in ["b.csv", "day.csv"] {
      #expect(try TemporaryDirectory.text(of: directory.path + "/" + name) == walk.text, "\(name)")
    }
    #expect(directory.contents == before)
  }

  @Test("recordings without samples, with one, and with a clock also have a picture")
  func small() throws {
    #expect(try count("--plot", "p.svg", "--start", "1e6", "day.csv").exitCode == 0)
    #expect(Reading(try TemporaryDirectory.text(of: directory.path + "/p.svg")) != nil)
    #expect(try count("--plot", "p.svg", "--start", "5", "--end", "5", "day.csv").exitCode == 0)
    #expect(Reading(try TemporaryDirectory.text(of: directory.path + "/p.svg")) != nil)
    let dates =
      "time,x,y,z\n" + (100..<500).map { "2026-05-06T10:11:\($0 / 10).\($0 % 10)Z,0,0,1.0\($0 % 2)\n" }.joined()
    #expect(try count("--plot", "p.svg", input: .text(dates)).exitCode == 0)
    #expect(try TemporaryDirectory.text(of: directory.path + "/p.svg").contains("from 2026-05-0"))
  }
}
