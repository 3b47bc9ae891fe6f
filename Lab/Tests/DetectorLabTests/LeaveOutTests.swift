import Testing

@testable import Accelerometry
@testable import Recordings
@testable import StepDetection
@testable import detector_lab

@Suite("Leaving out", .timeLimit(.minutes(30))) struct LeaveOutTests {
  private func entry(_ activity: String, steps: Double? = 0, source: String = "s", group: String? = "g")
    -> RecordingIndex.Entry
  {
    RecordingIndex.Entry(
      path: "", trueSteps: steps, dataset: "d", activity: activity, group: group, source: source)
  }

  @Test(
    "activities of one kind leave together, whatever their names",
    arguments: [
      ("gym biceps-curl", MovementKind.gym), ("barbell row", .gym), ("rowing machine", .rowing),
      ("exercise bike, vertical", .cycling), ("brush_teeth", .brushing), ("brushing teeth", .brushing),
      ("clapping, phone in the pocket", .claps), ("dribbling a ball", .ball), ("playing catch", .ball),
      ("sitting, hyperventilating", .breathing), ("lying on the back, singing", .breathing), ("sitting", .postures),
      ("yoga seated forward bend", .postures), ("eating a sandwich", .eating), ("standing, eating", .eating),
      ("sit low and up quickly", .transitions), ("driving, partly harsh", .driving), ("writing an exam", .desk),
      ("physiotherapy: pendulum", .physiotherapy), ("head nod", .head), ("not walking", .unnamed),
    ])
  func kinds(activity: String, kind: MovementKind) {
    #expect(entry(activity).kind == kind)
    #expect(entry(activity, steps: 10).kind == .gait)
  }

  @Test("held hands, dragged feet and lower legs are hard walks, blows are hard movements")
  func hard() {
    var walk = entry("walk, treadmill 4 km/h flat", steps: 400)
    #expect(!walk.isHard)
    walk.position = "left wrist"
    #expect(walk.isHard)
    #expect(entry("shuffling", steps: nil).isHard && entry("clapping").isHard && !entry("sitting").isHard)
  }

  @Test("a unit is what its recordings have in common; people are split into groups")
  func units() {
    let one = entry("sitting, talking")
    #expect(Fold.source.unit(of: one) == "s" && Fold.family.unit(of: one) == "sitting")
    #expect(Fold.kind.unit(of: one) == "breathing" && Fold.dataset.unit(of: one) == "d")
    let groups = Set((0..<200).map { Fold.person.unit(of: entry("a", group: "\($0)")) })
    #expect(groups.count == 10)
    #expect(Fold.person.unit(of: one) == Fold.person.unit(of: entry("walk", steps: 5)))
    #expect(Fold.allCases.filter(\.keepsWalks) == [.family, .kind])
  }

  @Test("figures over several seeds have a mean and a range")
  func table() {
    #expect(LeaveOutTable.figure([1, 2, 6], 1) == "3.0 (1.0-6.0)")
    #expect(LeaveOutTable.figure([2.25], 2) == "2.25")
    #expect(LeaveOutTable.figure([nil], 1) == "none")
    var scores = CountScores()
    scores.add(entry("sit"), counted: 12, duration: 3600)
    let line = LeaveOutTable().line("kind", [scores, scores])
    #expect(line.hasPrefix("kind ") && line.contains("12.0 (12.0-12.0)") && line.contains("none"))
  }

  @Test("each recording is counted with a gate that has not seen its unit, nor its altered copies")
  func counted() throws {
    let folder = try LabelledFolder()
    let recordings = try LabelledRecordings(index: RecordingIndex(folders: [folder.path]))
    // A slow walk, so that its gate has both classes.
    var slow = SyntheticWalk()
    (slow.cadence, slow.duration, slow.rate) = (50, .seconds(20), 25)
    var hard = try SyntheticExamples.Example("simulated walk", of: SyntheticWalk())
    hard.isHard = true
    let examples = [try SyntheticExamples.Example("slow walking", of: slow, isSlow: true), hard]
    let blocks = try recordings.blocks(adding: .init(copies: 1, negatives: 1, hardWeight: 4), examples: examples)
    let own = blocks.ordinary.filter { $0.recording == 2 }
    #expect(own.contains { $0.provenance == .altered } && own.contains { $0.provenance == .recorded })
    // A recording of a hard kind, and its copies.
    #expect(own.allSatisfy { $0.importance == ($0.provenance == .altered ? 4 : 10) && !$0.isWalking })
    let slowOnes = blocks.slow.filter { $0.recording == 2 }
    #expect(slowOnes.allSatisfy { $0.importance == 4 })
    let simulated = blocks.ordinary.filter { $0.provenance == .synthetic }
    #expect(!simulated.isEmpty && simulated.allSatisfy { $0.importance == 4 && $0.isWalking })
    #expect(blocks.ordinary.contains { $0.provenance == .universal && $0.recording == nil })
    #expect(blocks.slow.contains { $0.stratum.contains("slowCrank") })
    let rows = try blocks.rows()
    let runs = try recordings.runs(leavingOut: .source, of: rows, settings: ModelFit.Settings(steps: 4))
    let parts = recordings.scores(of: runs)
    let scores = try #require(parts.first?.scores)
    #expect(runs.count == 4 && parts.count == 1 && scores.falseStepsPerHour != nil)
    #expect(scores.macroError(over: nil) != nil)
    let own1 = blocks.ordinary.filter { $0.recording == 1 }
    let units = recordings.index.entries.map(Fold.source.unit)
    #expect(!own1.isEmpty && !own1.contains { Fold.source.keeps($0, without: "s1", of: units) })
    #expect(own.allSatisfy { Fold.source.keeps($0, without: "s1", of: units) })
    let kinds = recordings.index.entries.map(Fold.kind.unit)
    #expect(own1.allSatisfy { Fold.kind.keeps($0, without: "gait", of: kinds) })
    #expect(!own.contains { Fold.kind.keeps($0, without: kinds[2], of: kinds) })
    let synthetic = blocks.ordinary.filter { $0.recording == nil }
    #expect(synthetic.allSatisfy { Fold.kind.keeps($0, without: kinds[2], of: kinds) })
  }
}
