import Foundation
import Glibc
import History
import Pedometry

/// The cost of queries over ten years of minutes: `benchmarks history`. Creating them takes some minutes.
struct HistoryReading {
  private static let minutesOfADay = 1440
  private static let days = 3652
  private let source = HistorySource(identity: "usb:1209:7e58:serial=A1:accelerometer", name: "wrist")
  private let calendar = DayCalendar(timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
  /// 2016-05-06T00:00:00Z.
  private let start = Date(timeIntervalSince1970: 1_462_492_800)

  func run(in parent: String) throws -> Bool {
    let path = parent + "/pedometer-benchmark-history-\(getpid())"
    let folder = HistoryFolder(path: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    print("creating ten years of minutes …")
    try fill(folder)
    var information = stat()
    stat(folder.database, &information)
    let megabytes = Double(information.st_size) / 1e6
    print(
      "\(megabytes <= 400 ? "ok    " : "LARGE ") history, \(Self.days * Self.minutesOfADay) minutes: "
        + "\(rounded(megabytes)) MB (at most 400)")

    let writing = told("opening it to write", atMost: 300) {
      _ = try HistoryWriter(folder: folder, application: "benchmarks")
    }
    unlink(path + "/history.lock")
    let checking = elapsed { _ = try HistoryWriter(folder: folder, application: "benchmarks") }
    print("      opening it to write after a crash: \(rounded(checking)) ms")
    let opening = elapsed { _ = try HistoryReader(folder: folder) }
    print("      opening it to read: \(rounded(opening)) ms")
    let reader = try HistoryReader(folder: folder)
    let now = start + Double(Self.days) * 86_400 - 7 * 3600
    let page = told("today's page: totals, day by hour, week by day", atMost: 20) {
      let today = calendar.day(containing: now)
      _ = try reader.totals(from: today.start, to: now)
      let hours = try reader.buckets(from: today.start, to: today.end, by: .hour, calendar: calendar)
      let sixDaysAgo = calendar.day(containing: today.start - 5.5 * 86_400).start
      let week = try reader.buckets(from: sixDaysAgo, to: today.end, by: .day, calendar: calendar)
      precondition(hours.count == 24 && week.count == 7)
    }
    let year = told("a year by day", atMost: 50) {
      let days = try reader.buckets(from: now - 365 * 86_400, to: now, by: .day, calendar: calendar)
      precondition(days.count >= 365 && days.allSatisfy { $0.steps > 0 })
    }
    told("ten years by day", atMost: nil) {
      _ = try reader.buckets(from: start, to: now, by: .day, calendar: calendar)
    }
    return page && year && writing && megabytes <= 400
  }

  /// All minutes of ten years, more than anybody walks.
  private func fill(_ folder: HistoryFolder) throws {
    let writer = try HistoryWriter(folder: folder, application: "benchmarks")
    let batch = Self.minutesOfADay * 30
    var minutes: [HistoryMinute] = []
    for minute in 0..<Self.days * Self.minutesOfADay {
      let steps = 60 + minute * 7919 % 90
      minutes.append(
        HistoryMinute(
          start: start + Double(minute) * 60, source: source,
          totals: WalkTotals(
            steps: steps, distanceTravelled: Double(steps) * 0.7213, activeTime: .milliseconds(steps * 497 % 60_000))))
      if minutes.count == batch {
        try writer.add(minutes)
        minutes.removeAll(keepingCapacity: true)
      }
    }
    try writer.add(minutes)
  }

  /// The best of several rounds, in milliseconds, and whether it is within the limit.
  @discardableResult
  private func told(_ name: String, atMost limit: Double?, _ work: () throws -> Void) -> Bool {
    var best = Double.infinity
    var worst = 0.0
    for _ in 0..<20 {
      let time = elapsed(work)
      best = min(best, time)
      worst = max(worst, time)
    }
    let isGood = limit.map { best <= $0 } ?? true
    let bound = limit.map { "  (at most \($0))" } ?? ""
    print("\(isGood ? "ok    " : "SLOW  ") \(name): \(rounded(best)) ms, worst of twenty \(rounded(worst)) ms\(bound)")
    return isGood
  }

  /// Milliseconds of wall-clock time, because waiting for the disk counts.
  private func elapsed(_ work: () throws -> Void) -> Double {
    let clock = ContinuousClock()
    let time = clock.measure {
      do { try work() } catch { fatalError("\(error)") }
    }
    return time / .milliseconds(1)
  }
}
