import Foundation
import JSONLines
import Platform

/// A participant's time zones: one, or several in sequence.
///
/// Written as `Europe/London`, `+02:00` or, for a traveller, `Europe/London;2026-05-06T12:00:00Z=America/New_York`.
package struct ZonePlan: Sendable, Hashable {
  private struct Stay: Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    var start: Double
    var zone: TimeZone
  }
  private var stays: [Stay]
  /// The original text.
  package let text: String

  /// Parses a plan; `nil` if it is invalid.
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
    if let offset = UTCOffset.seconds(name) { return TimeZone(secondsFromGMT: offset) }
    // Foundation also accepts abbreviations, which are ambiguous.
    guard name.contains("/") || name == "UTC" || name == "GMT" else { return nil }
    return TimeZone(identifier: name)
  }

  /// The offset from UTC in seconds at a moment.
  /// - Parameter time: seconds since 1970-01-01T00:00:00Z.
  package func offset(at time: Double) -> Int {
    let stay = stays.last { $0.start <= time } ?? stays[0]
    return stay.zone.secondsFromGMT(for: Date(timeIntervalSince1970: time))
  }

  /// The offset from UTC in seconds when local clocks show a time, the first time if they show it twice.
  /// - Parameter shown: seconds since 1970-01-01T00:00 on the local clock.
  package func offset(whenShowing shown: Double) -> Int {
    let (before, after) = (offset(at: shown - 86_400), offset(at: shown + 86_400))
    if before == after || offset(at: shown - Double(before)) == before { return before }
    // Never shown, since clocks are set ahead over it: one that is not goes on.
    return offset(at: shown - Double(after)) == after ? after : before
  }
}

extension StringProtocol {
  /// The text without leading and trailing blanks.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
