import FoundationEssentials
import Platform

/// A message of a user, or of the room itself.
///
/// With the default coders its date is a number of seconds since 2001-01-01 UTC, as on both sides of the founding chat.
public struct Message: Sendable, Hashable, Codable, Identifiable {
  /// Identifies the message; a repeated message with the same identifier is not posted again.
  public var id: UUID
  /// The user; `nil` for a message of the room.
  public var user: String?
  /// The text as it was sent. Display ``displayText`` instead.
  public var message: String
  /// The time on the server's clock.
  public var date: Date
  /// Its number in the order of the room, from 1; `nil` until the server has assigned one.
  public var seq: Int?

  /// Creates a message.
  public init(id: UUID, user: String?, message: String, date: Date, seq: Int? = nil) {
    (self.id, self.user, self.message, self.date) = (id, user, message, date)
    self.seq = seq
  }

  /// Creates a message without a user, now.
  public init(message: String) { self.init(id: UUID(), user: nil, message: message, date: Date()) }

  /// Whether it is a message of the room.
  public var isSystemMessage: Bool { user == nil }

  /// The text with question marks for what would control a terminal.
  public var displayText: String { PrintableText.line(message, longest: .max) }

  /// The user's name, likewise.
  public var displayName: String? { user.map { PrintableText.line($0) } }
}

/// The first line of a chat, with the number of users.
public struct ServerStatus: Sendable, Hashable, Codable {
  /// The number of users who were active in the last five minutes.
  public var activeUsers: Int
  /// The number of the newest message; 0 if there is none.
  public var seq: Int?
  /// Identifies a run of the room. A different value means that the service was restarted and numbers begin at 1 again.
  public var session: String?
  /// The server's time in seconds since 2001-01-01 UTC.
  public var time: Double?

  /// Creates a status.
  public init(activeUsers: Int, seq: Int? = nil, session: String? = nil, time: Double? = nil) {
    (self.activeUsers, self.seq, self.session, self.time) = (activeUsers, seq, session, time)
  }

  /// The number as a sentence, to be displayed like a system message.
  public var text: String { activeUsers == 1 ? "1 person is here" : "\(activeUsers) people are here" }
}
