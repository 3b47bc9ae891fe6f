import Foundation
import Platform

/// A moment in local calendar and clock time, computed without a library's calendar.
public struct CivilDate: Sendable, Hashable {
  /// In the proleptic Gregorian calendar.
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1…31.
  public let day: Int
  /// 0…23.
  public let hour: Int
  /// 0…59.
  public let minute: Int
  /// 0…59.
  public let second: Int
  /// 1 is Monday, 7 is Sunday.
  public let weekday: Int
  /// Seconds ahead of UTC.
  public let offset: Int

  /// The local time at this many seconds ahead of UTC.
  public init(_ date: Date, offset: Int) {
    let shown = date.microseconds.floored(by: 1_000_000) + Int64(offset)
    let days = shown.floored(by: 86_400)
    let seconds = Int(shown - days * 86_400)
    (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    // 1970-01-01 was a Thursday.
    weekday = Int(days + 3 - (days + 3).floored(by: 7) * 7) + 1
    self.offset = offset
    (year, month, day) = CivilDays.date(Int(days))
  }

  /// `2026-11-21`.
  public var date: String { CivilDay(number: CivilDays.days(year: year, month: month, day: day)).text }

  /// `14:19`.
  public var time: String { "\(hour.padded()):\(minute.padded())" }

  /// `2026-11-21T14:19:00+01:00`: ISO 8601.
  public var iso8601: String {
    let ahead = abs(offset) / 60
    let zone = (offset < 0 ? "-" : "+") + "\((ahead / 60).padded()):\((ahead % 60).padded())"
    return "\(date)T\(time):\(second.padded())" + (offset == 0 ? "Z" : zone)
  }

  /// `20261121T141900Z`, for file names.
  var stamp: String {
    "\(year.padded(4))\(month.padded())\(day.padded())T\(hour.padded())\(minute.padded())"
      + "\(second.padded())Z"
  }
}
