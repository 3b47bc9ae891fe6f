import Platform

/// Interprets the lines of one kind of stream. A value without connection, clock or `await`.
protocol LineReader: Sendable {
  associatedtype Event: Sendable

  /// The path and query that open the stream, the first time and after reconnecting.
  var target: String { get }

  /// Takes the first line of a connection.
  mutating func open(_ line: [UInt8]) throws(RoomClientError) -> [Event]

  /// Takes any other line; unknown lines give no events.
  mutating func read(_ line: [UInt8]) -> [Event]

  /// The event of a lost connection.
  static func interruption(_ reason: String, retryIn: Duration) -> Event
}

/// Reads a chat, and remembers its position.
struct ChatReader: LineReader {
  let user: String
  /// The parameter of the room; `nil` for the main one.
  let room: String?
  /// The number of the last received message.
  private(set) var last: Int?
  private(set) var session: String?
  /// The position to continue at if the connection breaks before the first message.
  private var beginning: Int?

  init(user: String, room: String?, since: Int? = nil) {
    (self.user, self.room) = (user, room)
    last = since
  }

  var target: String {
    var target = "/chat/room?user=" + PercentCoding.encode(user)
    if let since = last ?? beginning { target += "&since=\(since)" }
    if let session { target += "&session=" + PercentCoding.encode(session) }
    if let room { target += "&room=" + PercentCoding.encode(room) }
    return target
  }

  mutating func open(_ line: [UInt8]) throws(RoomClientError) -> [RoomEvent] {
    guard let status: ServerStatus = RoomJSON.value(from: line) else {
      throw .noRoom(line: PrintableText.line(String(decoding: line.prefix(80), as: UTF8.self)))
    }
    if let known = session, let new = status.session, known != new { last = 0 }
    session = status.session ?? session
    if last == nil, beginning == nil { beginning = status.seq.map { max(0, $0 - RoomRules().shownToNewcomers) } }
    return [.status(status)]
  }

  mutating func read(_ line: [UInt8]) -> [RoomEvent] {
    guard let message: Message = RoomJSON.value(from: line) else { return [] }
    guard let seq = message.seq else { return [.message(message)] }
    guard let last else {
      last = seq
      return [.message(message)]
    }
    guard seq > last else { return [] }
    self.last = seq
    return seq > last + 1 ? [.missed(seq - last - 1), .message(message)] : [.message(message)]
  }

  static func interruption(_ reason: String, retryIn: Duration) -> RoomEvent {
    .interrupted(reason: reason, retryIn: retryIn)
  }
}

/// Reads the standings.
struct LiveReader: LineReader {
  /// The parameter of the room; `nil` for the main one.
  let room: String?

  var target: String { "/race/live" + (room.map { "?room=" + PercentCoding.encode($0) } ?? "") }

  func open(_ line: [UInt8]) throws(RoomClientError) -> [LiveEvent] {
    let events = read(line)
    guard !events.isEmpty else {
      throw .noRoom(line: PrintableText.line(String(decoding: line.prefix(80), as: UTF8.self)))
    }
    return events
  }

  func read(_ line: [UInt8]) -> [LiveEvent] {
    if let frame: RunnerFrame = RoomJSON.value(from: line) { return [.runner(frame)] }
    if let status: RaceStatus = RoomJSON.value(from: line) { return [.race(status)] }
    return []
  }

  static func interruption(_ reason: String, retryIn: Duration) -> LiveEvent {
    .interrupted(reason: reason, retryIn: retryIn)
  }
}
