import FoundationEssentials

/// Dates as reports have them: ISO 8601 in UTC with milliseconds.
///
/// Plain ISO 8601 drops what is left of a second, so a report would not equal itself after a journey.
enum ReportDate {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The years that four digits can write and a clock can mean.
  private static let range = -62_135_596_800.0..<253_402_300_800.0

  /// To the nearest millisecond.
  static func rounded(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }

  /// `2026-11-21T14:19:20.123Z`
  static func text(_ date: Date) -> String {
    // The style cuts off where it should round, and 0.123 is a little less than that in binary.
    style.format(rounded(date) + 0.0004)
  }

  /// A date of ISO 8601 with its offset, with or without a fraction; `nil` for anything else.
  static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 40, isOnTheCalendar(text), let date = shifted(text) ?? (try? style.parse(text)),
      range.contains(date.timeIntervalSince1970)
    else { return nil }
    return rounded(date)
  }

  /// A date of HTTP (RFC 9110, 5.6.7), in the one form that is sent today: `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func httpDate(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return date("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }

  /// A date whose offset is beyond what the parser takes, though RFC 3339 allows all up to 23:59: the same time of day in
  /// UTC, less the offset.
  private static func shifted(_ text: String) -> Date? {
    let offset = Array(text.utf8.suffix(6))
    guard text.utf8.count > 20, offset.count == 6, offset[3] == UInt8(ascii: ":"),
      let sign = [UInt8(ascii: "+"): 1.0, UInt8(ascii: "-"): -1.0][offset[0]],
      let hours = Int(String(decoding: offset[1...2], as: UTF8.self)), hours < 24,
      let minutes = Int(String(decoding: offset[4...5], as: UTF8.self)), minutes < 60,
      let date = try? style.parse(text.dropLast(6) + "Z")
    else { return nil }
    return date - sign * Double(hours * 3600 + minutes * 60)
  }

  /// Whether its figures are those of a calendar and a clock: the parser carries 12:99 over to 13:39, and 30 February to
  /// March.
  private static func isOnTheCalendar(_ text: String) -> Bool {
    let numbers = text.prefix(19).split(whereSeparator: { !$0.isASCII || !$0.isNumber }).compactMap { Int($0) }
    guard numbers.count == 6 else { return false }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && (1...lengths[month - 1]).contains(day) && numbers[3] < 24 && numbers[4] < 60
      && numbers[5] <= 60
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
