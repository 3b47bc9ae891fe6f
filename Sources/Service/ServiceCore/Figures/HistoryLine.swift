import Foundation
import History
import JSONLines
import Pedometry
import Presentation

extension JSONLine {
  /// An interval of the history, for /api/history and `pedometer-full history`.
  package init(_ bucket: HistoryBucket, _ calendar: DayCalendar) {
    self.init()
    add("start", calendar.civil(bucket.start).iso8601)
    add("end", calendar.civil(bucket.end).iso8601)
    add(bucket.totals, active: bucket.activeTime)
  }

  /// Adds totals of the history.
  /// - Parameter active: the walking time, as a bucket limits it.
  package mutating func add(_ totals: WalkTotals, active: Duration) {
    add([
      "steps": totals.steps, "distanceTravelled": totals.distanceTravelled.decimals(2),
      "cadence": totals.cadence.decimals(3), "activeTime": active,
    ])
    addFloors(ascended: totals.floorsAscended, descended: totals.floorsDescended)
  }
}
