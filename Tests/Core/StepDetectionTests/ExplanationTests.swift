import Accelerometry
import Foundation
import Pedometry
import Recordings
import TestSupport
import Testing

@testable import StepDetection

/// All findings of a counter in some samples.
private func explained(
  _ samples: [AccelerationSample], cut: Int? = nil, table: ConfidenceTable = .shipped
) -> (steps: [Step], findings: [WalkFinding]) {
  var counter = WalkCounter(latency: StepDetector.longestRevision)
  counter.explain(with: table)
  var steps: [Step] = []
  var findings: [WalkFinding] = []
  for begin in stride(from: 0, to: samples.count, by: cut ?? max(1, samples.count)) {
    steps += counter.process(Array(samples[begin..<min(samples.count, begin + (cut ?? samples.count))]).span)
    findings += counter.takeFindings()
  }
  steps += counter.finish()
  return (steps, findings + counter.takeFindings())
}

/// A movement made of sines on top of gravity, at 50 Hz: (hertz, g) for the three axes.
private func movement(
  _ waves: [(axis: Int, hertz: Double, g: Double)], seconds: Double = 30
) -> [AccelerationSample] {
  (0..<Int(seconds * 50)).map { i in
    var a = SIMD3<Float>(0, 0, 1)
    for wave in waves { a[wave.axis] += Float(wave.g * sin(2 * .pi * wave.hertz * Double(i) / 50)) }
    return AccelerationSample(nanoseconds: Int64(i) * 20_000_000, acceleration: a)
  }
}

private func objections(_ findings: [WalkFinding]) -> [Objection] {
  findings.compactMap { if case .stretch(let stretch) = $0 { stretch.objection } else { nil } }
}

private func bouts(_ findings: [WalkFinding]) -> [WalkBout] {
  findings.compactMap { if case .bout(let bout) = $0 { bout } else { nil } }
}

