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
  /// What other programs say of it.
  package var peers: PeerFigures?

  fileprivate mutating func add(_ all: [StudyMinute]) {
    let (worn, steps) = (all.filter(\.isWorn), all.map(\.steps))
    (minutes, wear, self.steps) = (all.count, worn.count, steps.reduce(0, +))
    (peak1, peak30) = (CadenceBands.peak(1, of: steps), CadenceBands.peak(30, of: steps))
    for minute in worn { bands.add(minute.steps) }
    let motion = worn.compactMap(\.enmo)
    enmo = motion.isEmpty ? nil : motion.reduce(0, +) / Double(motion.count)
  }
}

/// Divides minutes into the participant's days.
///
/// A day is all minutes that the participant's clock shows with one date, so it may have 23 or 25 hours, or any number
/// for a traveller.
struct DayTable {
  private(set) var days: [StudyDay] = []

  /// - Parameters:
  ///   - minutes: all minutes, in order of time and without gaps.
  ///   - steps: the times of the steps, in nanoseconds on the clock of the minutes.
  ///   - clock: gives the offset of the participant's clock.
  init(
    _ minutes: [StudyMinute], bouts: [StudyBout], steps: [Int64] = [], clock: StudyClock, _ parameters: StudyParameters
  ) {
    var places: [Int: Int] = [:]
    var members: [[Int]] = []
    for (index, minute) in minutes.enumerated() {
      let number = Self.day(ofMinute: minute.number, clock, parameters)
      let place = places[number] ?? days.count
      if place == days.count {
        places[number] = place
        days.append(StudyDay(number: number, firstMinute: minute.number, lastMinute: minute.number))
        members.append([])
      }
      days[place].lastMinute = minute.number
      members[place].append(index)
    }
    let (epochs, each) = (Self.epochs(of: minutes, steps), BoutFinder.epochsOfMinute)
    for (place, members) in members.enumerated() {
      days[place].add(members.map { minutes[$0] })
      days[place].isValid = Double(days[place].wear) >= parameters.validDay * 60
      days[place].peers = PeerFigures(
        members.map { (clock.minuteOfDay(minutes[$0].number), minutes[$0].steps) },
        epochs: members.flatMap { epochs[$0 * each..<($0 + 1) * each].map(Int.init) }, isDated: clock.isDated)
    }
    for bout in bouts {
      let number = Self.day(ofMinute: bout.start.floored(by: 60_000_000_000), clock, parameters)
      guard let place = places[number] else { continue }
      days[place].bouts += 1
      days[place].walking += Double(bout.end - bout.start) * 1e-9
      if let gait = bout.gait { days[place].gait = gait.adding(to: days[place].gait) }
    }
  }

  /// The steps of each five seconds of all minutes.
  private static func epochs(of minutes: [StudyMinute], _ steps: [Int64]) -> [UInt8] {
    var epochs = [UInt8](repeating: 0, count: minutes.count * BoutFinder.epochsOfMinute)
    let begin = (minutes.first?.number ?? 0) * Int64(BoutFinder.epochsOfMinute)
    for step in steps {
      let place = Int(step.floored(by: BoutFinder.epoch) - begin)
      if epochs.indices.contains(place), epochs[place] < .max { epochs[place] += 1 }
    }
    return epochs
  }

  static func day(ofMinute minute: Int64, _ clock: StudyClock, _ parameters: StudyParameters) -> Int {
    let shown = minute * 60 + Int64(clock.offset(at: minute * 60) ?? 0) - Int64(parameters.dayStart) * 60
    return Int(shown.floored(by: 86_400))
  }

  /// The day of the week as `Wednesday`; 1970-01-01 was a Thursday.
  static func weekday(_ day: Int) -> String {
    ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"][((day % 7) + 7) % 7]
  }

  /// The date as `2026-05-06`.
  static func date(_ day: Int) -> String { CivilDay(number: day).text }
}
