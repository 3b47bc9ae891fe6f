/// Dates of the proleptic Gregorian calendar and days from 1970-01-01.
///
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that the leap day is the last of
/// its year, in eras of 400 years.
package enum CivilDays {
  /// Days from 1970-01-01 to a date. The month is 1…12.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date this many days after 1970-01-01.
  package static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  package static func isDate(year: Int, month: Int, day: Int) -> Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    let next = month == 12 ? days(year: year + 1, month: 1, day: 1) : days(year: year, month: month + 1, day: 1)
    return day <= next - days(year: year, month: month, day: 1)
  }
}

/// A date of the calendar without a time zone.
package struct CivilDay: Sendable, Hashable, Comparable, Codable {
  /// Days since 1970-01-01.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// Parses `2026-11-23`; `nil` unless it is a date of the years 1970 to 9999.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1970,
      CivilDays.isDate(year: year, month: month, day: day)
    else { return nil }
    number = CivilDays.days(year: year, month: month, day: day)
  }

  /// `2026-11-23`.
  package var text: String {
    let (year, month, day) = CivilDays.date(number)
    return "\(year.padded(4))-\(month.padded())-\(day.padded())"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let day = CivilDay(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    self = day
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package static func < (first: CivilDay, second: CivilDay) -> Bool { first.number < second.number }
  package static func + (day: CivilDay, days: Int) -> CivilDay { CivilDay(number: day.number + days) }
}
