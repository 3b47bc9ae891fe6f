import Platform

/// The parts of a request that a ``RoomService`` needs.
public struct RoomRequest: Sendable, Hashable {
  /// `GET`, `POST` or `DELETE`.
  public var method: String
  /// The path, without the query.
  public var path: String
  /// The parameters of the query, decoded.
  public var query: [String: String]
  /// The body.
  public var body: [UInt8]

  /// Creates a request from its HTTP target: `/chat/room?user=Ann`.
  public init(method: String, target: String, body: [UInt8] = []) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    (self.method, path, self.body) = (method, String(parts[0]), body)
    query = parts.count > 1 ? PercentCoding.query(parts[1]) : [:]
  }
}

extension RoomService {
  /// Answers any request to the rooms.
  public func answer(_ request: RoomRequest) -> RoomAnswer {
    let query = request.query
    let room = query["room"]
    switch (request.method, request.path) {
    case ("GET", "/chat/room"):
      return join(
        user: query["user"] ?? Self.bareName(query), since: query["since"], session: query["session"], room: room)
    case ("POST", "/chat/say"): return say(body: request.body, room: room)
    case ("POST", "/race/countdown"): return countdown(body: request.body, room: room)
    case ("DELETE", "/race/countdown"): return cancelCountdown(body: request.body, room: room)
    case ("POST", "/race/status"): return status(body: request.body, room: room)
    case ("GET", "/race/live"): return live(room: room)
    case ("POST", "/race/location"): return location(body: request.body, room: room)
    case ("GET", "/race/clock"): return clockTime()
    default: return .refusal(.unknownRoute("\(request.method) \(PrintableText.line(request.path))"))
    }
  }

  /// The founding client sends its user's name as the whole query.
  private static func bareName(_ query: [String: String]) -> String? {
    query.count == 1 && query.first?.value.isEmpty == true ? query.first?.key : nil
  }
}
