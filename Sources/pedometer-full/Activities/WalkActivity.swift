import Foundation
import History

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

  var steps: Int { parts.reduce(0) { $0 + $1.steps } }
  var distance: Double { parts.reduce(0) { $0 + $1.distance } }
  var duration: Double { end.timeIntervalSince(start) }
  /// Steps per minute, including rests.
  var cadence: Double { duration > 0 ? Double(steps) / duration * 60 : 0 }

  /// The walks of a period.
  /// - Parameters:
  ///   - rest: the longest rest within a walk, in seconds.
  ///   - shortest: the shortest walk, in seconds; shorter ones are only counted.
  /// - Returns: the walks by rising time, and the number and steps of shorter ones.
  static func all(
    in reader: HistoryReader, from: Date, to: Date, rest: Double, shortest: Double
  ) throws -> (walks: [WalkActivity], short: (count: Int, steps: Int)) {
    guard let recorded = try reader.period() else { return ([], (0, 0)) }
    let (from, to) = (max(from, recorded.start), min(to, recorded.end))
    guard from < to else { return ([], (0, 0)) }
    var spans: [DateInterval] = []
    for run in try runs(reader, from, to) {
      if let last = spans.last, run.start.timeIntervalSince(last.end) <= rest {
        spans[spans.count - 1].end = max(last.end, run.end)
      } else {
        spans.append(run)
      }
    }
    var walks: [WalkActivity] = []
    var short = (count: 0, steps: 0)
    var next = from
    for span in spans {
      // The last step belongs to the walk.
      let end = span.end + 0.001
      let parts = try parts(reader, span.start, end, after: &next)
      if span.duration >= shortest, !parts.isEmpty {
        walks.append(WalkActivity(start: span.start, end: end, parts: parts))
      } else {
        short.count += 1
        short.steps += parts.reduce(0) { $0 + $1.steps }
      }
    }
    return (walks, short)
  }

  /// Consecutive minutes with steps, from the first step to the last where these are known: imported minutes have no bouts.
  private static func runs(_ reader: HistoryReader, _ from: Date, _ to: Date) throws -> [DateInterval] {
    var (starts, ends): ([Date: Date], [Date: Date]) = ([:], [:])
    for bout in try reader.bouts(from: from, to: to) {
      let (first, last) = (minute(of: bout.start), minute(of: bout.end))
      starts[first] = min(starts[first] ?? bout.start, bout.start)
      ends[last] = max(ends[last] ?? bout.end, bout.end)
    }
    var runs: [DateInterval] = []
    try reader.minutes(from: minute(of: from), to: to) { minute in
      if let last = runs.last, minute.start <= last.end {
        runs[runs.count - 1].end = max(last.end, minute.start + 60)
      } else {
        runs.append(DateInterval(start: minute.start, duration: 60))
      }
    }
    return runs.map { run in
      let start = max(from, starts[run.start] ?? run.start)
      return DateInterval(start: start, end: max(start, min(to, ends[run.end - 60] ?? run.end)))
    }
  }

  private static func minute(of date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }

  /// The minutes of a walk with all their steps: the history keeps the times of single steps for two days only, and a part
  /// of an older minute would be an estimate.
  /// - Parameter next: the beginning of the first minute that no earlier walk has; advanced.
  private static func parts(
    _ reader: HistoryReader, _ start: Date, _ end: Date, after next: inout Date
  ) throws -> [Part] {
    var parts: [Part] = []
    var minute = max(next, Self.minute(of: start))
    while minute < end {
      let totals = try reader.totals(from: minute, to: minute + 60)
      let part = (from: max(minute, start), to: min(minute + 60, end))
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
