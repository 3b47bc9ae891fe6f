import Accelerometry
import TestSupport
import Testing

@testable import Recordings

/// A walk that is written so that `count` refuses it, the remedy that the message has to name, and that remedy as a user types
/// it or carries it out.
struct RefusedWalk: Sendable, CustomTestStringConvertible {
  let name: String
  /// What the message says to do.
  let remedies: [String]
  let text: @Sendable (WrittenWalk) -> String
  /// The arguments to type, for each remedy.
  var typed: [[String]] = []
  /// The recording as the remedy says to change it.
  var mended: (@Sendable (WrittenWalk) -> String)?
  /// The file's name.
  var file = "walk.csv"

  var testDescription: String { name }

  /// The walk with lines that are made from the number of a row and its values.
  private static func lines(
    _ header: String, _ line: @escaping @Sendable (Int, SIMD3<Float>) -> String
  ) -> @Sendable (WrittenWalk) -> String {
    { walk in header + walk.samples.enumerated().map { line($0, $1.acceleration) + "\n" }.joined() }
  }

  private static func axes(_ values: SIMD3<Float>) -> String { "\(values.x),\(values.y),\(values.z)" }

  static let all: [RefusedWalk] = [
    RefusedWalk(
      name: "without times", remedies: ["--rate HZ", "--columns t,x,y,z"], text: lines("x,y,z\n") { axes($1) },
      typed: [["--rate", "50"]]),
    RefusedWalk(
      name: "with numbers of rows instead of times", remedies: ["--rate HZ"],
      text: lines("t,x,y,z\n") { "\($0),\(axes($1))" }, typed: [["--rate", "50"]]),
    RefusedWalk(
      name: "with times of a minute", remedies: ["--rate HZ"],
      text: lines("time,x,y,z\n") { "10:\(40 + $0 / 2000),\(axes($1))" }, typed: [["--rate", "50"]]),
    RefusedWalk(
      name: "with the times of another clock, too slow", remedies: ["--columns t,x,y,z", "--columns x,y,z --rate HZ"],
      text: lines("t,x,y,z,ms\n") { "\(Double($0) * 0.4),\(axes($1)),\($0 * 20)" },
      typed: [["--columns", "ms,x,y,z"], ["--columns", "x,y,z", "--rate", "50"]]),
    RefusedWalk(
      name: "from a pipe with names that are no axes, beside a state", remedies: ["--columns"],
      text: lines("time,state,foo,bar,baz\n") { "\(Double($0) / 50),\($0 % 2),\(axes($1))" },
      typed: [["--columns", "1,3,4,5"], ["--columns", "time,foo,bar,baz"]], file: "-"),
    RefusedWalk(
      name: "with a gyroscope only under the names", remedies: ["--columns t,x,y,z"],
      text: lines("time,gyro x,gyro y,gyro z,a,b,c\n") { "\(Double($0) / 50),1,2,3,\(axes($1))" },
      typed: [["--columns", "time,a,b,c"]]),
    RefusedWalk(
      name: "with an unknown unit", remedies: ["--units raw=COUNTS"],
      text: lines("t,x,y,z\n") { "\(Double($0) / 50),\(axes($1 * 3.7e9))" }, typed: [["--units", "raw=3.7e9"]]),
    RefusedWalk(
      name: "with rows in no order", remedies: ["sort its rows by time", "--columns x,y,z and --rate HZ"],
      text: { walk in
        WrittenWalk.header + walk.rows.indices.map { walk.rows[$0 * 1009 % walk.rows.count] }.joined()
      }, mended: { $0.text }, file: "-"),
    RefusedWalk(
      name: "of two devices, with the name of a third", remedies: ["left, right"],
      text: { walk in
        "device,t,x,y,z\n"
          + walk.rows.flatMap { ["left,\($0)", "right,\($0)"] }.joined()
      }, typed: [["--device", "left"], ["--device", "RIGHT"]]),
    RefusedWalk(
      name: "in UTF-32", remedies: ["iconv -f UTF-32LE -t UTF-8"], text: { $0.text }, mended: { $0.text }),
    RefusedWalk(
      name: "with the format of another program stated", remedies: ["omit --input-format"], text: { $0.text },
      typed: [[]]),
  ]
}

@Suite("The remedies that refusals name work when they are typed", .timeLimit(.minutes(30)), .ownThreads)
struct RemedyTests {
  @Test(arguments: RefusedWalk.all)
  func remedy(_ refused: RefusedWalk) throws {
    let walk = try WrittenWalk.minute()
    let steps = WrittenWalk.steps(in: walk.samples)
    let folder = try TemporaryDirectory()
    let pedometer = try Executable.built("pedometer").inFolder(folder.path)
    var bytes = Array(refused.text(walk).utf8)
    if refused.name == "in UTF-32" { bytes = [0xFF, 0xFE, 0, 0] + bytes.flatMap { [$0, 0, 0, 0] } }
    try folder.write(bytes, to: "walk.csv")
    let extra =
      switch refused.name {
      case "of two devices, with the name of a third": ["--device", "middle"]
      case "with the format of another program stated": ["--input-format", "cwa"]
      default: [String]()
      }
    func count(_ arguments: [String], _ text: String?) throws -> Transcript {
      let input = refused.file == "-" ? Executable.Input.text(text ?? refused.text(walk)) : .nothing
      return try pedometer.run(["count", "--format", "json"] + arguments + [refused.file], input: input)
    }
    let refusal = try count(extra, nil)
    #expect([64, 65].contains(refusal.exitCode) && refusal.output.isEmpty, "\(refusal)")
    for remedy in refused.remedies { #expect(refusal.errors.contains(remedy), "\(refusal.errors)") }

    var results = try refused.typed.map { try count($0, nil) }
    if let mended = refused.mended {
      try folder.write(Array(mended(walk).utf8), to: "walk.csv")
      results.append(try count([], mended(walk)))
    }
    #expect(!results.isEmpty)
    for result in results {
      let found = try #require(result.output.firstMatch(of: /"steps":(\d+)/), "\(result)")
      #expect(result.exitCode == 0 && abs((Int(found.1) ?? -9) - steps) <= 1, "\(result)")
    }
  }
}
