import Accelerometry
import Counting
import Foundation
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@testable import PedometerCommands

@Suite("Six-minute walk", .timeLimit(.minutes(30)), .ownThreads)
struct WalkTestTests {
  /// Steps at these seconds, told one by one, and then the time alone.
  private func test(
    _ seconds: [Double], until end: Double, stepLength: Double? = nil
  ) -> (test: WalkTest, calls: [String]) {
    var test = WalkTest(stepLength: stepLength)
    var calls: [String] = []
    func tell(_ steps: [Double], now: Double) {
      calls += test.take(
        WalkProgress(
          steps: steps.map { Step(timestamp: .seconds($0)) }, totals: WalkTotals(steps: 0, distanceTravelled: 0),
          now: .seconds(now)))
    }
    for second in seconds { tell([second], now: second + 1) }
    for second in stride(from: (seconds.last ?? 0) + 1, through: end, by: 1) { tell([], now: second) }
    return (test, calls)
  }

  /// Two steps a second from one second to another.
  private func pace(_ from: Double, _ to: Double) -> [Double] { Array(stride(from: from, to: to, by: 0.5)) }

  @Test("the time begins with the first step, and ends six minutes later; later steps do not count")
  func length() {
    let (test, _) = test(pace(100, 500), until: 520)
    let result = test.result()
    #expect(result.steps == 720 && result.duration == .seconds(360) && result.isComplete)
    #expect(result.minutes == [120, 120, 120, 120, 120, 120])
    #expect(test.isOver && test.standing.left == .zero)
  }

  @Test("it is not over before the last steps can be confirmed")
  func patience() {
    #expect(!test(pace(0, 300), until: 365).test.isOver)
    #expect(test(pace(0, 300), until: 367).test.isOver)
  }

  @Test("each minute, the last 15 seconds and the end are called out once; after a loss only the latest")
  func calls() {
    let whole = test(pace(5, 370), until: 380).calls
    #expect(
      whole.map { $0.prefix(12) } == [
        "go: the six ", "5 minutes to", "4 minutes to", "3 minutes to", "2 minutes to", "1 minute to ", "15 seconds t",
        "stop: the si",
      ])
    var jump = WalkTest(stepLength: nil)
    _ = jump.take(
      WalkProgress(
        steps: [Step(timestamp: .zero)], totals: WalkTotals(steps: 0, distanceTravelled: 0), now: .seconds(2)))
    let late = jump.take(
      WalkProgress(steps: [], totals: WalkTotals(steps: 0, distanceTravelled: 0), now: .seconds(200)))
    #expect(late == ["3 minutes to go"] && jump.standing.left == .seconds(160))
  }

  @Test("a time without steps is a rest, also before the end, and the cadence is that of the walking")
  func rests() throws {
    let result = test(pace(0, 100) + pace(110, 300), until: 380).test.result()
    #expect(result.rests == 2)
    // From the last step before each rest: 99.5 to 110, and 299.5 to 360.
    #expect(result.restTime == .seconds(71))
    let json = try object(result.line(.json))
    #expect(try abs(#require(json["cadence"] as? Double) - 2) < 0.03)
  }

  @Test("distance needs a measured step length; the page says how to measure it")
  func distance() throws {
    let (plain, measured) = (
      test(pace(0, 365), until: 380).test.result(), test(pace(0, 365), until: 380, stepLength: 0.7).test.result()
    )
    #expect(try object(plain.line(.json))["distanceTravelled"] is NSNull)
    #expect(try object(measured.line(.json))["distanceTravelled"] as? Double == 504)
    #expect(measured.page(source: "board", frequency: 50).contains("distance    504 m, at 0.7 m a step"))
    #expect(plain.page(source: "board", frequency: nil).contains("pedometer calibrate"))
  }

  @Test("a test that ends early, does not begin or loses samples says so")
  func incomplete() {
    let early = test(pace(0, 100), until: 120).test.result()
    #expect(
      !early.isComplete && early.line(.json).contains("the test ended after 2 min 00 s") && early.minutes == [120, 80])
    let none = WalkTest(stepLength: nil).result()
    #expect(none.steps == 0 && none.line(.json).contains("the test did not begin: there was no step"))
    var lossy = test(pace(0, 100), until: 120).test
    lossy.interrupt()
    // The gap after a loss is the same loss.
    lossy.interrupt()
    #expect(lossy.result().line(.json).contains("samples were lost once"))
    var late = test(pace(0, 365), until: 380).test
    late.interrupt()
    #expect(!late.result().line(.json).contains("samples were lost"))
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  // MARK: the command

  private func live(_ options: [String], minutes: Double) throws -> Transcript {
    let walk = try WrittenWalk(
      SyntheticWalk { ($0.position, $0.duration, $0.lead) = (.lowerBack, .seconds(60 * minutes), .seconds(10)) })
    return try Executable.built("pedometer").run(["live", "-", "--walk-test"] + options, input: .text(walk.text))
  }

  @Test("live --walk-test prints the result with the gait before the total, for programs")
  func json() throws {
    let transcript = try live(["--format", "json", "--step-length", "0.7"], minutes: 7)
    #expect(transcript.ending == .exit(0))
    let lines = try transcript.outputLines.map { try object(String($0)) }
    #expect(lines.suffix(2).map { $0["type"] as? String } == ["walkTest", "total"])
    let result = try #require(lines.dropLast().last)
    #expect(result["isComplete"] as? Bool == true && result["duration"] as? Double == 360)
    let steps = try #require(result["steps"] as? Int)
    let minutes = try #require(result["minutes"] as? [Int])
    #expect(minutes.count == 6 && minutes.reduce(0, +) == steps && steps > 600)
    #expect(try abs(#require(result["distanceTravelled"] as? Double) - Double(steps) * 0.7) < 0.01)
    let gait = try #require(result["gait"] as? [String: Any])
    #expect(try #require(gait["strides"] as? Int) > 280)
    #expect(
      lines.contains { $0["event"] as? String == "walkTest" && ($0["message"] as? String)?.hasPrefix("stop") == true })
  }

  @Test("people get one page, in 80 columns")
  func page() throws {
    let transcript = try live([], minutes: 2)
    let lines = transcript.outputLines
    #expect(lines.first == "Six-minute walk")
    #expect(lines.count < 24 && lines.allSatisfy { $0.count < 80 })
    for name in ["steps", "distance", "cadence", "walking", "rests", "minute", "gait", "note"] {
      #expect(lines.contains { $0.hasPrefix("  \(name) ") }, "\(name)")
    }
    #expect(transcript.errors.contains("the six minutes begin with your first step"))
  }

  @Test("rows of CSV keep their columns, and a length of its own is refused")
  func csv() throws {
    let rows = try live(["--format", "csv"], minutes: 1).outputLines
    #expect(rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 12 })
    #expect(rows.suffix(2).map { $0.prefix(6) } == ["walkTe", "total,"])
    for options in [["--duration", "60"], ["--goal", "500"]] {
      let refused = try Executable.built("pedometer").run(["live", "synthetic:", "--walk-test"] + options)
      #expect(refused.ending == .exit(64) && refused.errors.contains("--walk-test lasts six minutes"))
    }
  }
}
