import Foundation
import History
import JSONLines
import Platform

/// Steps at times of which the file does not say whether they are in UTC or local, as Fitbit's: both are found in archives.
///
/// People sleep without steps, and the times of their sleep are local; so they show which it is.
package struct WallClock {
  /// With their times as if in UTC.
  var periods: [ImportedPeriod] = []
  /// Nights, in seconds since 1970 as if local times were UTC.
  var sleeps: [Range<Double>] = []
  var zone: TimeZone?

  /// The fewest steps in the sleep of the wrong reading.
  private static let fewestSteps = 100

  /// How the times are to be read.
  struct Reading {
    /// Of the times; `nil` for UTC.
    var zone: TimeZone?
    var notice: String?
  }

  /// How the times of all files of an account are to be read.
  /// - Parameters:
  ///   - stated: the zone that the user states.
  ///   - machine: the zone of an account that does not state its own.
  /// - Returns: `nil` if nothing shows it.
  func reading(stated: TimeZone?, machine: TimeZone) -> Reading? {
    if let stated { return Reading(zone: stated) }
    if let zone, !periods.contains(where: { zone.secondsFromGMT(for: $0.start) != 0 }) { return Reading() }
    let zone = zone ?? machine
    let calendar = DayCalendar(timeZone: zone)
    func second(_ local: Double) -> Double { calendar.moment(local: local).timeIntervalSince1970 }
    let nights = sleeps.map { second($0.lowerBound)..<max(second($0.lowerBound), second($0.upperBound)) }
    let (asLocal, asUTC) = (steps(in: sleeps), steps(in: nights))
    let (fewer, more) = (min(asLocal, asUTC), max(asLocal, asUTC))
    guard more >= Self.fewestSteps, 2 * fewer < more else { return nil }
    let name = asLocal < asUTC ? "those of \(zone.identifier)" : "UTC"
    return Reading(
      zone: asLocal < asUTC ? zone : nil,
      notice: "times were read as \(name), because the hours of sleep have \(fewer) steps then, and \(more) otherwise")
  }

  /// The steps during nights.
  private func steps(in nights: [Range<Double>]) -> Int {
    var (sum, next) = (0, 0)
    let nights = nights.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    for period in periods.sorted(by: { $0.start < $1.start }) {
      let time = period.start.timeIntervalSince1970
      while next < nights.count, nights[next].upperBound <= time { next += 1 }
      guard next < nights.count else { break }
      if nights[next].contains(time) { sum += period.steps }
    }
    return sum
  }

  static let remedy =
    "the minutes of Fitbit may be in UTC or local, and no nights of the account show which; give the whole archive, or "
    + "--time-zone UTC, or the zone of the walks, such as --time-zone Europe/Berlin, with 'pedometer import'"

  static func += (a: inout Self, b: Self) {
    a.periods += b.periods
    a.sleeps += b.sleeps
    a.zone = a.zone ?? b.zone
  }

  /// The zone in an account's profile, `Profile.csv`.
  static func zone(_ input: InputFile) -> TimeZone? {
    let lines = ListTable.text(Data(input.head)).split(whereSeparator: \.isNewline).map { CSV.cells($0) }
    guard lines.count > 1, let column = lines[0].firstIndex(where: { $0.lowercased() == "timezone" }),
      column < lines[1].count
    else { return nil }
    return TimeZone(named: lines[1][column])
  }
}

extension ImportedFile {
  /// Adds the periods of the clock at the moments that a reading makes of their times.
  mutating func resolve(_ reading: WallClock.Reading, now: Date) {
    let calendar = reading.zone.map { DayCalendar(timeZone: $0) }
    for var period in clock.periods {
      let length = period.end.timeIntervalSince(period.start)
      period.start = calendar?.moment(local: period.start.timeIntervalSince1970) ?? period.start
      period.end = period.start + length
      add(period, now: now)
    }
    if !clock.periods.isEmpty { notices += [reading.notice].compactMap(\.self) }
    clock = WallClock()
  }
}
