import ChaseEngine

struct Countdown: Sendable, Hashable {
  /// The message at the start.
  var text: String
  /// The next number; 0 for the start.
  var next: Int
  /// When it is posted.
  var due: Duration
}

struct Runner: Sendable, Hashable {
  var frame: RunnerFrame
  var seen: Duration
  /// Whether the runner has reached the goal or was caught, and this was announced.
  var hasEnded: Bool
}

// MARK: - Race

extension Room {
  /// Starts a countdown. The first number is posted one tick from now, and the start is one tick after "1".
  ///
  /// - Parameters:
  ///   - text: the message at the start.
  ///   - from: the first number.
  ///   - user: the user who starts it, if known.
  public mutating func startCountdown(
    to text: String, from: Int = 3, by user: String? = nil
  ) throws(RoomRefusal) -> [RoomOutput] {
    try admit(user: user)
    try check(text: text)
    guard (1...max(1, rules.longestCountdown)).contains(from) else {
      throw .badCountdown(from: from, highest: rules.longestCountdown)
    }
    guard countdown == nil else { throw .alreadyCounting }
    if let user { see(user) }
    countdown = Countdown(text: text, next: from, due: now + rules.tick)
    let start = now + rules.tick * (from + 1)
    return [setRace(RaceStatus(race: .counting, start: start.seconds, text: text, time: now.seconds))]
  }

  /// Cancels a countdown before the start.
  public mutating func cancelCountdown(by user: String? = nil) throws(RoomRefusal) -> [RoomOutput] {
    try admit(user: user)
    guard countdown != nil else { throw .notCounting }
    countdown = nil
    if let user { see(user) }
    let sentence = user.map { "\($0) cancelled the start" } ?? "the start was cancelled"
    return [announce(sentence), setRace(RaceStatus(race: .open, time: now.seconds))]
  }

  /// Posts the next number, or starts the race. The start is the announced instant, regardless of when this is called.
  mutating func tick() -> [RoomOutput] {
    guard let count = countdown else { return [] }
    if count.next > 0 {
      countdown = Countdown(text: count.text, next: count.next - 1, due: count.due + rules.tick)
      return [announce("\(count.next)...")]
    }
    countdown = nil
    placesGiven = 0
    for user in runners.keys {
      runners[user]?.hasEnded = false
      runners[user]?.frame.place = nil
    }
    let status = RaceStatus(race: .running, start: race.start ?? count.due.seconds, text: count.text, time: now.seconds)
    return [announce("🎉 \(count.text)"), setRace(status)]
  }

  private mutating func setRace(_ status: RaceStatus) -> RoomOutput {
    race = status
    return .race(status)
  }

  /// Opens a stream of the standings.
  /// - Returns: the state of the race, then the latest frame of each runner, the leaders first.
  public mutating func watch() throws(RoomRefusal) -> [RoomOutput] {
    guard watchers < rules.watchers else { throw .roomIsFull(members: rules.watchers) }
    watchers += 1
    updateHeartbeat()
    var status = race
    status.time = now.seconds
    return [.race(status)] + standings.map { .runner($0) }
  }

  /// Closes a stream of the standings.
  public mutating func stopWatching() {
    watchers = max(0, watchers - 1)
    updateHeartbeat()
  }

  /// The latest frame of each runner, the leaders first.
  public var standings: [RunnerFrame] { RunnerFrame.standings(runners.values.map(\.frame)) }

  /// Takes the progress of a runner; reaching the goal or being caught is announced once in a race.
  public mutating func report(_ frame: RunnerFrame) throws(RoomRefusal) -> Posting {
    try admit(runner: frame.user)
    if let key = frame.impossibleKey { throw .badFrame(key: key) }
    let old = runners[frame.user]
    guard old != nil || runners.count < rules.watchers else { throw .roomIsFull(members: rules.watchers) }
    see(frame.user)
    if let old, frame.seq != 0, frame.seq <= old.frame.seq { return Posting(seq: old.frame.seq, outputs: []) }
    var runner = Runner(frame: frame, seen: now, hasEnded: old?.hasEnded ?? false)
    runner.frame.place = old?.frame.place
    if race.race != .running, !frame.state.isEnd {
      runner.hasEnded = false
      runner.frame.place = nil
    }
    let news = end(&runner, before: old?.frame.state)
    runners[frame.user] = runner
    return Posting(seq: frame.seq, outputs: [.runner(runner.frame)] + news + finishRaceIfOver())
  }

  /// Announces the end of one runner's chase, if this is the end.
  private mutating func end(_ runner: inout Runner, before state: AppState?) -> [RoomOutput] {
    let frame = runner.frame
    // A repeated end of an earlier race does not count for this one.
    guard frame.state.isEnd, !runner.hasEnded, state?.isEnd != true else { return [] }
    runner.hasEnded = true
    let steps = "\(frame.steps) step\(frame.steps == 1 ? "" : "s")"
    if frame.state == .caught { return [announce("Nessie caught \(frame.user) after \(steps)")] }
    guard race.race == .running else { return [announce("\(frame.user) reached the goal with \(steps)")] }
    placesGiven += 1
    runner.frame.place = placesGiven
    return [announce("\(frame.user) is \(placesGiven.ordinal) to reach the goal, with \(steps)")]
  }

  /// The race is over when all runners have ended. A runner who has been silent for too long is removed.
  mutating func finishRaceIfOver() -> [RoomOutput] {
    guard race.race == .running, !runners.isEmpty, runners.values.allSatisfy(\.hasEnded) else { return [] }
    let status = RaceStatus(race: .finished, start: race.start, text: race.text, time: now.seconds)
    let winner = runners.values.first { $0.frame.place == 1 }?.frame.user
    let sentence = winner.map { "the race is over: \($0) won" } ?? "the race is over: Nessie won"
    return [announce(sentence), setRace(status)]
  }
}

extension Int {
  /// "first", "second", "third", "4th", "21st".
  fileprivate var ordinal: String {
    switch self {
    case 1: "first"
    case 2: "second"
    case 3: "third"
    case _ where (11...13).contains(self % 100): "\(self)th"
    default: "\(self)\([1: "st", 2: "nd", 3: "rd"][self % 10] ?? "th")"
    }
  }
}

extension AppState {
  /// Whether the state can only be left by a restart.
  var isEnd: Bool { self == .completed || self == .caught }
}
