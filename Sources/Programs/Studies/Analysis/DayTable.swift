import Counting
import Pedometry
import Platform

/// One day of a participant.
package struct StudyDay: Sendable, Hashable {
  /// Days since 1970-01-01, or for an undated recording since its first sample.
  package var number: Int
  /// The first and the last minute, in minutes since 1970-01-01T00:00.
  package var firstMinute: Int64
  package var lastMinute: Int64
  /// Minutes of the recording in this day: up to 23 × 60 or 25 × 60 on days when the clocks change.
  package var minutes = 0
  /// Minutes in which the sensor was worn.
  package var wear = 0
  package var steps = 0
  /// Seconds in bouts.
  package var walking = 0.0
  package var bouts = 0
  /// The highest minute, and the mean of the thirty highest minutes, in steps/min.
  package var peak1 = 0.0
  package var peak30 = 0.0
  /// The minutes in which the sensor was worn.
  package var bands = CadenceBands()
  /// The mean over the minutes in which the sensor was worn, in mg; `nil` without any.
  package var enmo: Double?
  /// Whether the sensor was worn for long enough.
  package var isValid = false
  /// The gait of its bouts; `nil` unless it was measured.
  package var gait: GaitMeasures?
}

/// Divides minutes into the participant's days.
///
/// A day is all minutes that the participant's clock shows with one date, so it may have 23 or 25 hours, or any number
/// for a traveller.
struct DayTable {
  private(set) var days: [StudyDay] = []

  /// - Parameters:
  ///   - minutes: all minutes, in order of time.
  ///   - clock: gives the offset of the participant's clock.
  init(_ minutes: [StudyMinute], bouts: [StudyBout], clock: StudyClock, _ parameters: StudyParameters) {
    var places: [Int: Int] = [:]
    var walked: [[Int]] = []
    var enmo: [(sum: Double, count: Int)] = []
    for minute in minutes {
      let number = Self.day(ofMinute: minute.number, clock, parameters)
      let place = places[number] ?? days.count
      if place == days.count {
        places[number] = place
        days.append(StudyDay(number: number, firstMinute: minute.number, lastMinute: minute.number))
        walked.append([])
        enmo.append((0, 0))
      }
      days[place].lastMinute = minute.number
      days[place].minutes += 1
      days[place].steps += minute.steps
      walked[place].append(minute.steps)
      guard minute.isWorn else { continue }
      days[place].wear += 1
      days[place].bands.add(minute.steps)
      if let value = minute.enmo { enmo[place] = (enmo[place].sum + value, enmo[place].count + 1) }
    }
    for bout in bouts {
      let number = Self.day(ofMinute: bout.start.floored(by: 60_000_000_000), clock, parameters)
      guard let place = places[number] else { continue }
      days[place].bouts += 1
      days[place].walking += Double(bout.end - bout.start) * 1e-9
      if let gait = bout.gait { days[place].gait = gait.adding(to: days[place].gait) }
    }
    for place in days.indices {
      days[place].peak1 = CadenceBands.peak(1, of: walked[place])
      days[place].peak30 = CadenceBands.peak(30, of: walked[place])
      days[place].enmo = enmo[place].count > 0 ? enmo[place].sum / Double(enmo[place].count) : nil
      days[place].isValid = Double(days[place].wear) >= parameters.validDay * 60
    }
  }

  /// The number of the day that contains a minute.
  static func day(ofMinute minute: Int64, _ clock: StudyClock, _ parameters: StudyParameters) -> Int {
    let shown = minute * 60 + Int64(clock.offset(at: minute * 60) ?? 0) - Int64(parameters.dayStart) * 60
    return Int(shown.floored(by: 86_400))
  }

  /// The date as `2026-05-06`.
  static func date(_ day: Int) -> String {
    let (year, month, number) = CivilDays.date(day)
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(padded(month))-\(padded(number))"
  }
}
