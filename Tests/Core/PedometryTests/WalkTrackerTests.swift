import Pedometry
import Testing

@Suite("The totals of a walk", .timeLimit(.minutes(30)))
struct WalkTrackerTests {
  private func tracker(stepsAt times: [Double], stepLength: StepLengthModel = .fixed(0.7)) -> WalkTracker {
    var tracker = WalkTracker(stepLength: stepLength)
    for time in times { tracker.record(Step(timestamp: .seconds(time))) }
    return tracker
  }

  @Test("have steps, metres, and a cadence during the walk")
  func walking() throws {
    let walk = tracker(stepsAt: (0..<20).map { Double($0) * 0.5 }).totals(at: .seconds(10), since: .zero)
    #expect(walk.steps == 20)
    #expect(abs(walk.distanceTravelled - 14) < 1e-9)
    #expect(abs(try #require(walk.currentCadence) - 2) < 1e-9)
    #expect(abs(try #require(walk.currentPace) - 1 / 1.4) < 1e-9)
    #expect(abs(try #require(walk.averageActivePace) - 10 / 14.0) < 1e-9)
    #expect(walk.activeTime == .seconds(10))
    #expect(walk.elapsed == .seconds(10))
  }

  @Test("are the sums of what each step adds; the first step of a bout adds its time with the second")
  func parts() {
    var tracker = WalkTracker()
    let steps = [0, 500, 1100, 8000, 8600].map { tracker.record(Step(timestamp: .milliseconds($0))) }
    #expect(steps.map(\.activeTime) == [.zero, .seconds(1), .milliseconds(600), .zero, .milliseconds(1200)])
    #expect(steps.reduce(.zero) { $0 + $1.activeTime } == tracker.walkingDuration)
    #expect(steps.reduce(0) { $0 + $1.length } == tracker.distanceTravelled)
    #expect(steps[1].length > steps[2].length)
  }

  @Test("have no current cadence and pace after the walk, but keep their values")
  func standing() {
    let walk = tracker(stepsAt: [0, 0.5, 1]).totals(at: .seconds(60), since: .zero)
    #expect(walk.currentCadence == nil)
    #expect(walk.currentPace == nil)
    #expect(walk.steps == 3)
    #expect(walk.averageActivePace != nil)
  }

  @Test("have a walking time of at most the recording, even for a walk from its first sample to its last")
  func clamped() throws {
    let tracker = tracker(stepsAt: (0..<20).map { Double($0) * 0.5 })
    #expect(tracker.walkingDuration == .seconds(10))
    #expect(tracker.walkingDuration(at: .seconds(9.7), since: .zero) == .seconds(9.7))
    #expect(tracker.walkingDuration(at: .seconds(30), since: .zero) == .seconds(10))
    let walk = tracker.totals(at: .seconds(9.7), since: .zero)
    #expect(walk.activeTime == walk.elapsed)
    #expect(abs(try #require(walk.averageActivePace) - 10 / 14.0) < 1e-9, "the first step's metres have their time")
  }

  @Test("exclude pauses from the walking time")
  func pauses() throws {
    let walk = tracker(stepsAt: [0, 0.5, 1, 1.5, 100, 100.5, 101, 101.5])
    #expect(walk.walkingDuration == .seconds(4))
    #expect(abs(try #require(walk.meanCadence) - 2) < 1e-9)
  }

  @Test("are zero before the first step, and have no cadence after only one")
  func beginnings() {
    let nothing = tracker(stepsAt: []).totals(at: .seconds(5), since: .zero)
    #expect(nothing.steps == 0 && nothing.distanceTravelled == 0 && nothing.averageActivePace == nil)
    let one = tracker(stepsAt: [1])
    #expect(one.meanCadence == nil)
    #expect(one.totals(at: .seconds(2), since: .zero).currentCadence == nil)
    #expect(one.distanceTravelled == 0.7)
  }

  @Test("count elapsed time from their own start")
  func elapsed() {
    #expect(tracker(stepsAt: [1001]).totals(at: .seconds(1010), since: .seconds(1000)).elapsed == .seconds(10))
  }
}
