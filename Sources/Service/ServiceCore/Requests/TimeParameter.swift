import Foundation
import JSONLines

/// A time in a query: RFC 3339, section 5.6, which is ISO 8601 with an offset.
enum TimeParameter {
  /// Parses times such as `2026-11-21T08:00:00+01:00`.
  static func date(_ text: String, named name: String) throws(ServiceRefusal) -> Date {
    guard let seconds = RFC3339.secondsSince1970(text) else {
      throw ServiceRefusal(400, "'\(name)' is a time with its offset from UTC, such as 2026-11-21T08:00:00+01:00")
    }
    return Date(timeIntervalSince1970: seconds)
  }
}
