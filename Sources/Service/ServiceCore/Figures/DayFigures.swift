import JSONLines
import Pedometry
import Presentation

/// A day's figures up to now.
package struct TodayFigures: Sendable, Hashable {
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
  /// With the walker's answers; `nil` if they change nothing.
  package var corrected: WalkTotals?

  /// For /api/today.
  package var json: JSONLine {
    var line = JSONLine()
    add(to: &line)
    return line
  }

  /// For the event stream.
  package var liveLine: String {
    var line = JSONLine(["type": "today"])
    add(to: &line)
    return line.object
  }

  private func add(to line: inout JSONLine) {
    line.add([
      "date": date, "steps": steps, "distanceTravelled": distanceTravelled.decimals(2),
      "activeTime": activeTime.decimals(3), "goal": goal,
    ])
    line.addFloors(ascended: floorsAscended, descended: floorsDescended)
    line.add(corrected: corrected)
  }
}

extension JSONLine {
  /// Adds totals with the walker's answers, beside those that were counted.
  package mutating func add(corrected totals: WalkTotals?) {
    guard let totals else { return }
    let line = JSONLine([
      "steps": totals.steps, "distanceTravelled": totals.distanceTravelled.decimals(2), "activeTime": totals.activeTime,
    ])
    add("corrected", line)
  }
}

/// An answer from the history, page by page, so that years of minutes are never in memory at once: each call gives at least one
/// JSON object, separated by commas, or `nil` after the last page. Each page is a consistent snapshot. For one task at a time.
package typealias HistoryPages = @Sendable () async throws -> String?
