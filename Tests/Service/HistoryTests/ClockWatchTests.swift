import Foundation
import Synchronization
import Testing

@testable import History

/// The wall clock is set during a walk: every step counts once.
@Suite("Clock changes", .timeLimit(.minutes(30))) struct ClockWatchTests {
  private let history: TestHistory

  init() throws { history = try TestHistory() }

  @Test(
    "small and large changes in both directions during a walk lose or double no step",
    arguments: [
      -0.3 as Double, 0.3, -3, 3, -45, 45, -3600, 3600, -34_560_000, 34_560_000,
    ])
  func set(by seconds: Double) throws {
    let writer = try history.writer()
    try history.walk(20, with: writer)
    history.clock.set(by: seconds)
    let after = try history.walk(20, with: writer)
    #expect(after.recorded == 20 && after.repeated == 0 && after.impossible == 0)
    // The latest step again, with the current time of the clock.
    let again = try writer.record([TestHistory.step(history.clock.now)], source: TestHistory.wrist)
    #expect(again.recorded == 0 && again.repeated == 1)
    #expect(try history.all().steps == 40)
  }

  @Test("a process that is suspended between reading one clock and the other sees no change of the clock")
  func suspended() throws {
    let clock = history.clock
    let delays = Mutex<[Double]>([])
    var slow = clock.history
    slow.now = {
      defer { if let delay = delays.withLock({ $0.popLast() }) { clock.pass(delay) } }
      return clock.now
    }
    let writer = try HistoryWriter(folder: history.folder, application: "tests", clock: slow)
    try history.walk(20, with: writer)
    delays.withLock { $0 = [0.3, 45, 0.5, 45, 45] }
    #expect(try history.walk(20, with: writer).recorded == 20)
    #expect(delays.withLock { $0 }.isEmpty)
    #expect(try history.walk(20, with: writer).recorded == 20)
    #expect(try history.all().steps == 60)
  }

  @Test("clocks are read once more after each suspension between them, ten times at most", arguments: [0, 1, 3, 20])
  func readAgain(suspensions: Int) {
    let clock = history.clock
    let readings = Mutex(0)
    var slow = clock.history
    slow.now = {
      let number = readings.withLock { readings in
        readings += 1
        return readings
      }
      if number <= suspensions { clock.pass(0.5) }
      return clock.now
    }
    let reading = slow.reading
    #expect(reading.now == clock.now.microseconds)
    #expect(reading.offset == clock.now.microseconds - clock.history.uptime().microseconds)
    #expect(readings.withLock { $0 } == min(suspensions, 10) + 1)
  }

  @Test("a repeated hour has the steps of both times, and the day's total is right")
  func hourTwice() throws {
    let writer = try history.writer()
    try history.walkAtOnce(1800, with: writer)
    history.clock.set(by: -900)
    #expect(try history.walkAtOnce(1800, with: writer).recorded == 1800)
    let reader = try history.reader()
    let day = DayCalendar(timeZone: .gmt).day(containing: TestHistory.morning)
    #expect(try reader.totals(from: day.start, to: day.end).steps == 3600)
    let minutes = try reader.buckets(from: TestHistory.morning, to: TestHistory.morning + 60, by: .minute)
    #expect(minutes.first?.steps == 238)
    #expect(minutes.first?.activeTime == .seconds(60))
    #expect(minutes.first?.cadence == 2)
  }

  @Test(
    "the batch in which the clock was set may still have times of the previous clock",
    arguments: [
      -3600.0, -10, 10, 3600,
    ])
  func formerTimes(seconds: Double) throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    history.clock.pass(1)
    let before = (1...2).map { TestHistory.step(history.clock.now - 1 + Double($0) * 0.5) }
    history.clock.set(by: seconds)
    history.clock.pass(1)
    let after = (1...2).map { TestHistory.step(history.clock.now - 1 + Double($0) * 0.5) }
    #expect(try writer.record(before + after, source: TestHistory.wrist).recorded == 4)
    #expect(try history.walk(10, with: writer).recorded == 10)
    #expect(try history.all().steps == 24)
  }

  /// Microseconds, with the latest step at 1,000 s.
  @Test(
    "only a step that its own time makes impossible, and that of the previous clock does not, is moved",
    arguments: [
      // Set back by 100 s: a step of the previous clock would be in the future.
      (-100_000_000, 1_150_000_000, 1_060_000_000, 1_050_000_000),
      // Its own time is possible, and the former one, too.
      (-10_000_000, 1_040_000_000, 1_060_000_000, 1_040_000_000),
      // Neither is.
      (100_000_000, 1_150_000_000, 1_060_000_000, 1_150_000_000),
      (-10_000_000, 900_000_000, 1_060_000_000, 900_000_000),
      // The former time is as far in the future as a sensor's clock may be wrong, and further.
      (100_000_000, 1_000_000_000, 1_098_000_000, 1_100_000_000),
      (100_000_000, 1_000_000_000, 1_097_999_999, 1_000_000_000),
      // The former time is that of the latest step, and later.
      (-100_000_000, 1_100_000_000, 1_060_000_000, 1_100_000_000),
      (-100_000_000, 1_100_000_001, 1_060_000_000, 1_000_000_001),
    ] as [(Int64, Int64, Int64, Int64)])
  func heeding(set: Int64, time: Int64, now: Int64, expected: Int64) {
    let steps = StepDeduplicator(newest: 1_000_000_000, minuteSteps: 1)
    #expect(steps.heeding(set, time, now: now) == expected)
  }

  @Test("a clock that jumps back and forth loses nothing, and allows no faster steps")
  func flapping() throws {
    let writer = try history.writer()
    var walked = 0
    for round in 0..<60 {
      history.clock.set(by: round % 2 == 0 ? -0.4 : 0.4)
      walked += try history.walk(2, with: writer).recorded
    }
    #expect(walked == 120)
    #expect(try history.all().steps == 120)
  }

  @Test("a change between two writers is detected by the next one")
  func setWhileClosed() throws {
    try history.walk(20, with: history.writer())
    history.clock.set(by: -1800)
    #expect(try history.walk(20, with: history.writer()).recorded == 20)
    #expect(try history.all().steps == 40)
  }

  @Test(
    "after a boot with the clock right, slow, fast or at 1970, counting continues",
    arguments: [
      60.0, -7200, 7200, -1_778_061_500,
    ])
  func newBoot(seconds: Double) throws {
    try history.walk(20, with: history.writer())
    history.clock.reboot(after: seconds)
    let writer = try history.writer()
    #expect(try history.walk(20, with: writer).recorded == 20)
    history.clock.set(by: 30)
    #expect(try history.walk(20, with: writer).recorded == 20)
    #expect(try history.all().steps == 60)
    #expect(try history.reader().bouts(from: .distantPast, to: .distantFuture).count == 3)
  }

  @Test("steps from before a boot that are repeated after it do not count again")
  func replayAfterBoot() throws {
    let start = history.clock.now
    try history.walk(20, with: history.writer())
    history.clock.reboot(after: 60)
    let replay = (1...20).map { TestHistory.step(start + Double($0) * 0.5) }
    #expect(try history.writer().record(replay, source: TestHistory.wrist).repeated == 20)
  }

  @Test("a time since boot becomes the current wall time")
  func timeAtUptime() {
    let clock = history.clock.history
    let uptime = clock.uptime()
    history.clock.pass(5)
    #expect(clock.time(atUptime: uptime) == TestHistory.morning)
    history.clock.set(by: 100)
    #expect(clock.time(atUptime: uptime) == TestHistory.morning + 100)
    #expect(abs(HistoryClock.system.time(atUptime: HistoryClock.systemUptime()).timeIntervalSinceNow) < 60)
    #expect(HistoryClock.systemBootID.count == 36)
  }
}
