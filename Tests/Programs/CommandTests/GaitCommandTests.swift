import Foundation
import TestSupport
import Testing

@Suite("Gait and step length", .timeLimit(.minutes(30)), .ownThreads)
struct GaitCommandTests {
  private let day = Repository.path("Fixtures/day-in-five-minutes.csv.gz")

  private func run(_ arguments: String...) throws -> Transcript { try Executable.built("pedometer").run(arguments) }

  private struct Gait: Decodable {
    var type: String
    var steps: Int
    var strides: Int?
    var strideTime: Double?
    var speed: Double?
    struct Total: Decodable { var strides: Int }
    var gait: Total?
  }

  @Test("count --gait has a line for each bout and the measures of all in the total; speed needs a step length")
  func gait() throws {
    func lines(_ options: [String]) throws -> [Gait] {
      let transcript = try Executable.built("pedometer").run(["count", "--gait", "--format", "json", day] + options)
      #expect(transcript.ending == .exit(0) && transcript.errors == "")
      return try transcript.outputLines.map { try JSONDecoder().decode(Gait.self, from: Data($0.utf8)) }
    }
    let plain = try lines([])
    #expect(plain.map(\.type) == ["gait", "gait", "total"])
    #expect(plain[2].gait?.strides == plain.reduce(0) { $0 + ($1.strides ?? 0) } && plain[2].steps == 291)
    #expect(plain.allSatisfy { $0.speed == nil })
    let first = try lines(["--step-length", "0.7"])[0]
    #expect(try abs(#require(first.speed) - 1.4 / #require(first.strideTime)) < 0.02)
  }

  @Test("with --steps the times are refined, of as many steps")
  func refined() throws {
    let cells = try run("count", "--steps", day).outputLines.compactMap(Double.init)
    let exact = try run("count", "--steps", "--gait", day).outputLines.compactMap(Double.init)
    #expect(cells.count == 291 && exact.count == 291 && cells != exact)
    #expect(zip(cells, exact).allSatisfy { abs($0 - $1) < 0.067 })
    #expect(try run("count", "--gait", "--epochs", "60", day).ending == .exit(64))
  }

  @Test("calibrate divides the distance by the steps, and refuses an impossible step length")
  func calibrate() throws {
    let walk = try run("calibrate", day, "--distance", "210")
    #expect(walk.output == "291 steps over 210 m: your step is 0.722 m. Use it with --step-length 0.722\n")
    let wrong = try run("calibrate", day, "--distance", "2100")
    #expect(wrong.ending == .exit(65) && wrong.output == "" && wrong.errors.contains("check --distance"))
    #expect(try run("calibrate", day, "--distance", "1").ending == .exit(64))
    #expect(try run("calibrate", "no-such-walk.csv", "--distance", "100").ending == .exit(66))
    #expect(try run("calibrate", day, "--distance", "210", "--format", "csv").ending == .exit(64))
    let help = try run("calibrate", "--help").output
    #expect(help.contains("(values: text, json; default:"))
    #expect(help.contains("pedometer record -o - | pedometer calibrate - --distance 400"))
  }
}
