import FoundationEssentials
import Platform

/// What a room sends. Its owner passes this on, in this order, to all listeners.
public enum RoomOutput: Sendable, Hashable {
  /// A line of the chat.
  case message(Message)
  /// A line of the live stream.
  case race(RaceStatus)
  /// A line of the live stream; only the newest of each runner matters.
  case runner(RunnerFrame)
  /// A sign of life for every stream that has nothing else to say; the time of the room.
  case heartbeat(Duration)
}

/// The rules of one room: who is here, what is said in which order, who counts down and who is ahead.
///
/// A value without clock, lock or `await`. Time, a `Duration` since 2001-01-01 UTC, passes only in ``advance(to:)``; the
/// same calls with the same times give the same outputs. Each call either does all it says and returns what it lets out,
/// or throws a ``RoomRefusal`` and changes nothing but the count of attempts.
public struct Room: Sendable {
  /// What it is called.
  public let name: String
  /// What it allows.
  public let rules: RoomRules
  /// The session of this room, by which a returning client sees that it is still the same room.
  public let session: String
  /// The time it has been told.
  public private(set) var now: Duration
  /// Where the race stands.
  public internal(set) var race: RaceStatus

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
  ///   - name: what it is called.
  ///   - rules: what it allows.
  ///   - time: what the time is.
  ///   - seed: where its chance begins: identifiers, and what a bot says.
  public init(name: String = RoomName.main, rules: RoomRules = RoomRules(), at time: Duration, seed: UInt64) {
    self.name = name
    self.rules = rules
    now = time
    random = SplitMix64(seed: seed)
    session = random.identifier().uuidString
    race = RaceStatus(race: .open, time: time.seconds)
    log = MessageLog(limit: rules.keptMessages)
    messageLimiter = TokenBuckets(rules.messageRate)
    statusLimiter = TokenBuckets(rules.statusRate)
    roomLimiter = TokenBuckets(rules.roomRate)
  }

  // MARK: time

  /// When something happens next of itself; `nil` when nothing does.
  public var nextDeadline: Duration? { [heartbeatDue, countdown?.due, botDue].compactMap(\.self).min() }

  /// Lets time pass, and with it everything that was due, in its order. Time never goes back.
  public mutating func advance(to time: Duration) -> [RoomOutput] {
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

  /// A machine that has slept makes up for none of the heartbeats but the last.
  private mutating func beat(_ due: Duration, until time: Duration) -> [RoomOutput] {
    let interval = max(rules.heartbeat, .milliseconds(1))
    let missed = Int((time - due) / interval)
    heartbeatDue = due + interval * max(1, missed)
    return missed > 0 ? [] : forgetTheSilent() + [.heartbeat(now)]
  }

  // MARK: presence

  /// How many were seen lately: joined, said something, ran or shared their place.
  public var activeUsers: Int { lastSeen.values.count { now - $0 < rules.presence } }

  /// How many streams of the chat are open.
  public var members: Int { connections.values.reduce(0, +) }

  /// Whether the room can be closed.
  public var isIdle: Bool { connections.isEmpty && watchers == 0 && countdown == nil && activeUsers == 0 }

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

  // MARK: speaking

  /// Posts something in the name of the room.
  mutating func announce(_ text: String) -> RoomOutput {
    .message(log.append(Message(id: random.identifier(), user: nil, message: text, date: now.date)))
  }

  /// Posts something in the name of a user.
  mutating func post(_ text: String, by user: String?, id: UUID? = nil) -> RoomOutput {
    let message = Message(id: id ?? random.identifier(), user: user, message: text, date: now.date)
    if let user, user != rules.bot?.name, let bot = rules.bot { botDue = now + bot.patience }
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

  // MARK: limits

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
    if TerminalText.clean(text).unicodeScalars.allSatisfy(\.properties.isWhitespace) { throw .emptyMessage }
  }
}

extension TokenBuckets {
  fileprivate init(_ rate: RoomRules.Rate) {
    // The keys are the room's own.
    self.init(burst: Double(rate.burst), perSecond: rate.perSecond, remembered: .max)
  }
}
