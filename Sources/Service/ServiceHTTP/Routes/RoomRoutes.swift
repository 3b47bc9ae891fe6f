import HTTPTypes
import Hummingbird
import RaceRoom
import ServiceCore

/// The rooms: chat, countdown, standings and places. ``RoomService`` implements them; this only passes requests on.
package struct RoomRoutes: RouteGroup {
  let rooms: RoomService
  let limits: ServiceLimits

  package init(rooms: RoomService, limits: ServiceLimits) { (self.rooms, self.limits) = (rooms, limits) }

  package func register(in routes: inout RouteTable) {
    for path in ["/chat/room", "/race/live", "/race/clock"] { add(.get, path, to: &routes) }
    for path in ["/chat/say", "/race/countdown", "/race/status", "/race/location"] { add(.post, path, to: &routes) }
    add(.delete, "/race/countdown", to: &routes)
  }

  private func add(_ method: HTTPRequest.Method, _ path: String, to routes: inout RouteTable) {
    // Other users see who joins a room, so a foreign page may not do it for a user.
    routes.add(method, path, ownOrigin: true) { [rooms, limits] request, context in
      let body = method == .get ? [] : Array(try await request.wholeBody(upTo: limits.bodySize).readableBytesView)
      let answer = await rooms.answer(
        RoomRequest(method: method.rawValue, target: request.head.path ?? path, body: body))
      return Self.response(answer, to: context)
    }
  }

  private static func response(_ answer: RoomAnswer, to context: ServiceContext) -> Response {
    let type = answer.headers.first { $0.name == "Content-Type" }?.value ?? "application/json"
    var response: Response
    switch answer.body {
    case .json(let bytes): response = .plain(bytes, type: type, status: .init(code: answer.status))
    case .lines(let lines): response = EventStream.response(lines: lines, type: type, to: context)
    }
    for header in answer.headers where header.name != "Content-Type" {
      if let name = HTTPField.Name(header.name) { response.headers[name] = header.value }
    }
    return response
  }
}
