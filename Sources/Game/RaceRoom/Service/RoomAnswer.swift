import FoundationEssentials

/// The answer of a service: a status and JSON, or a stream of lines.
public struct RoomAnswer: Sendable {
  /// The content after the headers.
  public enum Body: Sendable {
    /// One JSON object.
    case json([UInt8])
    /// Lines of JSON. Send each at once; release or close them when the client has disconnected.
    case lines(RoomLines)
  }

  /// The HTTP status.
  public var status: Int
  /// `Content-Type`, and other headers.
  public var headers: [(name: String, value: String)]
  /// The content after the headers.
  public var body: Body

  static func json(_ value: some Encodable) -> RoomAnswer {
    RoomAnswer(status: 200, headers: [("Content-Type", "application/json")], body: .json(RoomJSON.bytes(value)))
  }

  static func lines(_ lines: RoomLines) -> RoomAnswer {
    let headers = [("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store")]
    return RoomAnswer(status: 200, headers: headers, body: .lines(lines))
  }

  static func refusal(_ refusal: RoomRefusal) -> RoomAnswer {
    var headers = [("Content-Type", "application/json")]
    if let seconds = refusal.seconds { headers.append(("Retry-After", "\(seconds)")) }
    let problem = RoomProblem(error: true, reason: "\(refusal)")
    return RoomAnswer(status: refusal.status, headers: headers, body: .json(RoomJSON.bytes(problem)))
  }
}

/// The body of a refusal.
struct RoomProblem: Codable {
  var error: Bool
  var reason: String
}

/// The answer to a successful request.
public struct RoomReceipt: Sendable, Hashable, Codable {
  /// The number of the message or of the frame; `nil` for other answers.
  public var seq: Int?
  /// The instant of the start, in seconds since 2001-01-01 UTC, if a countdown was started.
  public var start: Double?
  /// The server's time in seconds since 2001-01-01 UTC.
  public var time: Double

  /// Creates a receipt.
  public init(seq: Int? = nil, start: Double? = nil, time: Double) {
    (self.seq, self.start, self.time) = (seq, start, time)
  }
}

/// JSON of the default coders, with sorted keys.
enum RoomJSON {
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // All values have been checked to be finite; JSON supports all others.
    return (try? encoder.encode(value)).map(Array.init) ?? Array("{}".utf8)
  }

  static func line(_ value: some Encodable) -> [UInt8] { bytes(value) + [0x0A] }

  static func value<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
