import HTTPTypes
import Hummingbird

enum RouteAccess: Sendable {
  /// Everybody: the answer is not private.
  case everybody
  /// Everybody; with the token the answer contains more.
  case everybodyInPart
  /// Requires the token, if one is set.
  case token
  /// The same, but the token of a walker is enough.
  case walkers
  /// Requires the token; refused if none is set.
  case tokenAlways
}

struct Route: Sendable {
  typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

  var method: HTTPRequest.Method
  var path: String
  var access: RouteAccess
  /// Whether pages of other origins are refused; always so for changes.
  var isOwnOriginOnly: Bool
  var handler: Handler
}

/// A part of the service that adds its own routes.
package protocol RouteGroup: Sendable {
  /// Adds the routes.
  func register(in routes: inout RouteTable)
}

/// All routes, by their exact path: other spellings do not match.
package struct RouteTable: Sendable {
  private(set) var routes: [String: [HTTPRequest.Method: Route]] = [:]

  enum Match {
    case route(Route)
    /// The path supports other methods: the header `Allow`.
    case otherMethods(String)
    case none
  }

  init() {}

  /// Adds a route. A path and a method have only one handler.
  mutating func add(
    _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess = .token, ownOrigin: Bool = false,
    _ handler: @escaping Route.Handler
  ) {
    precondition(routes[path]?[method] == nil, "\(method) \(path) is there already")
    let changes = ![.get, .head].contains(method)
    routes[path, default: [:]][method] = Route(
      method: method, path: path, access: access, isOwnOriginOnly: ownOrigin || changes, handler: handler)
  }

  /// Finds the handler; HEAD is supported wherever GET is.
  func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
    guard let methods = routes[path] else { return .none }
    if let route = methods[method == .head ? .get : method] { return .route(route) }
    let names = methods.keys.map(\.rawValue) + (methods[.get] == nil ? [] : ["HEAD"])
    return .otherMethods(names.sorted().joined(separator: ", "))
  }
}
