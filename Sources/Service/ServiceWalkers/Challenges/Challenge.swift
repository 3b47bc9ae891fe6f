import Foundation
import History
import Platform

/// A room that lasts days: who takes part, when, and what the participants see of each other.
package struct Challenge: Sendable, Hashable, Codable {
  /// What participants see of each other.
  package enum Show: String, Sendable, Hashable, Codable, CaseIterable {
    /// The steps of the period.
    case totals
    /// The steps of each day, too.
    case days
  }

  struct Member: Sendable, Hashable, Codable {
    var id: String
    /// The first day that counts in the results of former periods.
    var since: CivilDay
  }

  /// What a participant reached.
  struct Score: Sendable, Hashable, Codable {
    var id: String
    var name: String
    var team: String?
    /// The steps of each day.
    var days: [Int]
    var steps: Int { days.reduce(0, +) }
  }

  /// A period that nothing changes any more.
  package struct Result: Sendable, Hashable, Codable {
    package var index: Int
    var scores: [Score]
  }

  /// A short random word.
  package internal(set) var id: String
  /// The secret of the invite link.
  package internal(set) var code: String
  package internal(set) var name: String
  package internal(set) var firstDay: CivilDay
  package internal(set) var days: Int
  /// Whether another period begins after each one.
  package internal(set) var repeats: Bool
  /// The last day of a challenge that repeats; `nil`: until it is removed.
  package internal(set) var lastDay: CivilDay?
  package internal(set) var teams: Bool
  /// Steps of a walker in a period.
  package internal(set) var goal: Int?
  package internal(set) var show: Show
  var members: [Member]
  /// The latest periods, oldest first.
  package var results: [Result] = []

  /// How long after its end steps of a period still count: a phone or a watch may have been offline.
  static let grace: TimeInterval = 24 * 3600
  static let mostResults = 30

  /// The period with a number; `nil` if the challenge ends before it.
  func period(_ index: Int) -> ChallengePeriod? {
    guard index >= 0, repeats || index == 0 else { return nil }
    let first = firstDay + index * days
    guard let lastDay else { return ChallengePeriod(index: index, first: first, days: days) }
    guard first <= lastDay else { return nil }
    return ChallengePeriod(index: index, first: first, days: min(days, lastDay.number - first.number + 1))
  }

  /// The period that a board shows on a day: the present one, before the first one that, and after the last one that.
  func period(on day: CivilDay) -> ChallengePeriod {
    var index = repeats ? max(0, (day.number - firstDay.number) / days) : 0
    if let lastDay { index = min(index, (lastDay.number - firstDay.number) / days) }
    return period(index) ?? ChallengePeriod(index: 0, first: firstDay, days: days)
  }

  /// The periods that have ended but have no result yet, oldest first; at most as many as are kept.
  func openPeriods(endedBy moment: Date, _ calendar: DayCalendar) -> [ChallengePeriod] {
    let present = period(on: CivilDay(containing: moment, calendar)).index
    let first = max(results.last.map { $0.index + 1 } ?? 0, present - Self.mostResults)
    guard first <= present else { return [] }
    return (first...present).compactMap { period($0) }.filter { $0.end(calendar) <= moment }
  }

  static func newCode() -> String { WalkerToken.random(bytes: 16) }

  func has(_ walker: String) -> Bool { members.contains { $0.id == walker } }

  /// A walker takes part from a day on.
  mutating func join(_ walker: String, on day: CivilDay) throws(PeopleError) {
    if has(walker) { return }
    guard members.count <= WalkerList.most else {
      throw PeopleError(.cannotCreate, "the challenge has as many walkers as are possible")
    }
    members.append(Member(id: walker, since: day))
  }

  func members(in period: ChallengePeriod) -> [Member] { members.filter { $0.since <= period.last } }
}

/// The days of a challenge that are ranked together.
struct ChallengePeriod: Sendable, Hashable {
  /// From 0.
  var index: Int
  var first: CivilDay
  var days: Int

  var last: CivilDay { first + (days - 1) }

  /// The beginnings of its days, and its end.
  func edges(_ calendar: DayCalendar) -> [Date] { (0...days).map { (first + $0).start(calendar) } }

  func end(_ calendar: DayCalendar) -> Date { (first + days).start(calendar) }

  /// When nothing changes any more.
  func closing(_ calendar: DayCalendar) -> Date { end(calendar).addingTimeInterval(Challenge.grace) }
}
