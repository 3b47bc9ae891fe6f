import Accelerometry
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

/// A way in which a sensor may be poor.
struct Degradation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The allowed relative difference from the clean count.
  let tolerance: Double
  let apply: @Sendable (inout SyntheticWalk) -> Void

  static let all = [
    Degradation(testDescription: "10 % of the samples lost", tolerance: 0.05) { $0.lost = 0.1 },
    Degradation(testDescription: "30 % jitter", tolerance: 0.05) { $0.jitter = 0.3 },
    Degradation(testDescription: "8 bit", tolerance: 0.05) { $0.bits = 8 },
    Degradation(testDescription: "clipping at 2 g", tolerance: 0.05) { $0.range = 2 },
    Degradation(testDescription: "10 Hz", tolerance: 0.10) { $0.rate = 10 },
    Degradation(testDescription: "gravity removed", tolerance: 0.10) { $0.gravityRemoved = true },
  ]
}

@Suite("A poor sensor", .timeLimit(.minutes(30)))
struct DegradationTests {
  @Test("counts nearly what a good one counts", arguments: Degradation.all, SyntheticWalk.positions)
  func counts(degradation: Degradation, position: SensorPlacement) throws {
    for seed in 1...3 {
      let clean = SyntheticWalk {
        $0.position = position
        $0.seed = UInt64(seed)
        $0.duration = .seconds(45)
        $0.lead = .seconds(3)
        $0.tail = .seconds(3)
      }
      var poor = clean
      degradation.apply(&poor)
      let expected = try steps(in: clean).count
      #expect(deviation(try steps(in: poor).count, from: expected) <= degradation.tolerance, "seed \(seed)")
    }
  }
}
