import Foundation
import History
import ServiceNetwork
import ServiceTransport
import TestSupport
import Testing

@testable import PedometerService

@Suite("The whole service in time lapse", .timeLimit(.minutes(30)))
struct SimulatedYearTests {
  /// `PEDOMETER_YEAR_DAYS` sets the number of days. Eleven have every kind of trouble.
  private static let days = ProcessInfo.processInfo.environment["PEDOMETER_YEAR_DAYS"].flatMap { Int($0) } ?? 2
  /// `PEDOMETER_YEAR_RESTARTS=no` leaves the restarts out, and checks the memory, which needs a process that runs nothing
  /// else, and one service: what a service leaves behind at its end ends with its process elsewhere.
  private static let hasRestarts = ProcessInfo.processInfo.environment["PEDOMETER_YEAR_RESTARTS"] != "no"

  @Test("every step of days with unplugging, wrong clocks, restarts, reboots and DST is in the history, on its day")
  func year() async throws {
    // The second day of the short run is the 29th of March, on which summer time begins.
    let lapse = try await TimeLapse(from: Date(timeIntervalSince1970: 1_774_656_000))
    lapse.hasRestarts = Self.hasRestarts
    let days = Self.days
    var memory: [[(resident: Double, anonymous: Double)]] = [[], [], []]
    for day in 0..<days {
      try await lapse.pass(day: day)
      memory[min(2, day * 3 / days)].append(TimeLapse.memory)
    }
    let answer = try await lapse.get(
      "/api/history?bucket=day&from=2026-03-01T00:00:00Z&to=2028-01-01T00:00:00Z")
    let found = try JSONDecoder().decode([TimeLapse.Bucket].self, from: Data(answer))
    let walked = found.filter { $0.steps > 0 }
    #expect(Dictionary(uniqueKeysWithValues: walked.map { (String($0.start.prefix(10)), $0.steps) }) == lapse.truth)
    try await lapse.end()
    let (minutes, bytes) = try lapse.contents()
    #expect(minutes.steps == lapse.truth.values.reduce(0, +))
    // A minute takes about 70 bytes with its quarter of an hour and its day, and an exact step about 40.
    let predicted = 150_000 + 45 * lapse.stepsOfThreeDays + 80 * minutes.count
    #expect(bytes <= predicted)
    // A leak raises every value; the largest ones are those of a moment.
    let usual = memory.map { Self.median($0.map(\.resident)) }
    // Explains a growth: pages of the executable also become resident, and do not leak.
    let anonymous = memory.map { Self.median($0.map(\.anonymous)) }
    print(
      "time lapse: \(days) days, \(minutes.steps) steps, \(minutes.count) minutes, \(lapse.lives) starts, \(bytes) bytes of",
      "at most \(predicted), median memory \(Self.text(usual)) MB by thirds, \(Self.text(anonymous)) MB without files")
    if !Self.hasRestarts { #expect(usual[2] <= usual[0] * 1.01, "the memory grows") }
  }

  private static func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }

  private static func text(_ values: [Double]) -> String {
    values.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: ", ")
  }
}
