/// The events of a room.
public enum RoomEvent: Sendable, Hashable {
  /// The connection is established, with the number of users. Repeated after each reconnection.
  case status(ServerStatus)
  /// A user or the room posted a message. Each message is delivered once, in the order of the room.
  case message(Message)
  /// The number of messages that were missed during a disconnection and are no longer stored.
  case missed(Int)
  /// The connection was lost, and will be retried.
  case interrupted(reason: String, retryIn: Duration)
}

/// The events of a race.
public enum LiveEvent: Sendable, Hashable {
  /// The state of the race.
  case race(RaceStatus)
  /// The progress of a runner.
  case runner(RunnerFrame)
  /// The connection was lost, and will be retried.
  case interrupted(reason: String, retryIn: Duration)
}

/// The reason why a room cannot be used. Compare ``code`` and show ``message``.
public struct RoomClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// The address of the service is invalid.
    public static let badAddress = Code(name: "badAddress")
    /// The name of the user or the room is invalid.
    public static let badName = Code(name: "badName")
    /// The service refused the request; see ``RoomClientError/status``.
    public static let refused = Code(name: "refused")
    /// The server is not a room: its first line is not a status.
    public static let noRoom = Code(name: "noRoom")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String
  /// The HTTP status, if the service refused.
  public let status: Int?

  public var description: String { message }

  private init(_ code: Code, _ message: String, status: Int? = nil) {
    (self.code, self.message, self.status) = (code, message, status)
  }

  package static func badAddress(_ address: String) -> Self {
    Self(.badAddress, "'\(address)' is not the address of a service; write http://HOST:PORT")
  }

  package static func badName(_ problem: RoomName.Problem) -> Self { Self(.badName, "\(problem)") }

  package static func refused(status: Int, reason: String) -> Self {
    Self(.refused, "the service refuses (\(status)): \(reason)", status: status)
  }

  package static func noRoom(line: String) -> Self {
    Self(.noRoom, "the server is not a room (it sent '\(line)'); check the address of the service")
  }
}
