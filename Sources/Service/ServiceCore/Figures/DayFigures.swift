import JSONLines
import Presentation

/// A day's figures up to now.
package struct TodayFigures: Sendable, Hashable, Codable {
  /// The day, as 2026-11-21.
  package var date: String
  package var steps: Int
  /// Metres.
  package var distanceTravelled: Double
  /// Seconds spent walking.
  package var activeTime: Double
  /// Steps; `nil` without a goal.
  package var goal: Int?
  /// `nil` without a barometer.
  package var floorsAscended: Int?
  package var floorsDescended: Int?
}

/// The lengths of history buckets.
package enum BucketLength: String, Sendable, CaseIterable, Codable {
  case minute, hour, day
}

/// One bucket of history.
struct HistoryFigures: Sendable, Hashable, Codable {
  /// ISO 8601 with offset.
  var start: String
  var end: String
  var steps: Int
  /// Metres.
  var distanceTravelled: Double
  /// Steps per second over the walking time; `nil` without steps.
  var cadence: Double?
  /// Seconds spent walking.
  var activeTime: Double
  /// `nil` without a barometer.
  var floorsAscended: Int?
  var floorsDescended: Int?
  /// The goal that the day had; `nil` without one, and for shorter buckets.
  var goal: Int?
}

/// An answer from the history, page by page, so that years of minutes are never in memory at once. Each page is a
/// consistent snapshot.
package struct HistoryPages: Sendable {
  /// The next page: at least one JSON object, separated by commas; `nil` after the last page. Called by one task at a
  /// time.
  package let next: @Sendable () async throws -> String?
}

extension TodayFigures {
  /// For /api/today.
  package var json: JSONLine {
    var line = JSONLine()
    add(to: &line)
    return line
  }

  /// For the event stream.
  package var liveLine: String {
    var line = JSONLine()
    line.add("type", "today")
    add(to: &line)
    return line.object
  }

  private func add(to line: inout JSONLine) {
    line.add("date", date)
    line.add("steps", steps)
    line.add("distanceTravelled", distanceTravelled, decimals: 2)
    line.add("activeTime", activeTime, decimals: 3)
    if let goal { line.add("goal", goal) } else { line.add("goal", nil as String?) }
    line.addFloors(ascended: floorsAscended, descended: floorsDescended)
  }
}

extension HistoryFigures {
  /// For /api/history.
  var json: JSONLine {
    var line = JSONLine()
    line.add("start", start)
    line.add("end", end)
    line.add("steps", steps)
    line.add("distanceTravelled", distanceTravelled, decimals: 2)
    line.add("cadence", cadence, decimals: 3)
    line.add("activeTime", activeTime, decimals: 3)
    line.addFloors(ascended: floorsAscended, descended: floorsDescended)
    if let goal { line.add("goal", goal) }
    return line
  }
}
