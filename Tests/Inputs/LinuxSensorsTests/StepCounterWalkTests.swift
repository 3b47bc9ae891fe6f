import LinuxSensors
import Pedometry
import Testing

@Suite("Walks from a chip's readings", .timeLimit(.minutes(30)))
struct StepCounterWalkTests {
  private func reading(_ seconds: Double, steps: Int, new: Int, distance: Double? = nil) -> StepCounterReading {
    StepCounterReading(nanoseconds: Int64(seconds * 1e9), steps: steps, newSteps: new, distance: distance)
  }

  @Test("two steps per second, reported in pairs, have a cadence of two")
  func cadence() {
    var walk = StepCounterWalk(stepLength: .fixed(0.7))
    var sample = walk.take(reading(0, steps: 0, new: 0))
    #expect(sample.steps == 0 && sample.currentCadence == nil)
    for second in 1...10 { sample = walk.take(reading(Double(second), steps: 2 * second, new: 2)) }
    #expect(sample.steps == 20)
    #expect(abs(sample.distanceTravelled - 14) < 1e-9)
    #expect(abs((sample.currentCadence ?? 0) - 2) < 0.05)
    #expect(sample.elapsed == .seconds(10))
  }

  @Test(
    "a register that jumps to any number is a walk with a few of its steps", arguments: [Int.max, 1 << 47, -1, .min])
  func jump(_ new: Int) {
    var walk = StepCounterWalk()
    _ = walk.take(reading(0, steps: 0, new: 0))
    #expect(walk.take(reading(1, steps: 5, new: new)).steps == 5)
    #expect(walk.newSteps.count <= 100_000)
  }

  @Test("ten steps confirmed at once after a rest are spread over their time")
  func burst() {
    var walk = StepCounterWalk()
    _ = walk.take(reading(0, steps: 0, new: 0))
    let sample = walk.take(reading(100, steps: 10, new: 10))
    #expect(abs((sample.currentCadence ?? 0) - StepLengthModel.usualCadence / 60) < 0.01)
    #expect(sample.activeTime < .seconds(7))
  }

  @Test("steps of the first minute are not dated before the first reading, when an earlier walk may have ended")
  func brisk() throws {
    var walk = StepCounterWalk()
    _ = walk.take(reading(1000, steps: 0, new: 0))
    let sample = walk.take(reading(1060, steps: 125, new: 125))
    #expect(try #require(walk.newSteps.first).timestamp > .seconds(1000))
    #expect(try #require(walk.newSteps.last).timestamp == .seconds(1060))
    #expect(walk.newSteps.count == 125)
    #expect(abs((sample.currentCadence ?? 0) - 125.0 / 60) < 0.01)
  }

  @Test("steps that a chip had held back before the first reading are dated before it")
  func heldBack() throws {
    var walk = StepCounterWalk()
    _ = walk.take(reading(1000, steps: 0, new: 0))
    _ = walk.take(reading(1001, steps: 10, new: 10))
    #expect(try #require(walk.newSteps.first).timestamp < .seconds(997))
    #expect(try #require(walk.newSteps.last).timestamp == .seconds(1001))
  }

  @Test("steps reported late, all at once, have at most the cadence of a run, and are at most slightly ahead")
  func late() throws {
    var walk = StepCounterWalk()
    _ = walk.take(reading(0, steps: 0, new: 0))
    var latest = Duration.zero
    for index in 1...40 {
      let sample = walk.take(reading(1 + 0.001 * Double(index), steps: index, new: 1))
      let step = try #require(walk.newSteps.first).timestamp
      #expect(step > latest && step < .seconds(6.1))
      latest = step
      if index < 18 { #expect((sample.currentCadence ?? 0) <= 4.01) }
    }
  }

  @Test("a standing walker has no cadence, but keeps the total")
  func rest() {
    var walk = StepCounterWalk()
    _ = walk.take(reading(0, steps: 0, new: 0))
    _ = walk.take(reading(5, steps: 8, new: 8))
    let sample = walk.take(reading(30, steps: 8, new: 0))
    #expect(sample.currentCadence == nil)
    #expect(sample.steps == 8)
  }

  @Test("the distance of a chip that measures it is used")
  func distance() {
    var walk = StepCounterWalk(stepLength: .fixed(0.7))
    _ = walk.take(reading(0, steps: 0, new: 0, distance: 0))
    #expect(walk.take(reading(5, steps: 8, new: 8, distance: 6.5)).distanceTravelled == 6.5)
  }

  @Test("the metres that a chip measures belong to its steps, those between two steps to the later one")
  func lengths() {
    var walk = StepCounterWalk(stepLength: .fixed(0.7))
    _ = walk.take(reading(0, steps: 0, new: 0, distance: 0))
    _ = walk.take(reading(5, steps: 8, new: 8, distance: 6))
    #expect(walk.newSteps.map(\.length) == Array(repeating: 0.75, count: 8))
    _ = walk.take(reading(6, steps: 8, new: 0, distance: 7))
    _ = walk.take(reading(7, steps: 10, new: 2, distance: 8))
    #expect(walk.newSteps.map(\.length) == [1, 1])
    #expect(walk.newSteps.allSatisfy { $0.activeTime > .zero })
  }

  @Test("a register that jumps by a billion keeps its total without delay")
  func leap() {
    var walk = StepCounterWalk()
    _ = walk.take(reading(0, steps: 0, new: 0))
    #expect(walk.take(reading(1, steps: 1_000_000_000, new: 1_000_000_000)).steps == 1_000_000_000)
  }
}
