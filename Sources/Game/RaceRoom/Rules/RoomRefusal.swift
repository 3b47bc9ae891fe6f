/// The reason why a room refuses a request, with the equivalent HTTP status. Compare ``code`` and show ``message``.
public struct RoomRefusal: Error, Sendable, Hashable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// The body is invalid for this request.
    public static let badBody = Code(name: "badBody")
    /// The message is empty.
    public static let emptyMessage = Code(name: "emptyMessage")
    /// The name of the user or the room is invalid.
    public static let badName = Code(name: "badName")
    /// `since` is not a message number.
    public static let badSince = Code(name: "badSince")
    /// The coordinates are out of range.
    public static let badCoordinates = Code(name: "badCoordinates")
    /// The first number of the countdown is out of range.
    public static let badCountdown = Code(name: "badCountdown")
    /// A figure of a runner is out of range.
    public static let badFrame = Code(name: "badFrame")
    /// The message has too many characters.
    public static let messageTooLong = Code(name: "messageTooLong")
    /// The body has too many bytes.
    public static let bodyTooLong = Code(name: "bodyTooLong")
    /// The route does not exist.
    public static let unknownRoute = Code(name: "unknownRoute")
    /// A countdown is already running.
    public static let alreadyCounting = Code(name: "alreadyCounting")
    /// There is no countdown to cancel.
    public static let notCounting = Code(name: "notCounting")
    /// The rate limit is exceeded; see ``RoomRefusal/retryAfter``.
    public static let tooFast = Code(name: "tooFast")
    /// The room is full.
    public static let roomIsFull = Code(name: "roomIsFull")
    /// The maximum number of rooms is open.
    public static let tooManyRooms = Code(name: "tooManyRooms")
    /// The service is shutting down.
    public static let closing = Code(name: "closing")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String
  /// The HTTP status.
  public let status: Int
  /// When to try again, for ``Code/tooFast``.
  public let retryAfter: Duration?

  private init(_ code: Code, _ status: Int, _ message: String, retryAfter: Duration? = nil) {
    (self.code, self.status, self.message, self.retryAfter) = (code, status, message, retryAfter)
  }
}

extension RoomRefusal: CustomStringConvertible {
  public var description: String { message }
}

extension RoomRefusal {
  package static func badBody(expected: String) -> Self {
    Self(.badBody, 400, "the body cannot be read; send JSON, such as \(expected)")
  }

  package static let emptyMessage = Self(.emptyMessage, 400, "the message is empty; write something")

  package static func badName(_ problem: RoomName.Problem) -> Self { Self(.badName, 400, "\(problem)") }

  package static func badSince(_ text: String) -> Self {
    Self(
      .badSince, 400,
      "'\(text)' is not a message number; give the seq of your last message, or omit since")
  }

  package static func badCoordinates(latitude: Double, longitude: Double) -> Self {
    Self(
      .badCoordinates, 400,
      "\(latitude), \(longitude) is not a position; give degrees, -90 to 90 and -180 to 180")
  }

  package static func badCountdown(from: Int, highest: Int) -> Self {
    Self(.badCountdown, 400, "a countdown cannot start at \(from); give 1 to \(highest)")
  }

  package static func badFrame(key: String) -> Self {
    Self(
      .badFrame, 400,
      "'\(key)' is out of range; give finite numbers of at least 0, and fractions from 0 to 1")
  }

  /// - Parameter limit: in characters.
  package static func messageTooLong(limit: Int) -> Self {
    Self(.messageTooLong, 413, "the message is too long; write at most \(limit) characters")
  }

  /// - Parameter limit: in bytes.
  package static func bodyTooLong(limit: Int) -> Self {
    Self(.bodyTooLong, 413, "the body is too long; send at most \(limit) bytes")
  }

  package static func unknownRoute(_ route: String) -> Self {
    Self(.unknownRoute, 404, "no such route: \(route); see the list of routes")
  }

  package static let alreadyCounting = Self(
    .alreadyCounting, 409, "a countdown is already running; wait for the start, or cancel it first")

  package static let notCounting = Self(.notCounting, 409, "no countdown is running; start one first")

  package static func tooFast(retryAfter delay: Duration) -> Self {
    Self(
      .tooFast, 429, "too many messages; try again in \(max(1, Int(delay.seconds.rounded(.up)))) s",
      retryAfter: delay)
  }

  package static func roomIsFull(members: Int) -> Self {
    Self(.roomIsFull, 503, "the room is full (\(members)); try again later, or use another room")
  }

  package static func tooManyRooms(limit: Int) -> Self {
    Self(.tooManyRooms, 503, "there are already \(limit) rooms; join one of them")
  }

  package static let closing = Self(.closing, 503, "the service is shutting down; try again later")
}
