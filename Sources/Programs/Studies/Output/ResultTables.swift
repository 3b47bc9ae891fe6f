import JSONLines
import Pedometry

extension StudyResult {
  func minutesTable(_ parameters: StudyParameters) -> String {
    var text = "time,steps,cadence,wear,enmo_mg\(parameters.includesMAD ? ",mad_mg" : "")\n"
    for minute in minutes {
      let cells: [any LineValue] = [
        minutesText(minute.number), minute.steps, minute.cadence.decimals(1), minute.isWorn ? 1 : 0,
        minute.enmo.decimals(2),
      ]
      text += CSV.row(cells + (parameters.includesMAD ? [minute.mad.decimals(2)] : []))
    }
    return text
  }

  var boutsTable: String {
    var text = "start,end,seconds,steps,cadence,confidence\(gait == nil ? "" : GaitColumns.heading)\n"
    for bout in bouts {
      let cells: [any LineValue] = [
        secondText(bout.start), secondText(bout.end), (Double(bout.end - bout.start) * 1e-9).decimals(1), bout.steps,
        bout.cadence.decimals(1), bout.confidence.decimals(2),
      ]
      text += CSV.row(cells + measures(bout.gait))
    }
    return text
  }

  static let daysHeading =
    "day,start,hours,wear_hours,valid,steps,walking_minutes,bouts,peak1_cadence,peak30_cadence,"
    + CadenceBands.bands.map { "minutes_\($0.name)" }.joined(separator: ",") + ",enmo_mg,weekday,"
    + [PeerFigures.cadenceNames, PeerFigures.timeNames, PeerFigures.boutNames].joined().joined(separator: ",")

  var daysTable: String { Self.daysHeading + (gait == nil ? "" : GaitColumns.heading) + "\n" + dayRows.joined() }

  /// One line per day.
  var dayRows: [String] {
    days.map { day in
      let figures: [any LineValue] = [
        isDated ? DayTable.date(day.number) : String(day.number + 1), minutesText(day.firstMinute),
        (Double(day.minutes) / 60).decimals(2), (Double(day.wear) / 60).decimals(2), day.isValid ? 1 : 0, day.steps,
        (day.walking / 60).decimals(2), day.bouts, day.peak1.decimals(1), day.peak30.decimals(1),
      ]
      let last: [any LineValue] = [day.enmo.decimals(2), isDated ? DayTable.weekday(day.number) : ""]
      return CSV.row(figures + day.bands.minutes + last + (day.peers?.cells ?? []) + measures(day.gait))
    }
  }

  private func measures(_ gait: GaitMeasures?) -> [any LineValue] {
    self.gait == nil ? [] : GaitColumns.cells(gait, stepLength: stepLength)
  }

  private func secondText(_ nanoseconds: Int64) -> String {
    isDated
      ? clock.text(of: (nanoseconds + 500_000_000).floored(by: 1_000_000_000))
      : Decimals.text(Double(nanoseconds) * 1e-9, 1) ?? ""
  }
}
