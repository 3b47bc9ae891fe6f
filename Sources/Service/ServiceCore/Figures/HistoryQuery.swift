import Foundation
import History

/// A request for the totals of a period, in buckets.
package struct HistoryQuery: Sendable, Hashable {
  /// `nil`: today for minutes and hours, the last thirty days for days.
  package var from: Date?
  /// `nil`: now.
  package var to: Date?
  package var bucket = HistoryBucketLength.day
  /// Whether buckets without steps are listed.
  package var listsEmpty = true
  /// The time zone of the days; `nil`: the service's.
  package var timeZone: TimeZone?
  /// How long after midnight a day begins; `nil`: as for the service.
  package var dayStart: Duration?

  /// The calendar of the days.
  /// - Parameter usual: the service's.
  package func calendar(_ usual: DayCalendar) -> DayCalendar {
    DayCalendar(timeZone: timeZone ?? usual.timeZone, dayStart: dayStart ?? usual.dayStart)
  }
}

extension HistoryQuery {
  private static let names = ["from", "to", "bucket", "time-zone", "day-start", "empty"]
  /// The years that a query can reach.
  private static let years = -62_135_596_800.0..<253_402_300_800.0

  /// Reads the parameters of `GET /api/history`.
  package init(_ query: [String: String]) throws(ServiceRefusal) {
    if let unknown = query.keys.sorted().first(where: { !Self.names.contains($0) }) {
      throw ServiceRefusal(
        400, "'\(unknown)' is not a parameter; the parameters are from, to, bucket, time-zone, day-start and empty")
    }
    from = try Self.date(query, "from")
    to = try Self.date(query, "to")
    if let text = query["bucket"] {
      guard let bucket = HistoryBucketLength(rawValue: text) else {
        throw ServiceRefusal(400, "'bucket' is minute, hour or day")
      }
      self.bucket = bucket
    }
    if let text = query["empty"] {
      guard ["true", "false"].contains(text) else {
        throw ServiceRefusal(400, "'empty' is true or false: whether buckets without steps are listed")
      }
      listsEmpty = text == "true"
    }
    if let text = query["time-zone"] {
      // A plus sign that was not encoded arrives as a blank.
      guard let zone = TimeZone(named: text.hasPrefix(" ") ? "+\(text.dropFirst())" : text) else {
        throw ServiceRefusal(
          400, "'time-zone' is the name of a time zone, such as Europe/Vienna, or an offset such as +02:00")
      }
      timeZone = zone
    }
    if let text = query["day-start"] {
      guard let start = DayCalendar.dayStart(text) else {
        throw ServiceRefusal(400, "'day-start' is a time of day, HH:MM, such as 04:00")
      }
      dayStart = start
    }
  }

  private static func date(_ query: [String: String], _ name: String) throws(ServiceRefusal) -> Date? {
    guard let text = query[name] else { return nil }
    let date = try TimeParameter.date(text, named: name)
    // The last day of a period must have an end.
    guard years.contains(date.timeIntervalSince1970 - 172_800), years.contains(date.timeIntervalSince1970 + 172_800)
    else { throw ServiceRefusal(400, "'\(name)' is too far away; give a time from 0001-01-03 to 9999-12-29") }
    return date
  }
}
