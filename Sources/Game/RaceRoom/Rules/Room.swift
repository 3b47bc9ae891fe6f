import FoundationEssentials
import Platform

/// The output of a room. Its owner sends it, in order, to all listeners.
package enum RoomOutput: Sendable, Hashable {
  /// A line of the chat.
  case message(Message)
  /// A line of the live stream.
  case race(RaceStatus)
  /// A line of the live stream; only the latest of each runner matters.
  case runner(RunnerFrame)
  /// A heartbeat for every stream without other output; the time of the room.
  case heartbeat(Duration)
}

/// The rules of one room: presence, order of messages, countdown and standings.
///
/// A value without clock, lock or `await`. Time, a `Duration` since 2001-01-01 UTC, passes only in ``advance(to:)``;
/// the same calls with the same times give the same outputs. Each call either succeeds and returns its outputs, or
/// throws a ``RoomRefusal`` and changes nothing except the rate limits.
package struct Room: Sendable {
  package let name: String
  package let rules: RoomRules
  /// The session of this room, by which a returning client recognises it.
  package let session: String
  /// The time of the room.
  package private(set) var now: Duration
  package internal(set) var race: RaceStatus

  var log: MessageLog
  var lastSeen: [String: Duration] = [:]
  var connections: [String: Int] = [:]
  var watchers = 0
  var heartbeatDue: Duration?
  var countdown: Countdown?
  var runners: [String: Runner] = [:]
  var placesGiven = 0
  var botDue: Duration?
  private var random: SplitMix64
  private var messageLimiter: TokenBuckets
  private var statusLimiter: TokenBuckets
  private var roomLimiter: TokenBuckets

  /// Opens a room.
  /// - Parameters:
  ///   - name: its name.
  ///   - rules: its rules.
  ///   - time: the current time.
  ///   - seed: the seed of its random numbers, for identifiers and the bot.
  package init(name: String = RoomName.main, rules: RoomRules = RoomRules(), at time: Duration, seed: UInt64) {
    (self.name, self.rules) = (name, rules)
    now = time
    random = SplitMix64(seed: seed)
    session = random.identifier().uuidString
    race = RaceStatus(race: .open, time: time.seconds)
    log = MessageLog(limit: rules.keptMessages)
    messageLimiter = TokenBuckets(rules.messageRate)
    statusLimiter = TokenBuckets(rules.statusRate)
    roomLimiter = TokenBuckets(rules.roomRate)
  }

  // MARK: Time

  /// The time of the next scheduled event; `nil` if there is none.
  package var nextDeadline: Duration? { [heartbeatDue, countdown?.due, botDue].compactMap(\.self).min() }

  /// Advances the time, and with it all due events, in order. Time never goes back.
  package mutating func advance(to time: Duration) -> [RoomOutput] {
    var outputs: [RoomOutput] = []
    while let due = nextDeadline, due <= time {
      now = max(now, due)
      if due == countdown?.due {
        outputs += tick()
      } else if due == botDue {
        outputs += letBotSpeak()
      } else {
        outputs += beat(due, until: time)
      }
    }
    now = max(now, time)
    return outputs
  }

  /// After the machine has slept, only the last heartbeat is sent.
  private mutating func beat(_ due: Duration, until time: Duration) -> [RoomOutput] {
    let interval = max(rules.heartbeat, .milliseconds(1))
    let missed = Int((time - due) / interval)
    heartbeatDue = due + interval * max(1, missed)
    return missed > 0 ? [] : forgetTheSilent() + [.heartbeat(now)]
  }

  // MARK: Presence

  /// The number of recently active users: those who joined, posted, ran or shared their location.
  package var activeUsers: Int { lastSeen.values.count { now - $0 < rules.presence } }

  /// The number of open chat streams.
  package var members: Int { connections.values.reduce(0, +) }

  /// Whether the room can be closed.
  package var isIdle: Bool { connections.isEmpty && watchers == 0 && countdown == nil && activeUsers == 0 }

  mutating func see(_ user: String) {
    lastSeen[user] = now
    if lastSeen.count > rules.members * 4 { lastSeen = lastSeen.filter { now - $0.value < rules.presence } }
  }

  mutating func updateHeartbeat() {
    let hasListeners = !connections.isEmpty || watchers > 0
    heartbeatDue = hasListeners ? heartbeatDue ?? now + rules.heartbeat : nil
  }

  private mutating func forgetTheSilent() -> [RoomOutput] {
    lastSeen = lastSeen.filter { now - $0.value < rules.presence }
    messageLimiter.forgetFull(at: now)
    statusLimiter.forgetFull(at: now)
    runners = runners.filter { now - $0.value.seen < rules.presence }
    return finishRaceIfOver()
  }

  // MARK: Messages

  mutating func announce(_ text: String) -> RoomOutput {
    .message(log.append(Message(id: random.identifier(), user: nil, message: text, date: now.date)))
  }

  mutating func post(_ text: String, by user: String?, id: UUID? = nil) -> RoomOutput {
    let message = Message(id: id ?? random.identifier(), user: user, message: text, date: now.date)
    if let user, user != rules.bot?.name, let bot = rules.bot { botDue = now + bot.latency }
    return .message(log.append(message))
  }

  private mutating func letBotSpeak() -> [RoomOutput] {
    botDue = nil
    guard let bot = rules.bot, let line = bot.lines.randomElement(using: &random) else { return [] }
    switch line {
    case .text(let text): return [post(text, by: bot.name)]
    case .echo: return [post(log.last?.message ?? "", by: bot.name)]
    }
  }

  // MARK: Limits

  mutating func admit(user: String?) throws(RoomRefusal) {
    if let user { try check(name: user) }
    if let delay = messageLimiter.take(user ?? "", at: now) ?? roomLimiter.take("", at: now) {
      throw .tooFast(retryAfter: delay)
    }
  }

  mutating func admit(runner: String) throws(RoomRefusal) {
    try check(name: runner)
    if let delay = statusLimiter.take(runner, at: now) ?? roomLimiter.take("", at: now) {
      throw .tooFast(retryAfter: delay)
    }
  }

  func check(name: String) throws(RoomRefusal) {
    if let problem = RoomName.problem(with: name, limit: rules.nameLength) { throw .badName(problem) }
    if let bot = rules.bot, bot.name == name { throw .badName(.taken(name)) }
  }

  func check(text: String) throws(RoomRefusal) {
    guard text.utf8.count <= rules.messageLength * 4, text.count <= rules.messageLength else {
      throw .messageTooLong(limit: rules.messageLength)
    }
    if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) { throw .emptyMessage }
  }
}

extension TokenBuckets {
  fileprivate init(_ rate: RoomRules.Rate) {
    // The room chooses the keys.
    self.init(burst: Double(rate.burst), perSecond: rate.perSecond, remembered: .max)
  }
}
