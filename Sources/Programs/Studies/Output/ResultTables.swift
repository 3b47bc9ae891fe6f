import JSONLines

/// The tables of one recording, as text.
extension StudyResult {
  func minutesTable(_ parameters: StudyParameters) -> String {
    var text = "time,steps,cadence,wear,enmo_mg\(parameters.includesMAD ? ",mad_mg" : "")\n"
    for minute in minutes {
      text += "\(minutesText(minute.number) ?? ""),\(minute.steps),"
      text += "\(minute.cadence.flatMap { Decimals.text($0, 1) } ?? ""),\(minute.isWorn ? 1 : 0),"
      text += minute.enmo.flatMap { Decimals.text($0, 2) } ?? ""
      if parameters.includesMAD { text += "," + (minute.mad.flatMap { Decimals.text($0, 2) } ?? "") }
      text += "\n"
    }
    return text
  }

  var boutsTable: String {
    var text = "start,end,seconds,steps,cadence,confidence\(gait == nil ? "" : GaitColumns.heading)\n"
    for bout in bouts {
      text += "\(secondText(bout.start)),\(secondText(bout.end)),"
      text += "\(Decimals.text(Double(bout.end - bout.start) * 1e-9, 1) ?? ""),\(bout.steps),"
      text += "\(bout.cadence.flatMap { Decimals.text($0, 1) } ?? ""),"
      text += bout.confidence.flatMap { Decimals.text($0, 2) } ?? ""
      text += (gait == nil ? "" : GaitColumns.cells(bout.gait, stepLength: stepLength)) + "\n"
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
      let cells: [String] = [
        isDated ? DayTable.date(day.number) : String(day.number + 1), minutesText(day.firstMinute) ?? "",
        Decimals.text(Double(day.minutes) / 60, 2) ?? "", Decimals.text(Double(day.wear) / 60, 2) ?? "",
        day.isValid ? "1" : "0", String(day.steps), Decimals.text(day.walking / 60, 2) ?? "", String(day.bouts),
        Decimals.text(day.peak1, 1) ?? "", Decimals.text(day.peak30, 1) ?? "",
        day.bands.minutes.map(String.init).joined(separator: ","),
        day.enmo.flatMap { Decimals.text($0, 2) } ?? "", isDated ? DayTable.weekday(day.number) : "",
      ]
      let measures = gait == nil ? "" : GaitColumns.cells(day.gait, stepLength: stepLength)
      return (cells + (day.peers?.cells ?? [])).joined(separator: ",") + measures + "\n"
    }
  }

  private func secondText(_ nanoseconds: Int64) -> String {
    isDated
      ? clock.text(of: (nanoseconds + 500_000_000).floored(by: 1_000_000_000))
      : Decimals.text(Double(nanoseconds) * 1e-9, 1) ?? ""
  }
}
