import Platform
import Recordings
import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Additive models", .timeLimit(.minutes(30)))
struct AdditiveModelsTests {
  /// A table of random weights with evenly spaced knots.
  private struct Table {
    static let features = 20
    var knots = [Float](repeating: 0, count: AdditiveModels.knots * features)
    var hinges: [Float] = []
    var lines: [Float] = []
    var bias: [Float] = []

    init(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      for feature in 0..<Self.features {
        let (low, width) = (Float.random(in: -2...0, using: &random), Float.random(in: 0.1...1, using: &random))
        for knot in 0..<5 { knots[Self.features * knot + feature] = low + Float(knot) * width }
      }
      hinges = (0..<(AdditiveModels.hinges * Self.features)).map { _ in Float.random(in: -3...3, using: &random) }
      lines = AdditiveModels.lines(knots: knots, hinges: hinges)
      bias = (0..<AdditiveModels.models).map { _ in Float.random(in: -5...5, using: &random) }
    }

    func evaluate(_ features: [Float]) -> (evidence: Float, model: Int) {
      AdditiveModels.softMinimum(
        AdditiveModels.sums(features.span, knots: knots.span, lines: lines.span, from: SIMD8(bias)))
    }

    /// The sums by definition, in double precision.
    func sums(_ features: [Float]) -> [Double] {
      (0..<AdditiveModels.models).map { model in
        var sum = Double(bias[model])
        for (i, value) in features.enumerated() {
          let k = (0..<5).map { Double(knots[Self.features * $0 + i]) }
          let c = min(max(Double(value), k[0]), k[4])
          for (hinge, basis) in [c, max(0, c - k[1]), max(0, c - k[2]), max(0, c - k[3])].enumerated() {
            sum += basis * Double(hinges[(4 * i + hinge) * AdditiveModels.models + model])
          }
        }
        return sum
      }
    }
  }

  private func features(_ random: inout SplitMix64, within range: ClosedRange<Float>) -> [Float] {
    (0..<Table.features).map { _ in Float.random(in: range, using: &random) }
  }

  @Test("are the soft minimum of sums of lines with knees, for any features", arguments: [1, 10, 1e6] as [Float])
  func definition(range: Float) {
    let table = Table(seed: 1)
    var random = SplitMix64(seed: 2)
    for _ in 0..<300 {
      let some = features(&random, within: -range...range)
      let sums = table.sums(some)
      let least = sums.min()!
      let soft = least - log(sums.reduce(0) { $0 + exp(least - $1) })
      let (evidence, model) = table.evaluate(some)
      #expect(abs(Double(evidence) - soft) < 1e-4)
      #expect(sums[model] - least < 1e-4)
    }
  }

  @Test("are constant beyond the outer knots")
  func clipping() {
    let table = Table(seed: 3)
    let at = (0..<Table.features).map { table.knots[4 * Table.features + $0] }
    let beyond = at.map { $0 + 1000 }
    #expect(table.evaluate(at).evidence == table.evaluate(beyond).evidence)
  }

  @Test("eight equal sums give ln 8 less than one, and a single low sum decides alone")
  func softMinimum() {
    let alike = AdditiveModels.softMinimum(SIMD8(repeating: 3))
    #expect(abs(alike.evidence - (3 - log(8))) < 1e-5)
    #expect(alike.model == 0)
    let alone = AdditiveModels.softMinimum([500, 90, 1e4, -7, 80, 70, 60, 1e30])
    #expect(abs(alone.evidence + 7) < 1e-5)
    #expect(alone.model == 3)
  }

  @Test("name the model with the smallest sum", arguments: 0..<8)
  func smallest(model: Int) {
    var sums = SIMD8<Float>(5, 4, 6, 5, 4, 7, 5, 6)
    sums[model] = -1
    #expect(AdditiveModels.softMinimum(sums).model == model)
  }
}
