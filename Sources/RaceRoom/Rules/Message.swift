import FoundationEssentials

/// A message of a user, or of the room itself.
///
/// With the default coders its date is a number of seconds since 2001-01-01 UTC, as on both sides of the founding chat.
public struct Message: Sendable, Hashable, Codable, Identifiable {
  /// Tells it from all others; a message that is sent again with the same one is not posted again.
  public var id: UUID
  /// Who says it; `nil` when the room does.
  public var user: String?
  /// What is said, as it was sent. Show ``displayText`` instead.
  public var message: String
  /// When, by the clock of the server.
  public var date: Date
  /// Its place in the one order of the room, from 1; `nil` until the server has given it one.
  public var seq: Int?

  /// Makes a message.
  public init(id: UUID, user: String?, message: String, date: Date, seq: Int? = nil) {
    self.id = id
    self.user = user
    self.message = message
    self.date = date
    self.seq = seq
  }

  /// Makes a message without a user, now.
  public init(message: String) { self.init(id: UUID(), user: nil, message: message, date: Date()) }

  /// Whether the room says it.
  public var isSystemMessage: Bool { user == nil }

  /// What is said, without anything that a terminal would obey instead of showing.
  public var displayText: String { TerminalText.clean(message) }

  /// Who says it, likewise.
  public var displayName: String? { user.map(TerminalText.clean) }
}

/// The first line of a chat: how many are here.
public struct ServerStatus: Sendable, Hashable, Codable {
  /// How many were seen in the last five minutes.
  public var activeUsers: Int
  /// The place of the newest message; 0 when nothing was said yet.
  public var seq: Int?
  /// The life of the room. When it is another one than before, the service was restarted and counts from 1 again.
  public var session: String?
  /// What the time is on the server, in seconds since 2001-01-01 UTC.
  public var time: Double?

  /// Makes a status.
  public init(activeUsers: Int, seq: Int? = nil, session: String? = nil, time: Double? = nil) {
    self.activeUsers = activeUsers
    self.seq = seq
    self.session = session
    self.time = time
  }

  /// The count as a sentence, to be shown like a system message.
  public var text: String { activeUsers == 1 ? "1 person is here" : "\(activeUsers) people are here" }
}
