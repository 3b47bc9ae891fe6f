import Testing

@testable import PedometerCommands

@Suite("The progress line of a count", .timeLimit(.minutes(10)))
struct ProgressLineTests {
  @Test("shows the speed, the completed part and the time left, once they are known")
  func text() {
    func text(fraction: Double?, after time: Duration) -> String {
      ProgressLine.text(steps: 5120, elapsed: .seconds(45_000), fraction: fraction, after: time)
    }
    let whole = text(fraction: 0.25, after: .seconds(20))
    #expect(whole == "5120 steps in 12 h 30 min, 2250 times as fast as recorded, 25 %, 1 min 00 s left")
    #expect(text(fraction: nil, after: .seconds(20)) == "5120 steps in 12 h 30 min, 2250 times as fast as recorded")
    #expect(text(fraction: 0.01, after: .milliseconds(10)) == "5120 steps in 12 h 30 min")
  }
}
