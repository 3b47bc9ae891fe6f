import Foundation
import Recordings
import TestSupport
import Testing

@Suite("Floors in recordings", .timeLimit(.minutes(30)), .ownThreads)
struct CountFloorsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A minute's walk that climbs 0.3 m a second from the tenth second to the fortieth, with another column.
  private func write(_ column: String, _ value: (_ metres: Double) -> Double) throws -> String {
    let walk = try WrittenWalk.minute()
    let rows = zip(walk.rows, walk.samples).map { row, sample in
      let seconds = Double(sample.nanoseconds - walk.samples[0].nanoseconds) / 1e9
      return row.dropLast() + ",\(value(0.3 * min(30, max(0, seconds - 10))))\n"
    }
    return try folder.write(Array(("t,x,y,z,\(column)\n" + rows.joined()).utf8), to: "walk.csv")
  }

  private static func hectopascals(_ metres: Double) -> Double {
    1013.25 * pow(1 - 2.25577e-5 * (metres + 200), 5.25588)
  }

  private func count(_ path: String, _ arguments: [String] = []) throws -> Transcript {
    try Executable.built("pedometer").run(["count", path] + arguments)
  }

  @Test(
    "a barometer's column gives floors, in whatever unit",
    arguments: [("pressure", 1.0), ("Pressure (Pa)", 100), ("barometer_kPa", 0.1)])
  func pressure(_ column: String, _ unit: Double) throws {
    let path = try write(column) { Self.hectopascals($0) * unit }
    let transcript = try count(path, ["--format", "json"])
    #expect(transcript.output.contains(#""floorsAscended":3,"floorsDescended":0"#), "\(transcript)")
    #expect(try count(path).output.contains("  floors    3 up, 0 down\n"))
    // The walk itself is as without the column.
    let plain = try folder.write(Array(WrittenWalk.minute().text.utf8), to: "plain.csv")
    let steps = { (text: String) in text.firstMatch(of: /"steps":\d+/).map { String($0.0) } }
    #expect(try steps(transcript.output) == steps(count(plain, ["--format", "json"]).output))
  }

  @Test("a recording from a pipe, which can be read only once, has the floors of the file")
  func pipe() throws {
    let text = try TemporaryDirectory.text(of: write("pressure", Self.hectopascals))
    let piped = try Executable.built("pedometer").run(["count", "-", "--format", "json"], input: .text(text))
    #expect(piped.output.contains(#""floorsAscended":3,"floorsDescended":0"#), "\(piped)")
  }

  @Test("the height of a barometer descends as well; that of satellites, and pressures of something else, give none")
  func heights() throws {
    let path = try write("relativeAltitude") { -$0 }
    #expect(
      try count(path, ["--format", "json"]).output.contains(#""floorsAscended":0,"floorsDescended":3"#))
    for (column, scale) in [("altitude", 1.0), ("tyre pressure (bar)", 0.2)] {
      let none = try write(column) { 2 + $0 * scale }
      #expect(try !count(none, ["--format", "json"]).output.contains("floors"))
    }
  }
}
