import Foundation
import History
import Platform

/// Everything that can be done with challenges. Its functions read files, so they block.
package struct ChallengeRegistry: Sendable {
  package let challenges: ChallengeBook
  package let walkers: WalkerBook
  let histories: any StepHistories
  let calendar: @Sendable () -> DayCalendar
  let now: @Sendable () -> Date

  package init(
    challenges: ChallengeBook, walkers: WalkerBook, histories: any StepHistories,
    calendar: @escaping @Sendable () -> DayCalendar, now: @escaping @Sendable () -> Date
  ) {
    self.challenges = challenges
    (self.walkers, self.histories, self.calendar, self.now) = (walkers, histories, calendar, now)
  }

  /// For a command.
  package init(folder: String, calendar: DayCalendar) {
    let walkers = WalkerBook(folder: folder)
    self.init(
      challenges: ChallengeBook(folder: folder), walkers: walkers, histories: FolderHistories(walkers),
      calendar: { calendar }, now: { Date() })
  }

  /// The challenges that a viewer may see: the owner all of them, others those in which they take part.
  package func list(for viewer: String) throws -> [Challenge] {
    try challenges.all().filter { Self.isVisible($0, to: viewer) }
  }

  /// What a viewer sees of a challenge.
  /// - Throws: ``PeopleError/noChallenge`` also if the viewer does not take part, so that nobody learns what exists.
  package func board(_ id: String, for viewer: String) throws -> ChallengeBoard {
    let challenge = try challenges.challenge(id)
    guard Self.isVisible(challenge, to: viewer) else { throw PeopleError.noChallenge }
    let (calendar, now, list) = (calendar(), now(), try walkers.list())
    let today = CivilDay(containing: now, calendar)
    let period = challenge.period(on: today)
    let result = challenge.results.first { $0.index == period.index }
    let phase: ChallengeBoard.Phase =
      if result != nil { .closed } else if today < period.first { .upcoming } else if now < period.end(calendar) {
        .running
      } else { .settling }
    let scores = try result?.scores ?? scores(challenge, period, calendar, list)
    let waiting = challenge.openPeriods(endedBy: now, calendar).filter { $0.index != period.index }
    let past =
      try waiting.map { period in
        ChallengeBoard.Past(
          period: period, isFinal: false,
          board: LeaderBoard(try self.scores(challenge, period, calendar, list), teams: challenge.teams))
      }
      + challenge.results.filter { $0.index != period.index }.compactMap { result in
        challenge.period(result.index).map {
          ChallengeBoard.Past(period: $0, isFinal: true, board: LeaderBoard(result.scores, teams: challenge.teams))
        }
      }
    return ChallengeBoard(
      challenge: challenge, period: period, phase: phase,
      daysLeft: phase == .upcoming
        ? period.first.number - today.number : max(0, period.last.number - today.number + 1),
      board: LeaderBoard(scores, teams: challenge.teams),
      past: past.sorted { $0.period.index > $1.period.index }, viewer: viewer)
  }

  package func add(_ plan: ChallengePlan) throws -> Challenge {
    let challenge = try plan.challenge(today: CivilDay(containing: now(), calendar()), walkers: try walkers.list())
    try challenges.add(challenge)
    return challenge
  }

  /// Adds and removes participants, all of them or none. As if they joined and left themselves, the steps of the present
  /// period count from its beginning, and results of closed periods stay. Who is removed knows the invite link, so the
  /// challenge gets a new one.
  /// - Parameter renewing: whether it gets a new link anyway.
  package func change(_ id: String, adding: [String], removing: [String], renewing: Bool = false) throws -> Challenge {
    let (today, list) = (CivilDay(containing: now(), calendar()), try walkers.list())
    return try challenges.change(id) { challenge in
      for name in removing {
        guard let walker = list.walker(named: name), challenge.has(walker.id) else {
          throw PeopleError(.noInput, "no walker named '\(name)' takes part in \(challenge.name)")
        }
        challenge.members.removeAll { $0.id == walker.id }
      }
      if renewing || !removing.isEmpty { challenge.code = Challenge.newCode() }
      for name in adding {
        guard let walker = list.walker(named: name), !walker.isRemoved else { throw PeopleError.noWalker(name) }
        try challenge.join(walker.id, on: today)
      }
    }
  }

  package func invitation(_ code: String) throws -> Challenge { try challenges.challenge(invitedBy: code) }

  /// A walker takes part from now on. The steps of the present period count from its beginning.
  package func join(_ code: String, walker: String) throws -> Challenge {
    let today = CivilDay(containing: now(), calendar())
    return try challenges.change(try invitation(code).id) { try $0.join(walker, on: today) }
  }

  /// A walker takes part no longer; results of closed periods stay.
  package func leave(_ id: String, walker: String) throws {
    guard Self.isVisible(try challenges.challenge(id), to: walker) else { throw PeopleError.noChallenge }
    try challenges.change(id) { challenge in challenge.members.removeAll { $0.id == walker } }
  }

  /// Stores the results of periods whose time for late steps is over. If a history cannot be read, the period stays
  /// open and is closed later, because a wrong result would be final.
  func closePeriods() throws {
    let (calendar, now, list) = (calendar(), now(), try walkers.list())
    for challenge in try challenges.all() {
      let due = challenge.openPeriods(endedBy: now, calendar).filter { $0.closing(calendar) <= now }
      if due.isEmpty { continue }
      let results = try due.map { period in
        let scores = try scores(challenge, period, calendar, list).map { score in
          var score = score
          // What is not shown is not kept either.
          if challenge.show == .totals { score.days = [score.steps] }
          return score
        }
        return Challenge.Result(index: period.index, scores: scores)
      }
      try challenges.change(challenge.id) { challenge in
        let known = Set(challenge.results.map(\.index))
        let all = challenge.results + results.filter { !known.contains($0.index) }
        challenge.results = Array(all.sorted { $0.index < $1.index }.suffix(Challenge.mostResults))
      }
    }
  }

  private func scores(
    _ challenge: Challenge, _ period: ChallengePeriod, _ calendar: DayCalendar, _ list: WalkerList
  ) throws -> [Challenge.Score] {
    let edges = period.edges(calendar)
    return try challenge.members(in: period).compactMap { member in
      guard let walker = list.walker(member.id), !walker.isRemoved else { return nil }
      return Challenge.Score(
        id: walker.id, name: walker.name, team: walker.team,
        days: try histories.steps(of: walker.id, between: edges))
    }
  }

  private static func isVisible(_ challenge: Challenge, to viewer: String) -> Bool {
    viewer == Walker.ownerID || challenge.has(viewer)
  }
}
