import Studies
import Testing

@testable import PedometerCommands
@testable import pedometer_full

@Suite("The progress line of a count", .timeLimit(.minutes(30)))
struct ProgressLineTests {
  @Test("shows the speed, the completed part and the time left, once they are known")
  func text() {
    func text(fraction: Double?, after time: Duration) -> String {
      ProgressLine.text("5120 steps", elapsed: .seconds(45_000), fraction: fraction, after: time)
    }
    let whole = text(fraction: 0.25, after: .seconds(20))
    #expect(whole == "5120 steps in 12 h 30 min, 2250 times as fast as recorded, 25 %, 1 min 00 s left")
    #expect(text(fraction: nil, after: .seconds(20)) == "5120 steps in 12 h 30 min, 2250 times as fast as recorded")
    #expect(text(fraction: 0.01, after: .milliseconds(10)) == "5120 steps in 12 h 30 min")
  }
}

@Suite("The progress line of a study", .timeLimit(.minutes(30)))
struct StudyProgressLineTests {
  private let start = ContinuousClock.now

  private func progress(done: Int, kept: Int = 0, failed: Int = 0, megabytes: Int = 0) -> StudyRun.Progress {
    var progress = StudyRun.Progress()
    (progress.done, progress.kept, progress.failed, progress.bytes) = (done, kept, failed, megabytes * 1_000_000)
    return progress
  }

  @Test("shows failures, the speed and the time left; results of an earlier run took no time")
  func text() {
    let line = StudyProgressLine(of: 100, isTerminal: true, start: start)
    let early = line.line(progress(done: 1, megabytes: 5), at: start + .milliseconds(500))
    #expect(early == "1 of 100 recordings")
    // 10 s for 5 recordings, and 45 to go
    let half = line.line(progress(done: 4, kept: 50, failed: 1, megabytes: 2000), at: start + .seconds(10))
    #expect(half == "55 of 100 recordings, 1 failed, 200 MB/s, 1 min 30 s left")
    let all = line.line(progress(done: 49, kept: 50, failed: 1, megabytes: 20_000), at: start + .seconds(100))
    #expect(all == "100 of 100 recordings, 1 failed, 200 MB/s")
  }

  @Test("is replaced five times a second on a terminal; elsewhere there is a line a minute", arguments: [true, false])
  func intervals(isTerminal: Bool) {
    let line = StudyProgressLine(of: 10, isTerminal: isTerminal, start: start)
    let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(60)
    let lines = [0.99, 1, 1.5, 2].map { line.line(progress(done: 1), at: start + interval * $0) != nil }
    #expect(lines == [false, true, false, true])
  }
}
