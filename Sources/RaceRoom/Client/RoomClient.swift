import ChaseEngine
import FoundationEssentials
import ServiceTransport
import Synchronization

/// A member of a room: says things, hears what is said, and runs in its races.
///
///     let client = try RoomClient(url: "http://127.0.0.1:8080", username: "Ann", transport: NetworkTransport())
///     for try await event in client.chat() {
///       if case .message(let message) = event { print(message.displayName ?? "*", message.displayText) }
///     }
public final class RoomClient: Sendable {
  /// Under which name.
  public let username: String
  /// In which room.
  public let room: String

  let connection: RoomConnection
  private let nextFrame = Mutex(0)

  /// Makes a client; nothing is sent yet.
  /// - Parameters:
  ///   - url: the address of the service, as `http://127.0.0.1:8080`.
  ///   - username: who speaks and walks.
  ///   - room: the room that he is in.
  ///   - token: what the service wants to see before it does anything, if it wants any.
  ///   - transport: carries the requests; `NetworkTransport` of the module ServiceNetwork does it over HTTP.
  ///   - clock: how to wait and what the time is.
  ///   - timeout: how long an answer may take.
  ///   - silence: how long a stream may be silent; a service gives a sign of life every 15 s.
  public init(
    url: String, username: String, room: String = RoomName.main, token: String? = nil,
    transport: any Transport, clock: RoomClock = .steady, timeout: Duration = .seconds(10),
    silence: Duration = .seconds(45)
  ) throws(RoomClientError) {
    for name in [username, room] {
      if let problem = RoomName.problem(with: name) { throw .badName(problem) }
    }
    var base = url[...]
    while base.last == "/" { base.removeLast() }
    let host = base.drop { $0 != ":" }.dropFirst(3)
    guard base.hasPrefix("http://") || base.hasPrefix("https://"), !host.isEmpty,
      !base.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace })
    else { throw .badAddress(url) }
    self.username = username
    self.room = room
    connection = RoomConnection(
      base: String(base), token: token, transport: transport, clock: clock, timeout: timeout, silence: silence)
  }

  /// The parameter of the room; nothing for the main one.
  var roomParameter: String? { room == RoomName.main ? nil : room }

  func target(_ path: String) -> String {
    path + (roomParameter.map { "?room=" + PercentCoding.encode($0) } ?? "")
  }

  // MARK: the chat

  /// Says something. Nothing is sent when there is nothing to say.
  /// - Parameters:
  ///   - text: what is said.
  ///   - isSystemMessage: whether the room says it rather than this user.
  /// - Throws: ``RoomClientError``, `TransportError` or `CancellationError`.
  public func say(_ text: String, isSystemMessage: Bool = false) async throws {
    if text.isEmpty { return }
    let message = Message(
      id: UUID(), user: isSystemMessage ? nil : username, message: text, date: connection.clock.now().date)
    _ = try await connection.send("POST", target("/chat/say"), body: RoomJSON.bytes(message))
  }

  /// Says "3...", "2...", "1..." and the message behind a 🎉, one second apart, as this user. Whoever
  /// wants all to start at the same instant takes ``startRace(to:from:)``.
  /// - Throws: what ``say(_:isSystemMessage:)`` throws, and nothing more is said then; `CancellationError` when
  ///   cancelled.
  public func countdown(to message: String) async throws {
    if message.isEmpty { return }
    for text in ["3...", "2...", "1...", "🎉 \(message)"] {
      try await connection.clock.sleep(.seconds(1))
      try Task.checkCancellation()
      try await say(text)
    }
  }

  /// What happens in the room, from now on: who is here, the last three messages, and everything that is said.
  ///
  /// When the connection breaks it is made again, and every message comes once, in the order of the room. One consumer;
  /// releasing the sequence, or cancelling the task, leaves the room.
  /// - Parameter since: the number of the last message that is known already.
  /// - Throws: ``RoomClientError``; `TransportError` when the service cannot be reached the first time;
  ///   `CancellationError`.
  public func chat(since: Int? = nil) -> AsyncThrowingStream<RoomEvent, any Error> {
    let follower = LineFollower(
      connection, reader: ChatReader(user: username, room: roomParameter, since: since))
    return AsyncThrowingStream { try await follower.next() }
  }

  // MARK: the place

  /// Tells the room where this machine is, once.
  /// - Parameters:
  ///   - source: what knows it.
  ///   - geocoder: what has a name for it. Without one the coordinates are told. One that knows no name, or fails, keeps
  ///     the place from being told: who asked for an address does not want to give coordinates away.
  /// - Returns: what was told.
  /// - Throws: ``LocationError``, the geocoder's error, or what ``say(_:isSystemMessage:)`` throws.
  @discardableResult
  public func shareLocation(using source: any LocationSource, geocoder: (any Geocoder)? = nil) async throws -> Location
  {
    var location = try await source.location()
    if let geocoder {
      guard let label = try await geocoder.label(for: location) else { throw LocationError.noAddress }
      location.label = label
    }
    let place = RoomBodies.Place(
      user: username, latitude: location.latitude, longitude: location.longitude, label: location.label)
    _ = try await connection.send("POST", target("/race/location"), body: RoomJSON.bytes(place))
    return location
  }

  // MARK: the race

  /// Tells the room how far this runner is. Frames are numbered as they are sent.
  public func report(_ frame: ChaseFrame) async throws {
    let seq = nextFrame.withLock { next in
      defer { next += 1 }
      return next
    }
    let frame = RunnerFrame(user: username, frame: frame, seq: seq)
    _ = try await connection.send("POST", target("/race/status"), body: RoomJSON.bytes(frame))
  }

  /// Lets the room count down for everybody.
  /// - Parameters:
  ///   - text: what the room says at the start.
  ///   - from: the first number, said a second from now.
  /// - Returns: the instant of the start, by the service's clock.
  @discardableResult
  public func startRace(to text: String, from: Int = 3) async throws -> Duration? {
    let body = RoomBodies.CountdownStart(text: text, from: from, user: username)
    let answer = try await connection.send("POST", target("/race/countdown"), body: RoomJSON.bytes(body))
    let receipt: RoomReceipt? = RoomJSON.value(from: answer.body)
    return receipt?.start.map { .seconds($0) }
  }

  /// Calls off a start before it happens.
  public func cancelRace() async throws {
    let body = RoomJSON.bytes(RoomBodies.CountdownEnd(user: username))
    _ = try await connection.send("DELETE", target("/race/countdown"), body: body)
  }

  /// Where the race stands and how far everybody is, from now on; reconnects like ``chat(since:)``.
  public func live() -> AsyncThrowingStream<LiveEvent, any Error> {
    let follower = LineFollower(connection, reader: LiveReader(room: roomParameter))
    return AsyncThrowingStream { try await follower.next() }
  }
}
