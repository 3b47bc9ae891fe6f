/// What comes out of a room.
public enum RoomEvent: Sendable, Hashable {
  /// The connection stands; this is who is here. Comes again after each reconnection.
  case status(ServerStatus)
  /// A user or the room said something. Each message is delivered once, in the order of the room.
  case message(Message)
  /// So many messages were said while the connection was away, and the room has kept none of them.
  case missed(Int)
  /// The connection is away, and is tried again after a while.
  case interrupted(reason: String, retryIn: Duration)
}

/// What comes out of a race.
public enum LiveEvent: Sendable, Hashable {
  /// Where the race stands.
  case race(RaceStatus)
  /// How far a runner is.
  case runner(RunnerFrame)
  /// The connection is away, and is tried again after a while.
  case interrupted(reason: String, retryIn: Duration)
}

/// Why a room cannot be used.
public enum RoomClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Invalid address of the service.
  case badAddress(String)
  /// Invalid name of the user or the room.
  case badName(RoomName.Problem)
  /// The service does not do it.
  case refused(status: Int, reason: String)
  /// The server is not a room: its first line is not a status.
  case noRoom(line: String)

  public var description: String {
    switch self {
    case .badAddress(let address): "'\(address)' is not the address of a service; write http://HOST:PORT"
    case .badName(let problem): "\(problem)"
    case .refused(let status, let reason): "the service refuses (\(status)): \(reason)"
    case .noRoom(let line): "the server is not a room (it sent '\(line)'); check the address of the service"
    }
  }
}
