import Accelerometry
import Recordings
import StepDetection
import Testing

@testable import detector_lab

@Suite("Fitting the gate", .timeLimit(.minutes(10))) struct GateFitTests {
  /// Walks and other activities of several positions, labelled by construction.
  private static func blocks() throws -> [LabelledBlock] {
    var blocks: [LabelledBlock] = []
    for (i, activity) in [SyntheticWalk.Activity.walking, .brushingTeeth, .typing, .driving].enumerated() {
      for position in [SensorPlacement.wrist, .pocket, .lowerBack] {
        var walk = SyntheticWalk()
        walk.activity = activity
        walk.position = position
        walk.seed = UInt64(i + 3)
        walk.rate = 25
        walk.duration = .seconds(60)
        let run = try DetectorRun(walk.reader(), isObserved: true)
        let entry = RecordingIndex.Entry(
          path: "", trueSteps: activity.isGait ? 100 : 0, dataset: "synthetic", activity: activity.rawValue,
          group: position.rawValue, events: nil)
        blocks += LabelledBlock.all(in: run, of: entry, strikes: try walk.steps.map(\.inSeconds))
      }
    }
    return blocks
  }

  @Test("a gate fitted to synthetic walks separates them from other activities")
  func separates() throws {
    let blocks = try Self.blocks()
    let fit = try GateFit(to: blocks)
    let quality = Separation(of: fit.gate, on: blocks)
    #expect(quality.area > 0.97)
    #expect(quality.sensitivity > 0.9 && quality.specificity > 0.9)
    let alike = Separation.agreement(fit.gate, fit.exact, on: blocks)
    #expect(alike.correlation > 0.999 && alike.sameSide > 0.99)
    #expect(fit.gate.terms.map(\.name) == BlockFeatures.termNames)
    #expect(fit.gate.terms.allSatisfy { $0.low < $0.knot && $0.knot < $0.high })
  }

  @Test("both classes weigh alike, a stratum weighs as the root of its size, and the mean weight is 1")
  func weights() throws {
    let one = try #require(try Self.blocks().first)
    let make = { (isWalking: Bool, stratum: String, count: Int) -> [LabelledBlock] in
      var block = one
      (block.isWalking, block.stratum) = (isWalking, stratum)
      return Array(repeating: block, count: count)
    }
    let blocks = make(true, "a", 16) + make(true, "b", 4) + make(false, "c", 9)
    let weights = GateFit.weights(of: blocks)
    let (a, b, c) = (weights[..<16].reduce(0, +), weights[16..<20].reduce(0, +), weights[20...].reduce(0, +))
    #expect(abs(a / b - 2) < 1e-12)
    #expect(abs(a + b - c) < 1e-12)
    #expect(abs(weights.reduce(0, +) - 29) < 1e-12)
  }

  @Test("clip points and knee stay in order where recordings hold nothing near those set by hand")
  func order() throws {
    let loud = try Self.blocks().map { block in
      var block = block
      block.features.logAmplitude += 5
      block.features.logShare += 5
      return block
    }
    #expect(try GateFit(to: loud).gate.terms.allSatisfy { $0.low <= $0.knot && $0.knot <= $0.high })
  }

  @Test("quantiles lie on the straight line between ranks")
  func quantiles() {
    #expect(GateFit.quantile(0.5, of: [1, 2, 4, 10]) == 3)
    #expect(GateFit.quantile(1, of: [1, 2]) == 2)
    #expect(GateFit.quantile(0.25, of: [0, 4]) == 1)
  }

  @Test("the shipped gate on trial judges as the detector does, with the constants as they are written")
  func shipped() throws {
    let run = try DetectorRun(SyntheticWalk().reader(), isObserved: true)
    for seen in run.blocks {
      #expect(abs(TrialGate.shipped.evidence(of: seen.block.features) - seen.block.evidence) < 1e-4)
    }
    #expect(FitCommand.source(of: .shipped).contains("static let gateBias: Float = 10.82\n"))
    #expect(
      FitCommand.source(of: .shipped).contains(
        "strideTerm = PiecewiseLinear(low: -0.06, knot: 1.14, high: 1.6, below: 5.76, above: 7.01)"))
  }

  @Test("a gate on trial decides what is counted, also after a gap")
  func trial() throws {
    let never = TrialGate(bias: -100, terms: TrialGate.shipped.terms)
    let counted = try DetectorRun(SyntheticWalk().reader()).steps.count
    #expect(counted > 100)
    #expect(try DetectorRun(SyntheticWalk().reader(), gate: .shipped).steps.count == counted)
    #expect(try DetectorRun(SyntheticWalk().reader(), gate: never).steps.isEmpty)
    #expect(try DetectorRun(Interrupted(SyntheticWalk().reader()), gate: never).steps.isEmpty)
  }

  /// A pause of five seconds after each batch.
  private struct Interrupted: SampleReader {
    var base: SyntheticWalk.Reader
    var delay: Int64 = 0
    var profile: SensorProfile { base.profile }

    init(_ base: SyntheticWalk.Reader) { self.base = base }

    mutating func read(into samples: inout [AccelerationSample]) -> Bool {
      let isMore = base.read(into: &samples)
      for i in samples.indices { samples[i].nanoseconds += delay }
      delay += 5_000_000_000
      return isMore
    }
  }
}
