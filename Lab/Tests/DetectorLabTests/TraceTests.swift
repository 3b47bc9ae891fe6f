import Testing

@testable import Pedometry
@testable import Recordings
@testable import StepDetection
@testable import detector_lab

@Suite("Inspecting the detector", .timeLimit(.minutes(30))) struct TraceTests {
  @Test("the trace has one line per block with all columns")
  func lines() throws {
    let run = try DetectorRun(SyntheticWalk().reader(), isObserved: true)
    let lines = TraceCommand.lines(of: run)
    #expect(lines.count == run.blocks.count && lines.count > 60)
    let columns = TraceCommand.header.split(separator: ",").count
    #expect(lines.allSatisfy { $0.split(separator: ",").count == columns })
    #expect(TraceCommand.header.hasSuffix(",walking\n"))
    #expect(lines[30].hasSuffix(",1\n"))
  }

  @Test("the signal trace has the windows of the detector")
  func windows() throws {
    let seen = try SeenWalk(SyntheticWalk())
    // the detector holds the last cell for some blocks after the end
    #expect(seen.trace.windows.count > 55 && seen.blocks.count > seen.trace.windows.count)
    for (window, block) in zip(seen.trace.windows, seen.blocks) {
      #expect(window.cadence == block.cadence)
      #expect(abs(window.end - block.end) < 1e-9)
    }
  }

  @Test("evidence decides where steps are counted: none during tooth brushing")
  func decisions() throws {
    var walk = SyntheticWalk()
    walk.program = [.init(.walking, .seconds(25)), .init(.brushingTeeth, .seconds(30))]
    let seen = try SeenWalk(walk)
    let walking = seen.blocks.filter(\.isWalking).map(\.centre)
    #expect(walking.count > 20 && walking.allSatisfy { $0 < 28 })
    #expect(seen.steps.allSatisfy { $0.struck < 28 && $0.told >= $0.struck && $0.told - $0.struck < 6.1 })
  }

  @Test("a slow walk is traced as decided: as walking where the longer window has proved it")
  func slowWalk() throws {
    var walk = SyntheticWalk()
    walk.cadence = 50
    walk.duration = .seconds(60)
    let seen = try SeenWalk(walk)
    let last = try #require(seen.steps.last?.told)
    #expect(seen.steps.count > 30)
    let walking = seen.blocks.filter(\.isWalking)
    #expect(walking.count > 40 && walking.allSatisfy { $0.balance > 0 || $0.end <= last + 3 })
  }

  @Test("the traced phases are the decider's own readings, including spurious and missed peaks")
  func phase() throws {
    var walk = SyntheticWalk()
    walk.position = .foot
    walk.cadence = 120
    walk.seed = 20
    walk.lost = 0.6
    walk.duration = .seconds(40)
    let seen = try SeenWalk(walk)
    let first = try #require(seen.stepPeaks.first)
    let readings = seen.blocks.flatMap(\.readings)
    let end = try #require(readings.last?.time)
    #expect(readings.contains { $0.turns == 0 } && readings.contains { $0.turns == 2 })
    #expect(
      readings.reduce(0) { $0 + $1.turns } == seen.stepPeaks.count { $0 > first + 1e-6 && $0 <= end + 1e-6 })
    for reading in readings where reading.turns > 0 {
      #expect(seen.stepPeaks.contains { abs($0 - reading.time) < 1e-6 })
    }
  }
}
