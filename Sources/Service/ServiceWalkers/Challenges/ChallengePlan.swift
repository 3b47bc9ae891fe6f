import Platform
import RaceRoom
import ServiceCore

/// What the owner says about a new challenge, on the command line or in a request.
package struct ChallengePlan: Sendable, Hashable, Decodable {
  package var name: String
  /// `2026-11-23`; `nil`: today.
  package var from: String?
  /// The last day.
  package var to: String?
  /// The number of days, instead of a last day.
  package var days: Int?
  /// `day` or `week`: each one begins anew.
  package var every: String?
  package var teams: Bool?
  /// Steps of a walker in a period.
  package var goal: Int?
  /// `totals` or `days`; `nil`: totals.
  package var show: String?
  /// Walkers who take part without an invitation.
  package var walkers: [String]?
  /// Whether the owner takes part; `nil`: yes.
  package var owner: Bool?

  /// The longest period in days.
  static let longest = 366

  package init(name: String) { self.name = name }

  /// The challenge that this describes.
  /// - Parameter today: the default first day.
  func challenge(today: CivilDay, walkers list: WalkerList) throws -> Challenge {
    let name = try WalkerList.checked(name, "name")
    let first = try from.map { text throws(PeopleError) in try Self.day(text, "first day") } ?? today
    let last = try to.map { text throws(PeopleError) in try Self.day(text, "last day") }
    let shown = self.show ?? Challenge.Show.totals.rawValue
    guard let show = Challenge.Show(rawValue: shown) else {
      throw PeopleError(.usage, "'\(shown)' is neither totals nor days; totals shows no single days")
    }
    if let goal, !GoalFile.goals.contains(goal) {
      throw PeopleError(.usage, "the goal is a number of steps from 1 to \(GoalFile.goals.upperBound)")
    }
    let length = try length(first, last)
    var members = owner ?? true ? [Walker.ownerID] : []
    for name in walkers ?? [] {
      guard let walker = list.walker(named: name), !walker.isRemoved else { throw PeopleError.noWalker(name) }
      if !members.contains(walker.id) { members.append(walker.id) }
    }
    return Challenge(
      id: WalkerToken.random(bytes: 5), code: Challenge.newCode(), name: name, firstDay: first, days: length,
      repeats: every != nil, lastDay: every == nil ? nil : last, teams: teams ?? false, goal: goal, show: show,
      members: members.map { Challenge.Member(id: $0, since: first) })
  }

  private func length(_ first: CivilDay, _ last: CivilDay?) throws(PeopleError) -> Int {
    if let last, last < first { throw PeopleError(.usage, "the last day is before the first one; swap them") }
    switch every {
    case "day"? where days == nil: return 1
    case "week"? where days == nil: return 7
    case "day"?, "week"?: throw PeopleError(.usage, "a daily or weekly challenge takes no number of days; leave it out")
    case let other?: throw PeopleError(.usage, "'\(other)' is neither day nor week")
    case nil: break
    }
    let length: Int
    switch (days, last) {
    case (let days?, nil): length = days
    case (nil, let last?): length = last.number - first.number + 1
    case (nil, nil):
      throw PeopleError(.usage, "the challenge has no end; give the last day, the number of days, or every day or week")
    case (_?, _?): throw PeopleError(.usage, "the last day and the number of days exclude each other; give one of them")
    }
    guard (1...Self.longest).contains(length) else {
      throw PeopleError(.usage, "a challenge has 1 to \(Self.longest) days, not \(length)")
    }
    return length
  }

  private static func day(_ text: String, _ what: String) throws(PeopleError) -> CivilDay {
    guard let day = CivilDay(text) else {
      throw PeopleError(.usage, "the \(what) '\(text)' is not a date; write it as 2026-11-23")
    }
    return day
  }
}
