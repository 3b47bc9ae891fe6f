import Foundation
import Pedometry
import Testing

@testable import History

@Suite("Periods of finished steps", .timeLimit(.minutes(30)))
struct LatePeriodTests {
  private let history: TestHistory

  init() throws { history = try TestHistory() }

  /// Steps of some minutes, from a minute after the morning on.
  private func steps(_ start: Int, _ minutes: Int, each count: Int = 90) -> [WalkedStep] {
    let interval = 60 / Double(count)
    return (1...count * minutes).map {
      TestHistory.step(TestHistory.morning + Double(start * 60) + Double($0) * interval)
    }
  }

  private func record(_ writer: HistoryWriter, _ start: Int, _ minutes: Int) throws -> Int {
    try writer.record(period: steps(start, minutes), source: TestHistory.wrist).recorded
  }

  @Test("count in any order, each once", arguments: [0, 5 * 86_400.0])
  func anyOrder(_ age: Double) throws {
    history.clock.pass(3600 + age)
    let writer = try history.writer()
    for start in [30, 10, 20, 0, 15, 40] { #expect(try record(writer, start, 5) == 450) }
    for start in [0, 40, 20, 30, 15, 10] { #expect(try record(writer, start, 5) == 0) }
    #expect(try history.all().steps == 6 * 450)
    #expect(try history.reader().sources().first?.repeatedSteps == 6 * 450)
  }

  @Test(
    "that overlap with steps of their source do not count, those of other sources do", arguments: [0, 5 * 86_400.0])
  func overlaps(_ age: Double) throws {
    history.clock.pass(3600 + age)
    let writer = try history.writer()
    #expect(try record(writer, 30, 5) == 450)
    #expect(try record(writer, 0, 5) == 450)
    #expect(try record(writer, 2, 6) == 0)
    #expect(try writer.record(period: steps(2, 6), source: TestHistory.pocket).recorded == 540)
  }

  @Test("that are earlier leave the latest step as it is")
  func latest() throws {
    history.clock.pass(3600)
    let writer = try history.writer()
    try writer.record(steps(30, 5), source: TestHistory.wrist)
    #expect(try record(writer, 0, 5) == 450)
    #expect(try writer.record(steps(30, 5), source: TestHistory.wrist).repeated == 450)
    #expect(try writer.record(steps(0, 5), source: TestHistory.wrist).repeated == 450)
    #expect(try record(writer, 35, 5) == 450)
    #expect(try history.all().steps == 3 * 450)
    writer.close()
    _ = try history.writer().check()
  }
}
