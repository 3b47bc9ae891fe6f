import FoundationEssentials
import JSONLines

/// The date format of reports: ISO 8601 in UTC with milliseconds.
///
/// Plain ISO 8601 drops fractions of a second, so a report would differ from its decoded copy.
enum ReportDate {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The years 1583 to 9999: later ones have five digits, and Foundation writes earlier ones in the Julian calendar,
  /// which RFC 3339 does not use.
  private static let range = -12_212_553_600.0..<253_402_300_800.0

  /// To the nearest millisecond.
  static func rounded(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }

  /// `2026-11-21T14:19:20.123Z`
  static func text(_ date: Date) -> String {
    // The style truncates instead of rounding, and 0.123 is slightly less than that in binary.
    style.format(rounded(date) + 0.0004)
  }

  /// A date of RFC 3339, with or without a fraction; `nil` for anything else.
  static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 40, let seconds = RFC3339.secondsSince1970(text), range.contains(seconds) else {
      return nil
    }
    return rounded(Date(timeIntervalSince1970: seconds))
  }
}

// The compiler's coding of this module's types uses these, and so no date strategy of the coder.

extension KeyedEncodingContainer {
  mutating func encode(_ date: Date, forKey key: Key) throws { try encode(ReportDate.text(date), forKey: key) }
}

extension KeyedDecodingContainer {
  func decode(_ type: Date.Type, forKey key: Key) throws -> Date {
    let text = try decode(String.self, forKey: key)
    guard let date = ReportDate.date(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "'\(text)' is not an ISO 8601 date")
    }
    return date
  }
}
