/// The limits of a room. Everything that grows has a limit.
public struct RoomRules: Sendable, Hashable {
  /// A rate limit: `burst` at once, and `perSecond` in the long run.
  public struct Rate: Sendable, Hashable {
    /// The number at once; at least 1.
    public var burst: Int
    /// The number a second in the long run; above 0.
    public var perSecond: Double

    /// Creates a rate limit.
    public init(burst: Int, perSecond: Double) {
      self.burst = max(1, burst)
      self.perSecond = max(perSecond, 0.001)
    }
  }

  /// The maximum number of open chat streams.
  public var members = 64
  /// The maximum number of open standings streams, and of runners in a race.
  public var watchers = 256
  /// The maximum number of rooms of a service.
  public var rooms = 64
  /// The maximum length of a name in characters.
  public var nameLength = 64
  /// The maximum length of a message in characters.
  public var messageLength = 1000
  /// The maximum size of a request body in bytes.
  public var bodySize = 16_384
  /// The number of messages that a new member is sent.
  public var shownToNewcomers = 3
  /// The number of messages that are stored for returning clients.
  public var keptMessages = 1000
  /// How long a user counts as active after the last sign of activity.
  public var presence = Duration.seconds(300)
  /// The longest time between two lines of a stream, which shows both sides that the connection is alive.
  public var heartbeat = Duration.seconds(15)
  /// The limit of one user for messages, locations and countdowns. Clients without a name share one limit.
  public var messageRate = Rate(burst: 20, perSecond: 5)
  /// The limit of one runner for frames.
  public var statusRate = Rate(burst: 20, perSecond: 10)
  /// The limit of all users together.
  public var roomRate = Rate(burst: 400, perSecond: 200)
  /// The maximum number of lines that a member may be behind; beyond it, the member is disconnected, and reconnects
  /// with `since`.
  public var backlog = 512
  /// The time from one number of a countdown to the next.
  public var tick = Duration.seconds(1)
  /// The highest first number of a countdown.
  public var longestCountdown = 60
  /// The bot that answers if no user does; none by default.
  public var bot: RoomBot?

  /// The default rules.
  public init() {}
}

/// A bot that answers if no user does.
public struct RoomBot: Sendable, Hashable {
  /// A possible answer of a bot.
  public enum Line: Sendable, Hashable {
    /// This text.
    case text(String)
    /// The last message.
    case echo
  }

  /// The bot's name; no user may use it in that room.
  public var name: String
  /// How long a room is silent before the bot answers.
  public var latency: Duration
  /// Its possible answers, one of which is chosen at random.
  public var lines: [Line]

  /// Creates a bot.
  public init(name: String = "Loch", latency: Duration = .seconds(5), lines: [Line] = RoomBot.standardLines) {
    (self.name, self.latency, self.lines) = (name, latency, lines)
  }

  /// Seven sentences and an echo.
  public static let standardLines: [Line] = [
    .text("Tell me more."), .text("Have you stretched yet?"), .text("I heard a splash."),
    .text("One more lap, then?"), .text("The water looks calm. Too calm."), .text("I would walk to that."),
    .text("Who is counting?"), .echo,
  ]
}
