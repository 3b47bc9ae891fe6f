import Foundation
import History
import JSONLines
import Pedometry
import ServiceCore

/// Buckets and minutes as lines for other programs.
enum HistoryLines {
  static let heading = "start,end,\(figures),correctedSteps\n"
  static let minuteHeading = "start,source,name,\(figures)\n"
  private static let figures = "steps,distanceTravelled,cadence,activeTime,floorsAscended,floorsDescended"

  /// - Parameter corrected: the figures with the walker's answers.
  static func json(_ bucket: HistoryBucket, _ corrected: CorrectedFigures?, _ calendar: DayCalendar) -> String {
    var line = JSONLine(bucket, calendar)
    line.add(corrected: corrected)
    return line.line
  }

  static func csv(_ bucket: HistoryBucket, _ corrected: CorrectedFigures?, _ calendar: DayCalendar) -> String {
    let times = [calendar.civil(bucket.start).iso8601, calendar.civil(bucket.end).iso8601]
    let last = [corrected.map { "\($0.steps)" } ?? ""]
    return (times + cells(bucket.totals, active: bucket.activeTime) + last).joined(separator: ",") + "\n"
  }

  static func json(_ minute: HistoryMinute, _ calendar: DayCalendar) -> String {
    var line = JSONLine([
      "start": calendar.civil(minute.start).iso8601, "source": minute.source.identity, "name": minute.source.name,
    ])
    line.add(minute.totals, active: minute.totals.activeTime)
    return line.line
  }

  static func csv(_ minute: HistoryMinute, _ calendar: DayCalendar) -> String {
    let names = [
      calendar.civil(minute.start).iso8601, CSV.quoted(minute.source.identity), CSV.quoted(minute.source.name),
    ]
    return (names + cells(minute.totals, active: minute.totals.activeTime)).joined(separator: ",") + "\n"
  }

  private static func cells(_ totals: WalkTotals, active: Duration) -> [String] {
    [
      String(totals.steps), Decimals.text(totals.distanceTravelled, 2) ?? "",
      totals.cadence.flatMap { Decimals.text($0, 3) } ?? "", Decimals.text(active / .seconds(1), 3) ?? "",
      totals.floorsAscended.map { String($0) } ?? "", totals.floorsDescended.map { String($0) } ?? "",
    ]
  }
}