@Suite("Why it counts, and why not", .timeLimit(.minutes(30))) struct ExplanationTests {
  private func day() throws -> [AccelerationSample] {
    var walk = SyntheticWalk()
    walk.program = [
      .init(.standing, .seconds(10)), .init(.walking, .seconds(25)), .init(.standing, .seconds(30)),
      .init(.brushingTeeth, .seconds(40)), .init(.standing, .seconds(10)), .init(.walking, .seconds(20)),
    ]
    return try walk.samples()
  }

  @Test("walks are bouts, tooth brushing is shaking, standing is not reported, each at its time")
  func sequence() throws {
    let findings = explained(try day()).findings
    // The brush may rest between two quadrants of the mouth.
    let brushing = findings.dropFirst().dropLast()
    try #require(bouts(findings).count == 2 && !brushing.isEmpty, "\(findings)")
    #expect(objections(Array(brushing)).allSatisfy { $0 == .shaking } && objections(findings).count == brushing.count)
    let times = [
      findings[0].start, findings[0].end, brushing.first?.start, brushing.last?.end, findings.last?.start,
      findings.last?.end,
    ]
    for (found, true_) in zip(times, [10.0, 35, 65, 105, 115, 135]) {
      #expect(abs(try #require(found) / .seconds(1) - true_) < 3, "\(true_)")
    }
  }

  @Test(
    "repetitive movement other than gait is classified",
    arguments: [
      (Objection.cycling, [(axis: 0, hertz: 1.0, g: 0.5), (axis: 2, hertz: 1.0, g: 0.3)]),
      (.exercise, [(axis: 0, hertz: 0.55, g: 0.35), (axis: 2, hertz: 0.55, g: 0.2)]),
    ])
  func movements(expected: Objection, waves: [(axis: Int, hertz: Double, g: Double)]) {
    let (steps, findings) = explained(movement(waves))
    #expect(steps.isEmpty)
    #expect(objections(findings) == [expected])
    #expect(findings.allSatisfy { $0.end - $0.start > .seconds(20) })
  }

  @Test(
    "explanations need no more than is observed for them",
    arguments: [
      SyntheticWalk.Activity.walking, .running, .standing, .typing, .brushingTeeth, .driving,
    ])
  func brevity(activity: SyntheticWalk.Activity) throws {
    var walk = SyntheticWalk()
    // So slow that only the longer windows find it.
    let cadence: Double? = activity == .walking ? 50 : nil
    walk.program = [
      .init(.standing, .seconds(15)), .init(activity, .seconds(90), cadence: cadence), .init(.walking, .seconds(40)),
    ]
    let samples = try walk.samples()
    var (brief, full) = (StepDetector(latency: .seconds(20)), StepDetector(latency: .seconds(20)))
    brief.observer = BlockObserver(blocks: [], isForExplanations: true)
    full.observations = []
    var (steps, known): ([Step], [Step]) = ([], [])
    for begin in stride(from: 0, to: samples.count, by: 700) {
      let some = Array(samples[begin..<min(samples.count, begin + 700)])
      brief.process(some.span, into: &steps)
      full.process(some.span, into: &known)
    }
    brief.finish(into: &steps)
    full.finish(into: &known)
    #expect(steps == known)
    let (seen, all) = (try #require(brief.observer).blocks, try #require(full.observations))
    #expect(seen.map(\.evidence) == all.map(\.evidence))
    #expect(seen.map(\.centre) == all.map(\.centre))
    let objections = [seen, all].map { blocks in
      blocks.map { Objection($0.features, shape: $0.shape, evidence: $0.evidence) }
    }
    #expect(objections[0] == objections[1])
    #expect(seen.count { $0.shape != nil } < all.count { $0.shape != nil })
  }

  @Test("swinging four times a second is shaking, unless the gate takes it for harmonics of steps")
  func harmonics() throws {
    var detector = StepDetector(latency: .seconds(6))
    detector.observations = []
    var steps: [Step] = []
    detector.process(movement([(axis: 0, hertz: 4, g: 0.3), (axis: 2, hertz: 4, g: 0.2)]).span, into: &steps)
    let blocks = try #require(detector.observations).filter { $0.features.amplitude > 0.1 }
    let block = try #require(blocks.dropFirst(blocks.count / 2).first).features
    #expect(block.smoothness < -0.1)
    #expect(Objection(block, evidence: -1.5) == .shaking)
    for evidence: Float in [-0.5, 0.5, 2] { #expect(Objection(block, evidence: evidence) != .shaking) }
    #expect(Objection(block, evidence: 2) == .brief)
  }

  @Test("sharp blows across gravity are blows if the shape is known", arguments: [1.6, 2])
  func blows(hertz: Double) throws {
    let samples = (0..<1500).map { i in
      let phase = (Double(i) / 50 * hertz).truncatingRemainder(dividingBy: 1)
      let blow = 2 * exp(-pow((phase - 0.5) / hertz / 0.03, 2))
      return AccelerationSample(nanoseconds: Int64(i) * 20_000_000, acceleration: [Float(blow), 0, 1])
    }
    var detector = StepDetector(latency: .seconds(6))
    detector.observations = []
    var steps: [Step] = []
    detector.process(samples.span, into: &steps)
    let blocks = try #require(detector.observations)
    let block = try #require(blocks.dropFirst(blocks.count / 2).first)
    #expect(Objection(block.features, shape: block.shape, evidence: -2) == .blows)
    #expect(Objection(block.features, evidence: -2) != .blows)
    #expect(Objection(block.features, shape: block.shape, evidence: 2) == .brief)
  }

  @Test("movement too short to report is added up, and reported movement is not", arguments: [3.0, 30])
  func unlisted(seconds: Double) {
    let swinging = movement([(axis: 0, hertz: 0.55, g: 0.35), (axis: 2, hertz: 0.55, g: 0.2)], seconds: seconds)
    let rest = movement([], seconds: 20)
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    counter.explains = true
    var samples: [AccelerationSample] = []
    for sample in rest + swinging + rest {
      samples.append(
        AccelerationSample(nanoseconds: Int64(samples.count) * 20_000_000, acceleration: sample.acceleration))
    }
    counter.process(samples.span)
    counter.finish()
    let findings = counter.takeFindings()
    if seconds < 5 {
      #expect(findings.isEmpty)
      // A window of the autocorrelation contains a movement before it begins and after it ends.
      #expect((.seconds(2)...(.seconds(9))).contains(counter.unlistedMovement), "\(counter.unlistedMovement)")
    } else {
      #expect(objections(findings) == [.exercise] && counter.unlistedMovement == .zero)
    }
  }

  @Test("a desk and a bed give no findings")
  func rest() {
    #expect(explained(movement([(axis: 2, hertz: 1.8, g: 0.01)])).findings.isEmpty)
  }

  @Test("a car is neither walking nor exercise")
  func driving() throws {
    var walk = SyntheticWalk()
    walk.program = [.init(.driving, .seconds(120))]
    let findings = explained(try walk.samples()).findings
    #expect(bouts(findings).isEmpty)
    #expect(objections(findings).allSatisfy { [.irregular, .quiet, .trembling].contains($0) }, "\(findings)")
  }

  @Test("what mostly looks like walking was too short only if it lasted less than any proof takes", arguments: [8, 59])
  func brief(seconds: Double) throws {
    var correlation = Correlation()
    (correlation.axesAmplitude, correlation.magnitudeAmplitude) = (0.3, 0.2)
    let features = BlockFeatures(correlation, Stride(searching: correlation))
    var explainer = WalkExplainer(latency: StepDetector.longestRevision)
    for i in 0..<Int(seconds / 0.48) {
      let evidence: Float = i % 5 < 3 ? 2 : -8
      let end = 10 + 0.48 * Double(i)
      var blocks = [
        BlockObservation(
          start: 0, earliest: 0, end: end, centre: end - 1.5, cadence: 2, evidence: evidence, features: features,
          stepsBefore: 0)
      ]
      var steps: [Step] = []
      explainer.take(&blocks, &steps)
    }
    explainer.finish(at: 200_000_000_000)
    let found = objections(explainer.takeFindings())
    #expect(seconds < 10 ? found == [.brief] : !found.contains(.brief) && found.count == 1, "\(found)")
  }

  @Test("each objection has a different message of one line")
  func messages() {
    #expect(Set(Objection.allCases.map(\.message)).count == Objection.allCases.count)
    #expect(Objection.allCases.allSatisfy { $0.message.count < 70 && !$0.message.hasSuffix(".") })
  }

  @Test("the bouts contain all steps, and findings do not overlap")
  func order() throws {
    let (steps, findings) = explained(try day())
    #expect(bouts(findings).reduce(0) { $0 + $1.steps } == steps.count)
    #expect(bouts(findings).first?.start == steps.first?.timestamp)
    #expect(bouts(findings).last?.end == steps.last?.timestamp)
    #expect(zip(findings, findings.dropFirst()).allSatisfy { $0.end <= $1.start })
    #expect(findings.allSatisfy { $0.start < $0.end })
  }

  @Test("the batches change neither findings nor confidence", arguments: [1, 37, 1000])
  func batches(cut: Int) throws {
    let samples = try day()
    // The evidence itself, since the shipped table gives the same confidence for much of it.
    let (whole, pieces) = (explained(samples, table: .evidence), explained(samples, cut: cut, table: .evidence))
    #expect(Set(whole.steps.map(\.confidence)).count > 10)
    #expect(pieces.steps == whole.steps)
    #expect(pieces.findings == whole.findings)
  }

  @Test("explaining does not change the steps, and only explaining adds a confidence")
  func unchanged() throws {
    let steps = checked(try day())
    #expect(steps.allSatisfy { $0.confidence.map { $0 > 0.5 && $0 < 1 } ?? false })
    for walk in Reference.walks { _ = checked(try Reference.samples(of: walk)) }
  }

  private func checked(_ samples: [AccelerationSample]) -> [Step] {
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    let plain = counter.process(samples.span) + counter.finish()
    var explaining = WalkCounter(latency: StepDetector.longestRevision)
    explaining.explains = true
    let steps = explaining.process(samples.span) + explaining.finish()
    #expect(plain.map(\.timestamp) == steps.map(\.timestamp))
    #expect(plain.allSatisfy { $0.confidence == nil } && counter.takeFindings().isEmpty)
    #expect(steps.allSatisfy { $0.confidence != nil })
    return steps
  }

  @Test("a gap ends a stretch, and later findings are in order", arguments: [nil, 10])
  func gap(cut: Int?) {
    let lifting = movement([(axis: 0, hertz: 0.55, g: 0.35), (axis: 2, hertz: 0.55, g: 0.2)])
    let later = lifting.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 300_000_000_000, acceleration: $0.acceleration)
    }
    let findings = explained(lifting + later, cut: cut).findings
    #expect(objections(findings) == [.exercise, .exercise])
    #expect(findings.map { $0.end - $0.start < .seconds(32) } == [true, true])
  }

  @Test("a truncated walk has no more confidence than a long one, and both are probabilities")
  func bounds() throws {
    for seconds in [8, 60] {
      var walk = SyntheticWalk()
      walk.program = [
        .init(.standing, .seconds(10)), .init(.walking, .seconds(seconds)), .init(.standing, .seconds(10)),
      ]
      for bout in bouts(explained(try walk.samples()).findings) { #expect((0.5...0.99).contains(bout.confidence)) }
    }
  }
}

@Suite("Confidence", .timeLimit(.minutes(30))) struct ConfidenceTests {
  @Test("a table is linear between its knots and constant beyond them")
  func interpolation() {
    let table = ConfidenceTable(knots: [.init(-1, 0.2), .init(1, 0.6), .init(2, 0.9)])
    #expect(table(-5) == 0.2 && table(9) == 0.9)
    #expect(abs(table(0) - 0.4) < 1e-12 && abs(table(1.5) - 0.75) < 1e-12)
    #expect(table(1) == 0.6)
  }

  @Test("the shipped table rises with the evidence, and never reaches certainty")
  func shipped() {
    let values = stride(from: -6.0, through: 8, by: 0.1).map { ConfidenceTable.shipped($0) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(values.allSatisfy { $0 > 0 && $0 < 1 } && values[0] < values[values.count - 1])
  }

  @Test("one block of rest inside a bout has no more weight than any other")
  func clipping() {
    var evidence = BoutEvidence()
    #expect(evidence.mean == 0)
    for _ in 0..<9 { evidence.add(5) }
    evidence.add(-100)
    #expect(abs(evidence.mean - (45 - 4) / 10) < 1e-12)
  }
}
