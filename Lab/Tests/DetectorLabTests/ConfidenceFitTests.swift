import Testing

@testable import Accelerometry
@testable import Recordings
@testable import StepDetection
@testable import detector_lab

@Suite("Calibration", .timeLimit(.minutes(30))) struct ConfidenceFitTests {
  /// Bouts whose share of real ones is a probability that rises with the evidence.
  private static func bouts(_ count: Int, share: (Double) -> Double) -> [JudgedBout] {
    (0..<count).map { i in
      let evidence = -2 + 6 * Double(i) / Double(count)
      // A low-discrepancy sequence, as even as chance is over many.
      let turn = (Double(i) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
      return JudgedBout(evidence: evidence, isReal: turn < share(evidence), stepEvidence: [], group: "\(i % 23)")
    }
  }

  @Test("the table finds the shares of generated bouts")
  func shares() {
    let share = { (evidence: Double) in min(0.95, max(0.1, 0.4 + 0.15 * evidence)) }
    let table = ConfidenceFit.table(of: Self.bouts(4000, share: share))
    for evidence in [-1.5, 0, 1, 2, 3] { #expect(abs(table(evidence) - share(evidence)) < 0.06, "\(evidence)") }
  }

  @Test("scores whose shares fall by chance get the same confidence")
  func pools() {
    let table = ConfidenceFit.table(of: Self.bouts(2000) { $0 < 0 ? 0.8 : $0 < 1 ? 0.4 : 0.9 })
    #expect(zip(table.knots, table.knots.dropFirst()).allSatisfy { $0.confidence <= $1.confidence })
    #expect(abs(table(-1) - table(0.5)) < 0.2)
  }

  @Test("few bouts give a low confidence")
  func few() {
    #expect(ConfidenceFit.table(of: []).knots.map(\.confidence) == [0.5])
    let four = ConfidenceFit.table(of: Self.bouts(4) { _ in 1 })
    #expect(four(9) < 0.9)
    #expect(ConfidenceFit.table(of: Self.bouts(100_000) { _ in 1 })(9) == 0.99)
  }

  @Test("each bout is rated with a table computed without its person")
  func crossValidation() {
    let odd = (0..<200).map {
      JudgedBout(evidence: 2 + Double($0) / 1000, isReal: false, stepEvidence: [], group: "odd")
    }
    let judged = ConfidenceFit.crossValidated(Self.bouts(2000) { _ in 1 } + odd)
    let given = judged.filter { $0.bout.group == "odd" }.map { $0.table($0.bout.evidence) }
    #expect(given.count == 200 && given.allSatisfy { $0 > 0.95 })
  }

  @Test(
    "a bout is real if the recording is a walk and, where strikes are known, has one in it; each beginning adds its own"
  )
  func judged() throws {
    var walk = SyntheticWalk()
    (walk.duration, walk.rate) = (.seconds(30), 25)
    var reader = try walk.reader()
    var (samples, batch) = ([AccelerationSample](), [AccelerationSample]())
    while reader.read(into: &batch) { samples += batch }
    let bouts = { (steps: Double?, strikes: [Double]?, models: GateModels) in
      JudgedBout.all(
        in: samples,
        of: RecordingIndex.Entry(path: "", trueSteps: steps, dataset: "d", activity: "walk", group: "ann"),
        strikes: strikes, models: models)
    }
    let real = bouts(40, nil, .shipped)
    #expect(real.count == 4 && real.allSatisfy { $0.isReal && $0.group == "ann" && $0.evidence > 2 })
    #expect(real.allSatisfy { $0.stepEvidence.count > 30 })
    #expect(bouts(40, [15], .shipped).map(\.isReal) == [true, true, true, true])
    #expect(bouts(40, [300], .shipped).map(\.isReal) == [false, false, false, false])
    #expect(bouts(0, nil, .shipped).map(\.isReal) == [false, false, false, false])
    var deaf = GateModels.shipped
    let model = deaf.ordinary
    deaf.ordinary = WalkingModel(knots: model.knots, slopes: model.slopes, bias: model.bias.map { $0 - 100 })
    #expect(bouts(40, nil, deaf).isEmpty)
  }

  @Test("the table is printed in the form of its source")
  func source() {
    let table = ConfidenceTable(knots: [.init(-0.5, 0.4), .init(2, 0.95)])
    #expect(
      ConfidenceFit.source(of: table)
        == "package static let shipped = ConfidenceTable(knots: [\n  Knot(-0.5, 0.4), Knot(2, 0.95),\n])\n")
  }

  @Test("reliability compares the confidence with the real share")
  func reliability() {
    let given = (0..<100).map { (confidence: 0.92, isReal: $0 < 90) }
    let text = ConfidenceFit.reliability(given)
    #expect(text.contains("0.90 to 0.95") && text.contains("100    0.920    0.900"), "\(text)")
    #expect(!text.contains("0.99 and more"))
  }
}
