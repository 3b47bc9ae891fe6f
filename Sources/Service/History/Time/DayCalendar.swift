import Foundation
import JSONLines
import Platform

/// Days in a time zone with a configurable start.
///
/// A day begins at the first moment at which the zone's clocks show ``dayStart`` or later on its date. So it has 23 or
/// 25 hours when clocks change by an hour, 23.5 or 24.5 on Lord Howe Island, and none at all if a date is skipped.
public struct DayCalendar: Sendable, Hashable {
  /// The time zone of the days.
  public var timeZone: TimeZone
  /// How long after midnight a day begins, in whole minutes below a day.
  public let dayStart: Duration

  /// Creates a calendar.
  /// - Parameters:
  ///   - timeZone: the time zone of the days.
  ///   - dayStart: the time after midnight, limited to whole minutes of 00:00…23:59.
  public init(timeZone: TimeZone = .current, dayStart: Duration = .zero) {
    self.timeZone = timeZone
    let minutes = dayStart.microseconds.floored(by: .minute)
    self.dayStart = .seconds(min(max(minutes, 0), 24 * 60 - 1) * 60)
  }

  /// Parses a start of the day, `04:00` or `4:00`; `nil` for anything else.
  package static func dayStart(_ text: String) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2, let hour = UInt(parts[0]),
      hour < 24, let minute = UInt(parts[1]), minute < 60
    else { return nil }
    return .seconds((hour * 60 + minute) * 60)
  }

  /// The day that contains a moment.
  public func day(containing date: Date) -> DateInterval {
    let time = Self.second(date)
    var number = (time + offset(at: time) - startOfDay).floored(by: Self.day)
    // If clocks change between midnight and the beginning of a day, the first guess may be off by one.
    while beginning(ofDay: number) > time { number -= 1 }
    while beginning(ofDay: number + 1) <= time { number += 1 }
    return DateInterval(start: Self.date(beginning(ofDay: number)), end: Self.date(beginning(ofDay: number + 1)))
  }

  /// The day before the one that begins at a moment.
  public func day(before start: Date) -> DateInterval { day(containing: start.addingTimeInterval(-1)) }

  /// The zone's offset from UTC at a moment, in seconds.
  public func offset(at date: Date) -> Int { Int(offset(at: Self.second(date))) }

  /// The first moment at which the zone's clocks show a time.
  /// - Parameter local: in seconds since 1970, as if the zone were UTC.
  package func moment(local: Double) -> Date { Self.date(moment(showing: Int64(bounded: local.rounded(.down)))) }

  /// Parses a date or a time: `2026-05-06` is that day, `2026-05-06T10:00` a moment in local time, and one with `Z` or
  /// an offset an absolute moment.
  public func reading(_ text: String) -> DateInterval? {
    let parts = text.split(separator: /[T ]/, omittingEmptySubsequences: false)
    guard let date = parts.first, (1...2).contains(parts.count) else { return nil }
    guard parts.count > 1 else {
      guard let midnight = RFC3339.secondsSince1970("\(date)T00:00:00Z") else { return nil }
      let number = Int64(bounded: midnight).floored(by: Self.day)
      return DateInterval(start: Self.date(beginning(ofDay: number)), end: Self.date(beginning(ofDay: number + 1)))
    }
    var time = String(parts[1])
    if time.count >= 5, time.dropFirst(5).first != ":" {
      time.insert(contentsOf: ":00", at: time.index(time.startIndex, offsetBy: 5))
    }
    if let sign = time.lastIndex(where: { "+-".contains($0) }), time[sign...].count == 5 {
      time.insert(":", at: time.index(sign, offsetBy: 3))
    }
    if let moment = RFC3339.secondsSince1970("\(date)T\(time)") {
      return DateInterval(start: Date(timeIntervalSince1970: moment), duration: 0)
    }
    guard let shown = RFC3339.secondsSince1970("\(date)T\(time)Z") else { return nil }
    return DateInterval(start: Self.date(moment(showing: Int64(bounded: shown.rounded(.down)))), duration: 0)
  }

  /// A moment in local time of the zone.
  public func civil(_ date: Date) -> CivilDate { CivilDate(date, offset: offset(at: date)) }

  /// The beginnings of all buckets between two moments, with the first moment at the front and the last at the end.
  /// - Returns: at least two moments, or none if the period is empty.
  func edges(from: Date, to: Date, by length: HistoryBucketLength, most: Int) throws(HistoryError) -> [Date] {
    guard from < to else { return [] }
    var edges = [from]
    while let last = edges.last, last < to {
      if edges.count > most { throw .tooManyBuckets }
      edges.append(min(end(ofStretchAt: last, length), to))
    }
    return edges
  }

  /// The end of a page of buckets that starts at a moment: at most some hundred complete buckets.
  package func endOfPage(at date: Date, by length: HistoryBucketLength) -> Date {
    switch length {
    case .minute: Date(minute: date.microseconds.floored(by: .minute) + 360)
    case .hour: end(ofDays: 15, at: date)
    case .day: end(ofDays: 360, at: date)
    }
  }

  private func end(ofDays count: Int, at date: Date) -> Date {
    (0..<count).reduce(date) { end, _ in day(containing: end).end }
  }

  private func end(ofStretchAt date: Date, _ length: HistoryBucketLength) -> Date {
    switch length {
    case .minute: Date(minute: date.microseconds.floored(by: .minute) + 1)
    case .hour: min(Self.date(endOfHour(at: Self.second(date))), day(containing: date).end)
    case .day: day(containing: date).end
    }
  }

  private static let day: Int64 = 86_400
  private var startOfDay: Int64 { dayStart.components.seconds }

  private static func second(_ date: Date) -> Int64 { date.microseconds.floored(by: 1_000_000) }
  private static func date(_ second: Int64) -> Date { Date(timeIntervalSince1970: Double(second)) }

  private func offset(at second: Int64) -> Int64 { Int64(timeZone.secondsFromGMT(for: Self.date(second))) }

  /// When the clocks first show the start of a day or later; days are counted from 1970-01-01.
  private func beginning(ofDay number: Int64) -> Int64 { moment(showing: number * Self.day + startOfDay) }

  /// When the clocks first show a time or later; the time is in seconds, as if the zone were UTC.
  private func moment(showing shown: Int64) -> Int64 {
    let before = offset(at: shown - Self.day)
    let after = offset(at: shown + Self.day)
    // Shown twice when clocks are set back: the first time counts.
    if before == after || offset(at: shown - before) == before { return shown - before }
    if offset(at: shown - after) == after { return shown - after }
    // Never shown, since clocks are set forward over it: the moment of the change.
    return change(from: before, after: shown - max(before, after), by: shown - min(before, after))
  }

  /// When the clocks show the next full hour, or are changed.
  private func endOfHour(at second: Int64) -> Int64 {
    let offset = offset(at: second)
    let next = ((second + offset).floored(by: 3600) + 1) * 3600 - offset
    return self.offset(at: next - 1) == offset ? next : change(from: offset, after: second, by: next)
  }

  /// The first second with another offset, later than one moment and not later than the other.
  private func change(from offset: Int64, after: Int64, by: Int64) -> Int64 {
    var (before, changed) = (after - 1, by)
    while changed - before > 1 {
      let middle = (before + changed).floored(by: 2)
      if self.offset(at: middle) == offset { before = middle } else { changed = middle }
    }
    return changed
  }
}
