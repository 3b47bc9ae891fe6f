import Testing

@testable import Recordings
@testable import detector_lab

@Suite("Labels", .timeLimit(.minutes(30))) struct LabelledBlockTests {
  private func entry(_ steps: Double) -> RecordingIndex.Entry {
    RecordingIndex.Entry(path: "", trueSteps: steps, dataset: "d", activity: "a")
  }

  @Test("with strikes, only blocks well inside a bout are walking")
  func strikes() throws {
    var walk = SyntheticWalk()
    walk.duration = .seconds(30)
    let run = try DetectorRun(walk.reader(), isObserved: true)
    let all = LabelledBlock.all(in: run, of: entry(50), strikes: stride(from: 0, through: 29, by: 0.5).map { $0 })
    #expect(all.count == run.blocks.count { (0.8...28.2).contains($0.centre) })
    #expect(all.allSatisfy(\.isWalking) && !all.isEmpty)
    // two bouts with 18 s between them
    let two = LabelledBlock.all(in: run, of: entry(50), strikes: [0, 5, 23, 29])
    #expect(two.count < all.count && !two.isEmpty)
    #expect(LabelledBlock.all(in: run, of: entry(50), strikes: []).isEmpty)
  }

  @Test("without strikes, three seconds at both ends are excluded, and blocks that do not repeat")
  func margins() throws {
    let run = try DetectorRun(SyntheticWalk().reader(), isObserved: true)
    let all = LabelledBlock.all(in: run, of: entry(110), strikes: nil)
    #expect(all.count == run.blocks.count { (3...(run.duration - 3)).contains($0.centre) })
    var typing = SyntheticWalk()
    typing.activity = .typing
    let other = try DetectorRun(typing.reader(), isObserved: true)
    #expect(LabelledBlock.all(in: other, of: entry(110), strikes: nil).count < other.blocks.count / 4)
  }

  @Test("without true steps every loud block is not walking, and quiet ones are not used")
  func negatives() throws {
    var standing = SyntheticWalk()
    standing.activity = .standing
    let still = try DetectorRun(standing.reader(), isObserved: true)
    #expect(still.blocks.count > 50)
    #expect(LabelledBlock.all(in: still, of: entry(0), strikes: nil).isEmpty)
    let run = try DetectorRun(SyntheticWalk().reader(), isObserved: true)
    let all = LabelledBlock.all(in: run, of: entry(0), strikes: nil)
    #expect(!all.isEmpty && all.allSatisfy { !$0.isWalking })
  }
}

@Suite("Scores of counts", .timeLimit(.minutes(30))) struct CountScoresTests {
  private func entry(_ dataset: String, _ steps: Double?, activity: String = "a") -> RecordingIndex.Entry {
    RecordingIndex.Entry(
      path: "", trueSteps: steps, bounds: steps == nil ? 90...110 : nil, dataset: dataset, activity: activity)
  }

  @Test("errors are averaged within a data set, then over data sets; false steps over all hours without steps")
  func scores() {
    var scores = CountScores()
    scores.add(entry("a", 100), counted: 90, duration: 60)
    scores.add(entry("a", 100), counted: 120, duration: 60)
    scores.add(entry("b", 50), counted: 50, duration: 60)
    scores.add(entry("b", 3), counted: 30, duration: 60)
    scores.add(entry("c", 0), counted: 12, duration: 1800)
    scores.add(entry("a", 0), counted: 3, duration: 3600)
    #expect(scores.meanError(of: "a").map { abs($0 - 15) < 1e-9 } == true)
    #expect(scores.meanError(of: "c") == nil)
    #expect(scores.macroError(over: nil).map { abs($0 - 7.5) < 1e-9 } == true)
    #expect(scores.macroError(over: ["b"]) == 0)
    #expect(scores.macroError(over: ["c"]) == nil)
    #expect(scores.falseStepsPerHour == 10)
    #expect(scores.report(macroOver: nil).contains("macro MAPE: 7.50 %; false steps: 10.0 an hour"))
  }

  @Test("false steps and uncounted walks are averaged over activities, so that long ones do not hide short ones")
  func activities() {
    var scores = CountScores()
    scores.add(entry("a", 0, activity: "sit"), counted: 0, duration: 36_000)
    scores.add(entry("a", 0, activity: "row"), counted: 10, duration: 360)
    scores.add(entry("b", nil, activity: "jog"), counted: 100, duration: 60)
    scores.add(entry("b", nil, activity: "jog"), counted: 20, duration: 60)
    scores.add(entry("b", nil, activity: "stairs"), counted: 89, duration: 60)
    #expect(scores.falseStepsPerHourByActivity.map { abs($0 - 50) < 1e-9 } == true)
    #expect(scores.walksKept.map { abs($0 - 25) < 1e-9 } == true)
    #expect(scores.report(macroOver: nil).contains("by activity 50.0; walks kept: 25.0 %"))
  }

  @Test("missing figures are reported in words")
  func empty() {
    #expect(CountScores().report(macroOver: nil).contains("no walks; false steps: no recordings without steps"))
  }
}
