import Foundation
import JSONLines
import Recordings

/// Where a participant was: one time zone, or one after another.
///
/// Written as `Europe/London`, `+02:00`, or, for a participant who travels,
/// `Europe/London;2026-05-06T12:00:00Z=America/New_York`.
package struct ZonePlan: Sendable, Hashable {
  private struct Stay: Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    var start: Double
    var zone: TimeZone
  }
  private var stays: [Stay]
  /// As it was written.
  package let text: String

  /// Reads a plan; `nil` when it is none.
  package init?(_ text: String) {
    self.text = text
    stays = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      if stays.isEmpty {
        guard let zone = Self.zone(part.trimmed) else { return nil }
        stays.append(Stay(start: -.infinity, zone: zone))
        continue
      }
      guard let sign = part.firstIndex(of: "="),
        let start = RFC3339.secondsSince1970(part[..<sign].trimmed),
        let zone = Self.zone(part[part.index(after: sign)...].trimmed), start > (stays.last?.start ?? 0)
      else { return nil }
      stays.append(Stay(start: start, zone: zone))
    }
    if stays.isEmpty { return nil }
  }

  private static func zone(_ name: String) -> TimeZone? {
    if let offset = ClockTime.offset(name) { return TimeZone(secondsFromGMT: offset) }
    // Foundation takes abbreviations too, which name several zones each.
    guard name.contains("/") || name == "UTC" || name == "GMT" else { return nil }
    return TimeZone(identifier: name)
  }

  /// Seconds ahead of UTC at a moment.
  /// - Parameter time: seconds since 1970-01-01T00:00:00Z.
  package func offset(at time: Double) -> Int {
    let stay = stays.last { $0.start <= time } ?? stays[0]
    return stay.zone.secondsFromGMT(for: Date(timeIntervalSince1970: time))
  }

  /// Seconds ahead of UTC when the clocks on the wall show a time.
  /// - Parameter shown: seconds since 1970-01-01T00:00 on that clock.
  package func offset(whenShowing shown: Double) -> Int {
    let guess = offset(at: shown - Double(offset(at: shown)))
    // Near a change of the clocks the first guess may be the other offset.
    return offset(at: shown - Double(guess))
  }
}

extension StringProtocol {
  /// Without blanks at both ends.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
