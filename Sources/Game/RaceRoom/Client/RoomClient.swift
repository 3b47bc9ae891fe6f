import ChaseEngine
import FoundationEssentials
import Platform
import ServiceTransport
import Synchronization

/// A member of a room, who sends and receives messages and takes part in its races.
///
///     let client = try RoomClient(url: "http://127.0.0.1:8080", username: "Ann", transport: NetworkTransport())
///     for try await event in client.chat() {
///       if case .message(let message) = event { print(message.displayName ?? "*", message.displayText) }
///     }
public final class RoomClient: Sendable {
  /// The user's name.
  public let username: String
  /// The name of the room.
  public let room: String

  let connection: RoomConnection
  private let nextFrame = Mutex(0)

  /// Creates a client; nothing is sent yet.
  /// - Parameters:
  ///   - url: the address of the service, such as `http://127.0.0.1:8080`.
  ///   - username: the user's name.
  ///   - room: the name of the room.
  ///   - token: the token of the service, if it requires one.
  ///   - transport: transmits the requests; `NetworkTransport` of the module ServiceNetwork uses HTTP.
  ///   - clock: the time, and how to wait.
  ///   - timeout: the longest time for an answer.
  ///   - silence: the longest silence of a stream; a service sends a heartbeat every 15 s.
  public init(
    url: String, username: String, room: String = RoomName.main, token: String? = nil,
    transport: any Transport, clock: RoomClock = .steady, timeout: Duration = .seconds(10),
    silence: Duration = .seconds(45)
  ) throws(RoomClientError) {
    for name in [username, room] { if let problem = RoomName.problem(with: name) { throw .badName(problem) } }
    var base = url[...]
    while base.last == "/" { base.removeLast() }
    let host = base.drop { $0 != ":" }.dropFirst(3)
    guard base.hasPrefix("http://") || base.hasPrefix("https://"), !host.isEmpty,
      !base.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace })
    else { throw .badAddress(url) }
    (self.username, self.room) = (username, room)
    connection = RoomConnection(
      base: String(base), token: token, transport: transport, clock: clock, timeout: timeout, silence: silence)
  }

  var roomParameter: String? { room == RoomName.main ? nil : room }

  func target(_ path: String) -> String { path + (roomParameter.map { "?room=" + PercentCoding.encode($0) } ?? "") }

  // MARK: Chat

  /// Posts a message. An empty message is not sent.
  /// - Parameters:
  ///   - text: the message.
  ///   - isSystemMessage: whether to post it as the room instead of this user.
  /// - Throws: ``RoomClientError``, `TransportError` or `CancellationError`.
  public func say(_ text: String, isSystemMessage: Bool = false) async throws {
    if text.isEmpty { return }
    let message = Message(
      id: UUID(), user: isSystemMessage ? nil : username, message: text, date: connection.clock.now().date)
    _ = try await connection.send("POST", target("/chat/say"), body: RoomJSON.bytes(message))
  }

  /// Posts "3...", "2...", "1..." and the message after a 🎉, one second apart, as this user. Use
  /// ``startRace(to:from:)`` for a start at the same instant for all.
  /// - Throws: the errors of ``say(_:isSystemMessage:)``, after which no more is posted; `CancellationError` when
  ///   cancelled.
  public func countdown(to message: String) async throws {
    if message.isEmpty { return }
    for text in ["3...", "2...", "1...", "🎉 \(message)"] {
      try await connection.clock.sleep(.seconds(1))
      try Task.checkCancellation()
      try await say(text)
    }
  }

  /// The events of the room from now on: the number of users, the last three messages, and all later messages.
  ///
  /// The connection is restored when it breaks, and every message is delivered once, in the order of the room. One
  /// consumer; releasing the sequence, or cancelling the task, leaves the room.
  /// - Parameter since: the number of the last known message.
  /// - Throws: ``RoomClientError``; `TransportError` if the service cannot be reached the first time;
  ///   `CancellationError`.
  public func chat(since: Int? = nil) -> AsyncThrowingStream<RoomEvent, any Error> {
    let follower = LineFollower(connection, reader: ChatReader(user: username, room: roomParameter, since: since))
    return AsyncThrowingStream { try await follower.next() }
  }

  // MARK: Location

  /// Shares the location of this machine with the room, once.
  /// - Parameters:
  ///   - source: the source of the location.
  ///   - geocoder: gives it a name. Without one, the coordinates are shared. If it has no name or fails, nothing is
  ///     shared, since a user who asked for an address does not want to share coordinates.
  /// - Returns: what was shared.
  /// - Throws: ``LocationError``, the geocoder's error, or the errors of ``say(_:isSystemMessage:)``.
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

  // MARK: Race

  /// Reports the progress of this runner to the room. Frames are numbered as they are sent.
  public func report(_ frame: ChaseFrame) async throws {
    let seq = nextFrame.withLock { next in
      defer { next += 1 }
      return next
    }
    let frame = RunnerFrame(user: username, frame: frame, seq: seq)
    _ = try await connection.send("POST", target("/race/status"), body: RoomJSON.bytes(frame))
  }

  /// Starts the room's countdown for all members.
  /// - Parameters:
  ///   - text: the room's message at the start.
  ///   - from: the first number, posted a second from now.
  /// - Returns: the instant of the start, on the service's clock.
  @discardableResult
  public func startRace(to text: String, from: Int = 3) async throws -> Duration? {
    let body = RoomBodies.CountdownStart(text: text, from: from, user: username)
    let answer = try await connection.send("POST", target("/race/countdown"), body: RoomJSON.bytes(body))
    let receipt: RoomReceipt? = RoomJSON.value(from: answer.body)
    return receipt?.start.flatMap { Duration(stated: $0) }
  }

  /// Cancels a start before it happens.
  public func cancelRace() async throws {
    let body = RoomJSON.bytes(RoomBodies.CountdownEnd(user: username))
    _ = try await connection.send("DELETE", target("/race/countdown"), body: body)
  }

  /// The state of the race and the progress of all runners, from now on; reconnects like ``chat(since:)``.
  public func live() -> AsyncThrowingStream<LiveEvent, any Error> {
    let follower = LineFollower(connection, reader: LiveReader(room: roomParameter))
    return AsyncThrowingStream { try await follower.next() }
  }
}
