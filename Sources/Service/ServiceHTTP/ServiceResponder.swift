import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServiceCore
import ServiceWalkers

/// Answers requests: the gatekeeper, the route, and the headers of every answer.
struct ServiceResponder: HTTPResponder {
  typealias Context = ServiceContext

  let routes: RouteTable
  let gatekeeper: Gatekeeper
  let metrics: ServiceMetrics

  func respond(to request: Request, context: ServiceContext) async throws -> Response {
    let began = gatekeeper.now()
    var name = "none"
    var response = await answer(request, context, &name)
    if request.method == .head { response = response.withoutBody }
    // A copy that is still the same has them.
    if response.status != .notModified { response.addSecurityHeaders() }
    let time = gatekeeper.now() - began
    let status = Int(response.status.code)
    metrics.answered(route: name, method: Self.method(request), status: status, in: time)
    // Only the path: a query may identify a user, and a header contains the token.
    context.logger.debug(
      "answered", metadata: ["route": "\(name)", "method": "\(Self.method(request))", "status": "\(status)"])
    return response
  }

  private func answer(_ request: Request, _ context: ServiceContext, _ name: inout String) async -> Response {
    do {
      let route = try find(request, context, &name)
      if route.isOwnOriginOnly { try gatekeeper.hosts.checkOrigin(request) }
      var context = context
      if route.access != .everybody { context.caller = try gatekeeper.caller(request, context) }
      try gatekeeper.checkAccess(route, context.caller)
      return try await route.handler(request, context)
    } catch { return refuse(error, context) }
  }

  private func find(_ request: Request, _ context: ServiceContext, _ name: inout String) throws -> Route {
    guard let target = request.head.path, target.first == "/", !target.utf8.contains(where: { $0 <= 0x20 }) else {
      throw ServiceRefusal(400, "the request target is not a path; start it with a slash")
    }
    try gatekeeper.hosts.checkHost(request)
    try gatekeeper.checkPace(request, context)
    // Compared as it is written: nothing is decoded or joined, so other spellings do not match.
    let path = String(target.prefix { $0 != "?" && $0 != "#" })
    switch routes.match(request.method, path) {
    case .route(let route):
      name = path
      return route
    case .otherMethods(let allowed):
      name = path
      var refusal = ServiceRefusal(405, "method not allowed; use \(allowed)")
      refusal.allowed = allowed
      throw refusal
    case .none: throw ServiceRefusal(404, "not found; see /openapi.json")
    }
  }

  private func refuse(_ error: any Error, _ context: ServiceContext) -> Response {
    switch error {
    case let refusal as ServiceRefusal: return .refusal(refusal)
    case let error as PeopleError where error == .noChallenge:
      return .refusal(ServiceRefusal(404, "there is no such challenge"))
    case let error as PeopleError:
      return .refusal(ServiceRefusal(error.exitStatus == .cannotCreate ? 409 : 400, "\(error)"))
    default:
      context.logger.error("a request failed", metadata: ["error": "\(error)"])
      return .refusal(ServiceRefusal(503, "temporary failure; try again, and check the service's log"))
    }
  }

  /// The method, if it is a common one: a client may send any word, and each would be a series of the metrics.
  private static func method(_ request: Request) -> String {
    let common: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .options, .patch, .trace]
    return common.contains(request.method) ? request.method.rawValue : "other"
  }
}

extension Response {
  /// For HEAD: the same headers. A stream has no length, and a length of 0 prevents chunked framing.
  fileprivate var withoutBody: Response {
    var response = createHeadResponse()
    if body.contentLength == nil { response.headers[.contentLength] = "0" }
    return response
  }
}
