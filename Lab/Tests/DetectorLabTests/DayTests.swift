import Testing

@testable import StepDetection
@testable import detector_lab

@Suite("A day", .timeLimit(.minutes(30))) struct DayTests {
  private func entry(
    _ activity: String, steps: Double? = 0, bounds: ClosedRange<Double>? = nil, group: String = "a"
  ) -> RecordingIndex.Entry {
    RecordingIndex.Entry(
      path: "\(activity) \(group)", trueSteps: steps, bounds: bounds, dataset: "d", activity: activity, group: group)
  }

  @Test("its steps are 8,000, and activities belong to the first class with a word of their name")
  func classes() {
    #expect(Day.walks.reduce(0) { $0 + $1.amount } == Day.steps)
    let rest = { (name: String) in Day.rests[Day.index(of: name, isWalk: false)].name }
    #expect(
      ["Gym curl", "bus ride", "sit low and up", "reading"].map(rest) == [
        "exercise", "driving", "household", "sitting",
      ])
    #expect(rest("sit_down") == "sitting" && rest("sit down") == "household")
    let walk = { (name: String) in Day.walks[Day.index(of: name, isWalk: true)].name }
    #expect(
      ["stairs up", "Jog", "shuffling walk", "walk 5 m", "walk"].map(walk) == [
        "stairs", "runs", "slow or aided", "short", "walks",
      ])
  }

  @Test("false steps weigh what their activity takes of the day, and missed ones what their walk takes")
  func error() throws {
    var scores = DayScores()
    #expect(scores.error == nil && scores.lostShare == nil)
    // 60 an hour in ten minutes a day of exercise; an hour at a desk without any.
    scores.add(entry("gym"), counted: 60, duration: 3600)
    scores.add(entry("typing"), counted: 0, duration: 3600)
    #expect(abs(scores.falseSteps - 10) < 1e-9)
    // Only walks are known: a tenth of them is a tenth of the day.
    scores.add(entry("walk", steps: 100), counted: 90, duration: 60)
    scores.add(entry("walk", steps: nil, bounds: 80...120), counted: 120, duration: 60)
    #expect(abs(scores.wrongSteps - 400) < 1e-9)
    #expect(abs(try #require(scores.error) - 5.125) < 1e-9)
  }

  @Test("a walk of twenty steps is lost if less than half is counted, and its walker with it")
  func lost() {
    var scores = DayScores()
    scores.add(entry("walk", steps: 20), counted: 9, duration: 10)
    scores.add(entry("walk", steps: 20), counted: 20, duration: 10)
    scores.add(entry("walk", steps: 20, group: "b"), counted: 10, duration: 10)
    scores.add(entry("walk", steps: 19, group: "c"), counted: 0, duration: 10)
    #expect(scores.lost == ["walk a"] && scores.long == 3)
    #expect(scores.peopleLost == 1 && scores.peopleCount == 2)
    #expect(scores.summary.contains("walks lost: 1 of 3, people lost: 1 of 2"))
  }

  @Test("the made walks of a deaf gate are all lost")
  func made() {
    var deaf = GateModels.shipped
    deaf.ordinary = WalkingModel(
      knots: deaf.ordinary.knots, slopes: deaf.ordinary.slopes, bias: deaf.ordinary.bias.map { $0 - 100 })
    let made = MadeWalks(6, models: deaf)
    #expect(made.lost == 6 && made.close == 0 && MadeWalks(6, models: .shipped).lost < 2)
  }
}
