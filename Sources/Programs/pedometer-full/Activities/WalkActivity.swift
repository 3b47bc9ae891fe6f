import Foundation
import History
import HistoryImport
import ServiceCore

/// A walk as sports programs see it: minutes with steps, with short rests between them.
struct WalkActivity: Hashable {
  /// A minute, or the part of it in the walk.
  struct Part: Hashable {
    var end: Date
    var steps: Int
    /// Metres.
    var distance: Double
    /// Seconds.
    var duration: Double

    /// Steps per minute.
    var cadence: Double { duration > 0 ? Double(steps) / duration * 60 : 0 }
  }

  var start: Date
  var end: Date
  /// By rising time; at least one.
  var parts: [Part]
  /// What its walker said about it: that of its parts that says most.
  var said: DoubtfulWalk?

  var steps: Int { parts.reduce(0) { $0 + $1.steps } }
  var distance: Double { parts.reduce(0) { $0 + $1.distance } }
  var duration: Double { end.timeIntervalSince(start) }
  /// Steps per minute, including rests.
  var cadence: Double { duration > 0 ? Double(steps) / duration * 60 : 0 }

  /// The walks of a period.
  /// - Parameters:
  ///   - rest: the longest rest within a walk, in seconds.
  ///   - shortest: the shortest walk, in seconds; shorter ones are only counted.
  ///   - answers: what the walker said; minutes of what was no walk are left out.
  /// - Returns: the walks by rising time, the number and steps of shorter ones, and the steps of minutes over which an
  ///   import spread totals of hours or days, which are not walks.
  static func all(
    in reader: HistoryReader, from: Date, to: Date, rest: Double, shortest: Double, answers: [DoubtfulWalk] = []
  ) throws -> (walks: [WalkActivity], short: (count: Int, steps: Int), spread: Int) {
    guard let recorded = try reader.period() else { return ([], (0, 0), 0) }
    let (from, to) = (max(from, recorded.start), min(to, recorded.end))
    guard from < to else { return ([], (0, 0), 0) }
    var spans: [DateInterval] = []
    let none = answers.filter(\.isLeftOut)
    let (runs, spread) = try runs(reader, from, to, none)
    for run in runs {
      if let last = spans.last, run.start.timeIntervalSince(last.end) <= rest,
        !none.contains(where: { $0.start < run.start && last.end < $0.end })
      {
        spans[spans.count - 1].end = max(last.end, run.end)
      } else {
        spans.append(run)
      }
    }
    var walks: [WalkActivity] = []
    var short = (count: 0, steps: 0)
    var next = from
    for span in spans {
      let parts = try parts(reader, span, within: (from, to), after: &next)
      if span.duration >= shortest, !parts.isEmpty {
        let said = answers.filter { $0.isWalk && $0.start < span.end && span.start < $0.end }
        walks.append(
          WalkActivity(
            start: span.start, end: span.end, parts: parts,
            said: said.max { $0.end.timeIntervalSince($0.start) < $1.end.timeIntervalSince($1.start) }))
      } else {
        short.count += 1
        short.steps += parts.reduce(0) { $0 + $1.steps }
      }
    }
    return (walks, short, spread)
  }

  /// Consecutive minutes with steps, from the first step to the last where these are known: imported minutes have no bouts.
  private static func runs(
    _ reader: HistoryReader, _ from: Date, _ to: Date, _ leftOut: [DoubtfulWalk]
  ) throws -> (runs: [DateInterval], spread: Int) {
    var (starts, ends): ([Date: Date], [Date: Date]) = ([:], [:])
    for bout in try reader.bouts(from: from, to: to) {
      let (first, last) = (minute(of: bout.start), minute(of: bout.end))
      starts[first] = min(starts[first] ?? bout.start, bout.start)
      // The last step belongs to the walk.
      ends[last] = max(ends[last] ?? bout.end, bout.end + 0.001)
    }
    let spread = try spreadMinutes(reader, from, to)
    var runs: [DateInterval] = []
    var left: [Int: Int] = [:]
    try reader.minutes(from: minute(of: from), to: to) { minute in
      if leftOut.contains(where: { $0.start <= minute.start && minute.start < $0.end }) { return }
      let number = Int(minute.start.timeIntervalSince1970 / 60)
      if let run = spread.run(number), run.sources.contains(minute.source) {
        left[number] = max(left[number] ?? 0, minute.totals.steps)
        return
      }
      if let last = runs.last, minute.start <= last.end {
        runs[runs.count - 1].end = max(last.end, minute.start + 60)
      } else {
        runs.append(DateInterval(start: minute.start, duration: 60))
      }
    }
    // Minutes with the steps of another source are exported.
    for run in runs {
      for number in stride(from: run.start.timeIntervalSince1970, to: run.end.timeIntervalSince1970, by: 60) {
        left[Int(number / 60)] = nil
      }
    }
    let intervals = runs.map { run in
      let start = max(from, starts[run.start] ?? run.start)
      return DateInterval(start: start, end: max(start, min(to, ends[run.end - 60] ?? run.end)))
    }
    return (intervals, left.values.reduce(0, +))
  }

  /// The fewest minutes that are left out: a walk of a quarter of an hour that another program stored as one entry is a
  /// walk.
  private static let fewestSpread = 30

  private static func spreadMinutes(_ reader: HistoryReader, _ from: Date, _ to: Date) throws -> SpreadMinutes {
    var minutes: [(minute: Int, source: HistorySource, steps: Int)] = []
    try reader.minutes(from: from - 90_000, to: to + 90_000) {
      minutes.append((Int($0.start.timeIntervalSince1970 / 60), $0.source, $0.totals.steps))
    }
    return SpreadMinutes(minutes, DayCalendar(timeZone: UserTimeZone.present()), fewest: fewestSpread)
  }

  private static func minute(of date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }

  /// The minutes of a walk with all their steps: the history keeps the times of single steps for two days only, and a part
  /// of an older minute would be an estimate. Only a minute that the period cuts counts in part, as in its totals.
  /// - Parameters:
  ///   - period: the first and the last moment of the walks.
  ///   - next: the beginning of the first minute that no earlier walk has; advanced.
  private static func parts(
    _ reader: HistoryReader, _ span: DateInterval, within period: (from: Date, to: Date), after next: inout Date
  ) throws -> [Part] {
    var parts: [Part] = []
    var minute = max(next, Self.minute(of: span.start))
    while minute < span.end {
      let totals = try reader.totals(from: max(minute, period.from), to: min(minute + 60, period.to))
      let part = (from: max(minute, span.start), to: min(minute + 60, span.end))
      parts.append(
        Part(
          end: part.to, steps: totals.steps, distance: totals.distanceTravelled,
          duration: part.to.timeIntervalSince(part.from)))
      minute += 60
    }
    next = max(next, minute)
    return parts
  }
}
