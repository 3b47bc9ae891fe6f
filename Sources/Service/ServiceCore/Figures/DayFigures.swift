import JSONLines
import Pedometry
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
  /// With the walker's answers; `nil` if they change nothing.
  package var corrected: CorrectedFigures?

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

/// Totals with the walker's answers, beside those that were counted.
package struct CorrectedFigures: Sendable, Hashable, Codable {
  package var steps: Int
  /// Metres.
  package var distanceTravelled: Double
  /// Seconds spent walking.
  package var activeTime: Double

  package init(_ totals: WalkTotals) {
    (steps, distanceTravelled) = (totals.steps, totals.distanceTravelled)
    activeTime = totals.activeTime.timeInterval
  }
}

extension JSONLine {
  package mutating func add(corrected figures: CorrectedFigures?) {
    guard let figures else { return }
    let line = JSONLine([
      "steps": figures.steps, "distanceTravelled": figures.distanceTravelled.decimals(2),
      "activeTime": figures.activeTime.decimals(3),
    ])
    add("corrected", line)
  }
}

/// An answer from the history, page by page, so that years of minutes are never in memory at once. Each page is a
/// consistent snapshot.
package struct HistoryPages: Sendable {
  /// The next page: at least one JSON object, separated by commas; `nil` after the last page. Called by one task at a time.
  package let next: @Sendable () async throws -> String?
}
