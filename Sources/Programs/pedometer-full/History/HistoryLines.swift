import Foundation
import History
import JSONLines
import PedometerCommands
import Pedometry
import ServiceCore

enum HistoryLines {
  static let columns = ["start", "end"] + figures + ["correctedSteps"]
  static let minuteColumns = ["start", "source", "name"] + figures
  private static let figures = [
    "steps", "distanceTravelled", "cadence", "activeTime", "floorsAscended", "floorsDescended",
  ]

  /// - Parameter corrected: the figures with the walker's answers.
  static func line(
    _ bucket: HistoryBucket, _ corrected: WalkTotals?, _ calendar: DayCalendar, _ format: OutputFormat
  ) -> String {
    var line = JSONLine(bucket, calendar)
    if format == .csv {
      line.add("correctedSteps", corrected?.steps)
      return line.row(columns)
    }
    line.add(corrected: corrected)
    return line.line
  }

  static func members(_ minute: HistoryMinute, _ calendar: DayCalendar) -> JSONLine {
    var line = JSONLine([
      "start": calendar.civil(minute.start).iso8601, "source": minute.source.identity, "name": minute.source.name,
    ])
    line.add(minute.totals, active: minute.totals.activeTime)
    return line
  }
}
