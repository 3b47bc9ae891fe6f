/// The reason why a room refuses a request, with the equivalent HTTP status.
public enum RoomRefusal: Error, Sendable, Hashable {
  /// The body is invalid for this request; one such as `expected` is valid.
  case badBody(expected: String)
  /// The message is empty.
  case emptyMessage
  /// The name of the user or the room is invalid.
  case badName(RoomName.Problem)
  /// `since` is not a message number.
  case badSince(String)
  /// The coordinates are out of range.
  case badCoordinates(latitude: Double, longitude: Double)
  /// The first number of the countdown is out of range.
  case badCountdown(from: Int, highest: Int)
  /// A figure of a runner is out of range.
  case badFrame(key: String)
  /// The message has more characters than the limit.
  case messageTooLong(limit: Int)
  /// The body has more bytes than the limit.
  case bodyTooLong(limit: Int)
  /// The route does not exist.
  case unknownRoute(String)
  /// A countdown is already running.
  case alreadyCounting
  /// No countdown is running.
  case notCounting
  /// The rate limit is exceeded.
  case tooFast(retryAfter: Duration)
  /// The room is full.
  case roomIsFull(members: Int)
  /// The maximum number of rooms is open.
  case tooManyRooms(limit: Int)
  /// The service is shutting down.
  case closing

  /// The HTTP status.
  public var status: Int {
    switch self {
    case .badBody, .emptyMessage, .badName, .badSince, .badCoordinates, .badCountdown, .badFrame: 400
    case .unknownRoute: 404
    case .alreadyCounting, .notCounting: 409
    case .messageTooLong, .bodyTooLong: 413
    case .tooFast: 429
    case .roomIsFull, .tooManyRooms, .closing: 503
    }
  }

  /// When to try again, in whole seconds, for ``tooFast(retryAfter:)``.
  var seconds: Int? { if case .tooFast(let delay) = self { max(1, Int(delay.seconds.rounded(.up))) } else { nil } }
}

extension RoomRefusal: CustomStringConvertible {
  /// One sentence with the remedy.
  public var description: String {
    switch self {
    case .badBody(let expected): "the body cannot be read; send JSON, such as \(expected)"
    case .emptyMessage: "the message is empty; write something"
    case .badName(let problem): "\(problem)"
    case .badSince(let text): "'\(text)' is not a message number; give the seq of your last message, or omit since"
    case .badCoordinates(let latitude, let longitude):
      "\(latitude), \(longitude) is not a position; give degrees, -90 to 90 and -180 to 180"
    case .badCountdown(let from, let highest): "a countdown cannot start at \(from); give 1 to \(highest)"
    case .badFrame(let key): "'\(key)' is out of range; give finite numbers of at least 0, and fractions from 0 to 1"
    case .messageTooLong(let limit): "the message is too long; write at most \(limit) characters"
    case .bodyTooLong(let limit): "the body is too long; send at most \(limit) bytes"
    case .unknownRoute(let route): "no such route: \(route); see the list of routes"
    case .alreadyCounting: "a countdown is already running; wait for the start, or cancel it first"
    case .notCounting: "no countdown is running; start one first"
    case .tooFast: "too many messages; try again in \(seconds ?? 1) s"
    case .roomIsFull(let members): "the room is full (\(members)); try again later, or use another room"
    case .tooManyRooms(let limit): "there are already \(limit) rooms; join one of them"
    case .closing: "the service is shutting down; try again later"
    }
  }
}
