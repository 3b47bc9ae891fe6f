/// Calendar times of recordings, parsed without a library's calendar: ISO 8601 dates and times of day.
///
/// It accepts `2026-05-06T10:11:12.123456789+02:00` and its usual variants: a blank for the T, slashes in the date, a comma
/// before the fraction, no seconds, no zone (then UTC), `Z`, `+0200`, `+02`, `+01:00[Europe/London]`; dates such as `04.05.2026`,
/// `4. 5. 2026`, `2026. 5. 4.`, `5/4/2026` and `04-May-2026`; hours of one digit, and twelve-hour times with AM or PM, also in
/// Chinese, Japanese and Korean; the names of some zones; milliseconds behind a third colon; `Mon May  4 08:15:00 2026`, `Mon May
/// 4 08:15:00 CEST 2026`, `Mon, 04 May 2026 08:15:00 GMT` and `Mon May 04 2026 08:15:00 GMT+0200 (Central European Summer Time)`.
enum DateTimeText {
  /// A moment as written: the local time, and its offset from UTC.
  struct Moment: Sendable, Hashable {
    /// Since 1970-01-01T00:00 in local time.
    var wallNanoseconds: Int64
    /// In seconds; `nil` without a zone.
    var offset: Int?
  }

  /// A moment with its zone; `nil` if the whole field is not a date with a time of day, or beyond
  /// ``DecimalNumber/timestampLimit``.
  static func parseMoment(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isDayFirst: Bool = false, inHundredths: Bool = false
  ) -> Moment? {
    // The shortest is `1/2/24 1:02`.
    guard range.count >= 11 else { return nil }
    var field = TimeField(bytes, range, inHundredths: inHundredths)
    return field.takeMoment(isDayFirst: isDayFirst)
  }

  /// Nanoseconds since 1970-01-01T00:00Z of a whole field.
  static func parseDateAndTime(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isDayFirst: Bool = false, inHundredths: Bool = false
  ) -> Int64? {
    let moment = parseMoment(bytes, range, isDayFirst: isDayFirst, inHundredths: inHundredths)
    let utc = moment.map { $0.wallNanoseconds - Int64($0.offset ?? 0) * 1_000_000_000 }
    return utc.flatMap { DecimalNumber.isTimestamp($0) ? $0 : nil }
  }

  /// Nanoseconds from 1970-01-01T00:00Z to the beginning of a date, in UTC.
  static func parseDate(_ bytes: Span<UInt8>, _ range: Range<Int>, isDayFirst: Bool = false) -> Int64? {
    var field = TimeField(bytes, range)
    guard let day = field.takeDate(isDayFirst: isDayFirst), field.isAtEnd else { return nil }
    return TimeField.total(day, 0)
  }

  /// Nanoseconds since midnight of a field such as `10:11:12.5`.
  static func parseTimeOfDay(_ bytes: Span<UInt8>, _ range: Range<Int>, inHundredths: Bool = false) -> Int64? {
    guard range.count >= 4 else { return nil }
    var field = TimeField(bytes, range, inHundredths: inHundredths)
    if let time = field.takeTimeOfDay(), field.isAtEnd { return time }
    field.place = 0
    return field.takeMinutes().flatMap { field.isAtEnd ? $0 : nil }
  }

  /// The length of the date at the beginning of a text, with a time of day and its zone if these follow; `nil` if it does not begin
  /// with the four digits of a year.
  static func lengthOfMoment(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= 10, text.prefix(4).allSatisfy({ $0 &- 0x30 <= 9 }),
      "-/".utf8.contains(text[text.startIndex + 4])
    else { return nil }
    var field = TimeField(text.prefix(longest))
    guard field.takeDate(isDayFirst: false) != nil else { return nil }
    var length = field.place
    guard field.take(0x20) || field.take(UInt8(ascii: "T")), field.takeTimeOfDay() != nil else { return length }
    length = field.place
    // A number may follow a blank.
    if field.take(0x20) ? field.takeNameOfZone() != nil : !field.isAtEnd && field.takeZone(isWhole: false) != nil {
      length = field.place
    }
    return length
  }

  private static let longest = 64

  /// Whether the order of a date's day and month is ambiguous.
  static func isAmbiguous(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var field = TimeField(bytes, range)
    guard let first = field.takeNumber(), first <= 12, field.take(UInt8(ascii: "/")), let second = field.takeNumber()
    else { return false }
    return second <= 12 && first != second
  }

  /// Whether two digits behind a third colon begin with a zero: such numbers are hundredths of a second, as milliseconds
  /// without leading zeros have none.
  static func hasHundredths(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let parts = range.map { bytes[$0] }.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 4, parts[2].count == 2, let last = parts.last, last.first == UInt8(ascii: "0") else {
      return false
    }
    return last.prefix { $0 &- 0x30 <= 9 }.count == 2
  }

  /// Minutes ahead of UTC of the names of zones that seldom mean another one, each with that of the other half of the year.
  static let zones: [String: Int] = [
    "UTC": 0, "GMT": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "MSK": 180,
    "EST": -300, "EDT": -240, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540,
    "AKDT": -480, "HST": -600, "JST": 540, "KST": 540, "AWST": 480, "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660,
    "NZST": 720, "NZDT": 780,
  ]
}
