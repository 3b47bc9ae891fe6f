import Foundation
import History
import JSONLines
import Pedometry
import ServiceCore

enum HistoryLines {
  static let heading = "start,end,\(figures),correctedSteps\n"
  static let minuteHeading = "start,source,name,\(figures)\n"
  private static let figures = "steps,distanceTravelled,cadence,activeTime,floorsAscended,floorsDescended"

  /// - Parameter corrected: the figures with the walker's answers.
  static func json(_ bucket: HistoryBucket, _ corrected: WalkTotals?, _ calendar: DayCalendar) -> String {
    var line = JSONLine(bucket, calendar)
    line.add(corrected: corrected)
    return line.line
  }

  static func csv(_ bucket: HistoryBucket, _ corrected: WalkTotals?, _ calendar: DayCalendar) -> String {
    let times: [any LineValue] = [calendar.civil(bucket.start).iso8601, calendar.civil(bucket.end).iso8601]
    return CSV.row(times + cells(bucket.totals, active: bucket.activeTime) + [corrected?.steps])
  }

  static func json(_ minute: HistoryMinute, _ calendar: DayCalendar) -> String {
    var line = JSONLine([
      "start": calendar.civil(minute.start).iso8601, "source": minute.source.identity, "name": minute.source.name,
    ])
    line.add(minute.totals, active: minute.totals.activeTime)
    return line.line
  }

  static func csv(_ minute: HistoryMinute, _ calendar: DayCalendar) -> String {
    let names: [any LineValue] = [calendar.civil(minute.start).iso8601, minute.source.identity, minute.source.name]
    return CSV.row(names + cells(minute.totals, active: minute.totals.activeTime))
  }

  private static func cells(_ totals: WalkTotals, active: Duration) -> [any LineValue] {
    [
      totals.steps, totals.distanceTravelled.decimals(2), totals.cadence.decimals(3), active, totals.floorsAscended,
      totals.floorsDescended,
    ]
  }
}
