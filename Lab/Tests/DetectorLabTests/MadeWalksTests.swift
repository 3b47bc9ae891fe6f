import Testing

@testable import Accelerometry
@testable import StepDetection
@testable import detector_lab

@Suite("Walks of random harmonics", .timeLimit(.minutes(30))) struct MadeWalksTests {
  private static func count(_ samples: [AccelerationSample]) -> Int {
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    counter.process(samples.span)
    counter.finish()
    return counter.steps
  }

  @Test(
    "of walks and runs of random harmonics, at most one in a hundred is lost, and at most five err by more than 3 %")
  func harmonics() {
    let shares = (0..<100 as Range<UInt64>).map { number in
      let gait = HarmonicGait(seed: 3, number: number)
      return Double(Self.count(gait.samples)) / Double(gait.strikes.count)
    }
    #expect(shares.count { $0 < 0.5 } <= 1)
    #expect(shares.count { abs($0 - 1) > 0.03 } <= 5)
  }

  @Test("made walks have the same samples in every run, a step in every period, and gravity at rest")
  func repeatable() {
    for number in 0..<20 as Range<UInt64> {
      let gait = HarmonicGait(seed: 3, number: number)
      #expect(gait.samples == HarmonicGait(seed: 3, number: number).samples)
      let seconds = (gait.strikes.last ?? 0) - (gait.strikes.first ?? 0)
      #expect(abs(Double(gait.strikes.count - 1) / seconds / gait.cadence - 1) < 0.06)
      let last = gait.samples[gait.samples.count - 1].acceleration
      #expect(abs((last * last).sum().squareRoot() - 1) < 0.15)
    }
  }
}
