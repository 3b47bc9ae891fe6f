import Pedometry
import Recordings
import StepDetection
import Testing

@testable import detector_lab

@Suite("Looking into the detector", .timeLimit(.minutes(10))) struct TraceTests {
  @Test("the trace has one line a block with all of its columns")
  func lines() throws {
    let run = try DetectorRun(SyntheticWalk().reader(), isObserved: true)
    let lines = TraceCommand.lines(of: run)
    #expect(lines.count == run.blocks.count && lines.count > 60)
    let columns = TraceCommand.header.split(separator: ",").count
    #expect(lines.allSatisfy { $0.split(separator: ",").count == columns })
    #expect(TraceCommand.header.hasSuffix(",walking\n"))
    #expect(lines[30].hasSuffix(",1\n"))
  }

  @Test("the signal trace sees the windows that the detector sees")
  func windows() throws {
    let seen = try SeenWalk(SyntheticWalk())
    // the detector holds the last cell for some blocks after the end
    #expect(seen.trace.windows.count > 55 && seen.blocks.count > seen.trace.windows.count)
    for (window, block) in zip(seen.trace.windows, seen.blocks) {
      #expect(window.cadence == block.cadence)
      #expect(abs(window.end - block.end) < 1e-9)
    }
  }

  @Test("evidence decides where steps are: none while teeth are brushed")
  func decisions() throws {
    var walk = SyntheticWalk()
    walk.program = [.init(.walking, .seconds(25)), .init(.brushingTeeth, .seconds(30))]
    let seen = try SeenWalk(walk)
    let walking = zip(seen.blocks, seen.decisions).filter(\.1.isWalking).map(\.0.centre)
    #expect(walking.count > 20 && walking.allSatisfy { $0 < 28 })
    #expect(seen.steps.allSatisfy { $0.struck < 28 && $0.told >= $0.struck && $0.told - $0.struck < 6.1 })
  }

  @Test("following the phase finds the detector's own steps, spurious peaks and missed ones among them")
  func phase() throws {
    var walk = SyntheticWalk()
    walk.position = .foot
    walk.cadence = 120
    walk.seed = 20
    walk.lost = 0.6
    walk.duration = .seconds(40)
    let seen = try SeenWalk(walk)
    let first = try #require(seen.stepPeaks.first)
    let phase = PhaseTrace(peaks: seen.trace.peaks, blocks: seen.blocks, from: first)
    // the running peak height has settled by then
    let middle = phase.readings.filter { (12...36).contains($0.time) }
    let (begin, end) = (try #require(middle.first?.time), try #require(middle.last?.time))
    #expect(middle.contains { $0.turns == 0 } && middle.contains { $0.turns == 2 })
    #expect(
      middle.dropFirst().reduce(0) { $0 + $1.turns } == seen.stepPeaks.count { $0 > begin + 1e-6 && $0 <= end + 1e-6 })
    for reading in middle where reading.turns > 0 {
      #expect(seen.stepPeaks.contains { abs($0 - reading.time) < 1e-6 })
    }
  }
}
