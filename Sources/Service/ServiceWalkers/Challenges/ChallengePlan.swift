import LiveSources
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
    let first = try from.map { text throws(ChallengeError) in try Self.day(text, "first day") } ?? today
    let last = try to.map { text throws(ChallengeError) in try Self.day(text, "last day") }
    let shown = self.show ?? Challenge.Show.totals.rawValue
    guard let show = Challenge.Show(rawValue: shown) else {
      throw ChallengeError.wrong("'\(shown)' is neither totals nor days; totals shows no single days")
    }
    if let goal, !GoalFile.goals.contains(goal) {
      throw ChallengeError.wrong("the goal is a number of steps from 1 to \(GoalFile.goals.upperBound)")
    }
    let length = try length(first, last)
    var members = owner ?? true ? [Walker.ownerID] : []
    for name in walkers ?? [] {
      guard let walker = list.walker(named: name), !walker.isRemoved else { throw WalkerError.unknown(name) }
      if !members.contains(walker.id) { members.append(walker.id) }
    }
    return Challenge(
      id: WalkerToken.random(bytes: 5), code: Challenge.newCode(), name: name, firstDay: first, days: length,
      repeats: every != nil, lastDay: every == nil ? nil : last, teams: teams ?? false, goal: goal, show: show,
      members: members.map { Challenge.Member(id: $0, since: first) })
  }

  private func length(_ first: CivilDay, _ last: CivilDay?) throws(ChallengeError) -> Int {
    if let last, last < first { throw .wrong("the last day is before the first one; swap them") }
    switch every {
    case "day"? where days == nil: return 1
    case "week"? where days == nil: return 7
    case "day"?, "week"?: throw .wrong("a daily or weekly challenge takes no number of days; leave it out")
    case let other?: throw .wrong("'\(other)' is neither day nor week")
    case nil: break
    }
    let length: Int
    switch (days, last) {
    case (let days?, nil): length = days
    case (nil, let last?): length = last.number - first.number + 1
    case (nil, nil):
      throw .wrong("the challenge has no end; give the last day, the number of days, or every day or week")
    case (_?, _?): throw .wrong("the last day and the number of days exclude each other; give one of them")
    }
    guard (1...Self.longest).contains(length) else {
      throw .wrong("a challenge has 1 to \(Self.longest) days, not \(length)")
    }
    return length
  }

  private static func day(_ text: String, _ what: String) throws(ChallengeError) -> CivilDay {
    guard let day = CivilDay(text) else { throw .wrong("the \(what) '\(text)' is not a date; write it as 2026-11-23") }
    return day
  }
}

/// Why something cannot be done with a challenge: one sentence.
package enum ChallengeError: Error, Sendable, Hashable, CustomStringConvertible {
  case wrong(String)
  case unknown
  case ambiguous(String)
  case stranger(String, String)
  case taken(String)
  case tooMany
  case full

  package var description: String {
    switch self {
    case .wrong(let sentence): sentence
    case .unknown: "there is no such challenge; 'pedometerd challenges list' shows them"
    case .ambiguous(let name): "several challenges are named '\(name)'; give the identifier instead"
    case .stranger(let name, let challenge): "no walker named '\(name)' takes part in \(challenge)"
    case .taken(let name): "there is a challenge '\(name)' already; choose another name, or remove that one first"
    case .tooMany: "there are \(ChallengeBook.most) challenges already; remove one first"
    case .full: "the challenge has as many walkers as are possible"
    }
  }

  package var exitStatus: ExitStatus {
    switch self {
    case .wrong, .ambiguous: .usage
    case .unknown, .stranger: .noInput
    case .taken, .tooMany, .full: .cannotCreate
    }
  }
}
