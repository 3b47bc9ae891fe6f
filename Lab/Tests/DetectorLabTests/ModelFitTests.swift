import Testing

@testable import Accelerometry
@testable import Recordings
@testable import StepDetection
@testable import detector_lab

@Suite("Fitting the gate", .timeLimit(.minutes(30))) struct ModelFitTests {
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
          group: position.rawValue)
        blocks += LabelledBlock.all(in: run, of: entry, strikes: try walk.steps.map(\.inSeconds))
      }
    }
    return blocks
  }

  @Test("a gate fitted to synthetic walks separates them from other activities")
  func separates() throws {
    let blocks = try Self.blocks()
    let model = try ModelFit(to: blocks, settings: ModelFit.Settings(steps: 70)).model
    let quality = Separation(of: model, on: blocks)
    #expect(quality.area > 0.97)
    #expect(quality.sensitivity > 0.9 && quality.specificity > 0.9)
  }

  @Test("the same blocks and settings give the same model, another seed another one")
  func deterministic() throws {
    let blocks = try Self.blocks()
    let fit = { (seed: UInt64) in try ModelFit(to: blocks, settings: ModelFit.Settings(steps: 4, seed: seed)).model }
    let (one, again, other) = (try fit(1), try fit(1), try fit(2))
    #expect(one.slopes == again.slopes && one.bias == again.bias)
    #expect(one.slopes != other.slopes)
  }

  @Test("trust shifts the evidence by its value")
  func trust() throws {
    let blocks = try Self.blocks()
    let fit = { (trust: Float) in
      try ModelFit(to: blocks, settings: ModelFit.Settings(steps: 4, trust: trust)).model.bias
    }
    let shift = zip(try fit(-1), try fit(0)).map { $0 - $1 }
    #expect(shift.allSatisfy { abs($0 + 1) < 0.002 })
  }

  @Test("both classes have equal weight, a stratum the root of its size, and the mean weight is 1")
  func weights() throws {
    let one = try #require(try Self.blocks().first)
    let make = { (isWalking: Bool, stratum: String, count: Int) -> [LabelledBlock] in
      var block = one
      (block.isWalking, block.stratum) = (isWalking, stratum)
      return Array(repeating: block, count: count)
    }
    let blocks = make(true, "a", 16) + make(true, "b", 4) + make(false, "c", 9)
    let weights = ModelFit.weights(of: Array(blocks.indices), in: BlockStrata(blocks))
    let (a, b, c) = (weights[..<16].reduce(0, +), weights[16..<20].reduce(0, +), weights[20...].reduce(0, +))
    #expect(abs(a / b - 2) < 1e-12)
    #expect(abs(a + b - c) < 1e-12)
    #expect(abs(weights.reduce(0, +) - 29) < 1e-12)
  }

  @Test("universal negatives have their share of the weight of what is not walking, and importance is a factor")
  func shares() throws {
    let one = try #require(try Self.blocks().first)
    let make = { (isWalking: Bool, stratum: String, provenance: LabelledBlock.Provenance, importance: Double) in
      var block = one
      (block.isWalking, block.stratum, block.provenance) = (isWalking, stratum, provenance)
      block.importance = importance
      return block
    }
    let blocks = [
      make(true, "a", .recorded, 1), make(false, "b", .recorded, 4), make(false, "c", .recorded, 1),
      make(false, "d", .universal, 1), make(false, "e", .universal, 1),
    ]
    let weights = ModelFit.weights(
      of: Array(blocks.indices), in: BlockStrata(blocks), universalShare: 0.2)
    #expect(abs(weights[1] / weights[2] - 4) < 1e-12)
    #expect(abs((weights[3] + weights[4]) / (weights[1] + weights[2]) - 0.25) < 1e-12)
    #expect(abs(weights[0] - weights[1...].reduce(0, +)) < 1e-12)
  }

  @Test("a fit uses only the blocks that it includes, and takes its knots from recordings only")
  func included() throws {
    let blocks = try Self.blocks()
    var far = blocks.filter { !$0.isWalking }
    for i in far.indices {
      (far[i].provenance, far[i].features.logAmplitude) = (.universal, 90)
    }
    let rows = try FitRows(blocks + far)
    #expect(rows.knots == (try FitRows(blocks).knots))
    let settings = ModelFit.Settings(steps: 4)
    let all = try ModelFit(to: rows, settings: settings) { _ in true }.model
    let some = try ModelFit(to: rows, settings: settings) { $0.provenance == .recorded }.model
    #expect(all.slopes != some.slopes)
    #expect(throws: ModelFitError.oneClass(isWalking: true)) {
      try ModelFit(to: rows, settings: settings) { $0.isWalking }
    }
  }

  @Test("blocks that do not determine a model are refused")
  func refused() throws {
    let blocks = try Self.blocks()
    #expect(throws: ModelFitError.noBlocks) { try ModelFit(to: []) }
    #expect(throws: ModelFitError.oneClass(isWalking: true)) { try ModelFit(to: blocks.filter(\.isWalking)) }
    #expect(throws: ModelFitError.oneClass(isWalking: false)) { try ModelFit(to: blocks.filter { !$0.isWalking }) }
    var bad = blocks
    bad[3].features.logShare = .nan
    #expect(throws: ModelFitError.notFinite(block: 3)) { try ModelFit(to: bad) }
  }

  @Test("knots rise, even if all values are the same")
  func knots() {
    let same = FitRows.knots(Array(repeating: 0.5, count: 100))
    #expect(zip(same, same.dropFirst()).allSatisfy { $0 < $1 })
    #expect(FitRows.knots((0...100).map(Float.init)) == [2, 26, 50, 74, 98])
  }

  @Test("quantiles are interpolated linearly between ranks")
  func quantiles() {
    #expect(FitRows.quantile(0.5, of: [1, 2, 4, 10]) == 3)
    #expect(FitRows.quantile(1, of: [1, 2]) == 2)
    #expect(FitRows.quantile(0.25, of: [0, 4]) == 1)
  }

  @Test("what is written is read by the detector as the same models")
  func table() {
    let models = GateModels.shipped
    let read = GateModels(table: Array(ModelSource.text(of: models).utf8))
    for model in [\GateModels.ordinary, \.withoutGravity, \.slow, \.slowWithoutGravity] {
      #expect(read[keyPath: model].knots == models[keyPath: model].knots)
      #expect(read[keyPath: model].slopes == models[keyPath: model].slopes)
      #expect(read[keyPath: model].bias == models[keyPath: model].bias)
    }
  }

  @Test("a gate under test determines the count, also after a gap")
  func trial() throws {
    let sure = GateModels.shipped.ordinary
    let never = WalkingModel(
      knots: sure.knots, slopes: Array(repeating: 0, count: sure.slopes.count),
      bias: Array(repeating: -100, count: 8))
    let models = GateModels(
      ordinary: never, withoutGravity: never, slow: never, slowWithoutGravity: never)
    let counted = try DetectorRun(SyntheticWalk().reader()).steps.count
    #expect(counted > 100)
    #expect(try DetectorRun(SyntheticWalk().reader(), models: .shipped).steps.count == counted)
    #expect(try DetectorRun(SyntheticWalk().reader(), models: models).steps.isEmpty)
    #expect(try DetectorRun(Interrupted(SyntheticWalk().reader()), models: models).steps.isEmpty)
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
