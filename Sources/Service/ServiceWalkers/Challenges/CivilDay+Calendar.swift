import Foundation
import History
import Platform

/// A date without a time zone.
package struct ChallengeDate: Sendable, Hashable, Comparable, Codable {
  /// Days since 1970-01-01.
  package let number: Int

  init(number: Int) { self.number = number }

  /// Parses `2026-11-23`; `nil` unless it is a date of the years 1970 to 9999.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1970,
      CivilDays.isDate(year: year, month: month, day: day)
    else { return nil }
    number = CivilDays.days(year: year, month: month, day: day)
  }

  /// The day that contains a moment.
  init(containing date: Date, _ calendar: DayCalendar) {
    let start = calendar.day(containing: date).start
    // A day that begins at 04:00 on the 21st is the 21st.
    self = ChallengeDate(CivilDate(start, offset: calendar.offset(at: start)).date) ?? ChallengeDate(number: 0)
  }

  /// `2026-11-23`.
  package var text: String {
    let (year, month, day) = CivilDays.date(number)
    let padded = { (value: Int, width: Int) in
      String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// When it begins.
  package func start(_ calendar: DayCalendar) -> Date {
    calendar.reading(text)?.start ?? Date(timeIntervalSince1970: Double(number) * 86_400)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let day = ChallengeDate(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    self = day
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package static func < (first: ChallengeDate, second: ChallengeDate) -> Bool { first.number < second.number }
  static func + (day: ChallengeDate, days: Int) -> ChallengeDate { ChallengeDate(number: day.number + days) }
}
