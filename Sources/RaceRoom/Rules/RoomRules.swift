/// What a room allows. Everything that grows has a limit.
public struct RoomRules: Sendable, Hashable {
  /// How often something may happen: at once as often as `burst`, in the long run as often as `perSecond`.
  public struct Rate: Sendable, Hashable {
    /// How often at once; at least 1.
    public var burst: Int
    /// How often a second in the long run; above 0.
    public var perSecond: Double

    /// Makes a rate.
    public init(burst: Int, perSecond: Double) {
      self.burst = max(1, burst)
      self.perSecond = max(perSecond, 0.001)
    }
  }

  /// How many streams of a chat may be open at once.
  public var members = 64
  /// How many streams of standings may be open at once, and how many runners may be in the race.
  public var watchers = 256
  /// How many rooms one service has.
  public var rooms = 64
  /// How many characters a name may have.
  public var nameLength = 64
  /// How many characters a message may have.
  public var messageLength = 1000
  /// How many bytes the body of a request may have.
  public var bodySize = 16_384
  /// How many messages a new member is sent.
  public var shownToNewcomers = 3
  /// How many messages are stored for returning clients.
  public var keptMessages = 1000
  /// How long a user counts as active after the last sign of activity.
  public var presence = Duration.seconds(300)
  /// How often a line goes over a stream at least, so that both sides know it lives.
  public var heartbeat = Duration.seconds(15)
  /// How often one user may say something, share his place or start a countdown. Those without a name share one such rate.
  public var messageRate = Rate(burst: 20, perSecond: 5)
  /// How often one runner may say how far he is.
  public var statusRate = Rate(burst: 20, perSecond: 10)
  /// How often all together may do any of this.
  public var roomRate = Rate(burst: 400, perSecond: 200)
  /// How many lines a member may be behind; who falls back further is disconnected, and comes back with `since`.
  public var backlog = 512
  /// The time from one number of a countdown to the next.
  public var tick = Duration.seconds(1)
  /// The highest number that a countdown may begin with.
  public var longestCountdown = 60
  /// Who answers when no user does; none by default.
  public var bot: RoomBot?

  /// The default rules.
  public init() {}
}

/// A bot that answers when no user does.
public struct RoomBot: Sendable, Hashable {
  /// What a bot may say.
  public enum Line: Sendable, Hashable {
    /// This.
    case text(String)
    /// What was said last.
    case echo
  }

  /// The bot's name; no user may use it in that room.
  public var name: String
  /// How long a room is silent before the bot answers.
  public var patience: Duration
  /// What it may say; one of them, by chance.
  public var lines: [Line]

  /// Makes a bot.
  public init(name: String = "Loch", patience: Duration = .seconds(5), lines: [Line] = RoomBot.standardLines) {
    self.name = name
    self.patience = patience
    self.lines = lines
  }

  /// Seven sentences and an echo.
  public static let standardLines: [Line] = [
    .text("Tell me more."), .text("Have you stretched yet?"), .text("I heard a splash."),
    .text("One more lap, then?"), .text("The water looks calm. Too calm."), .text("I would walk to that."),
    .text("Who is counting?"), .echo,
  ]
}
