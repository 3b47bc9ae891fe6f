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

/// The reason why a room cannot be used.
public enum RoomClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The address of the service is invalid.
  case badAddress(String)
  /// The name of the user or the room is invalid.
  case badName(RoomName.Problem)
  /// The service refused the request, with an HTTP status.
  case refused(status: Int, reason: String)
  /// The server is not a room: its first line is not a status.
  case noRoom(line: String)

  /// The HTTP status, if the service refused.
  public var status: Int? { if case .refused(let status, _) = self { status } else { nil } }

  /// One sentence with the remedy.
  public var description: String {
    switch self {
    case .badAddress(let address): "'\(address)' is not the address of a service; write http://HOST:PORT"
    case .badName(let problem): "\(problem)"
    case .refused(let status, let reason): "the service refuses (\(status)): \(reason)"
    case .noRoom(let line): "the server is not a room (it sent '\(line)'); check the address of the service"
    }
  }
}
