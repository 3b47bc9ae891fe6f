import HTTPTypes
import Hummingbird

/// Whom a route answers.
enum RouteAccess: Sendable {
  /// Everybody: nothing private is told.
  case everybody
  /// Requires the token, if one is set.
  case token
  /// Requires the token; refused if none is set.
  case tokenAlways
}

/// A path, a method and what is done then.
struct Route: Sendable {
  typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

  var method: HTTPRequest.Method
  var path: String
  var access: RouteAccess
  /// Whether a page of another origin is refused; always so where something is changed.
  var isOwnOriginOnly: Bool
  var handler: Handler
}

/// A part of the service brings its routes with it.
protocol RouteGroup: Sendable {
  /// Adds them.
  func register(in routes: inout RouteTable)
}

/// All routes, by their exact path: what is not written here does not exist, however it is spelt.
struct RouteTable: Sendable {
  private(set) var routes: [String: [HTTPRequest.Method: Route]] = [:]

  /// What answers, or why nothing does.
  enum Match {
    case route(Route)
    /// Other methods would be answered: the header `Allow`.
    case otherMethods(String)
    case none
  }

  init() {}

  /// Adds a route. A path and a method have one answer only.
  mutating func add(
    _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess = .token, ownOrigin: Bool = false,
    _ handler: @escaping Route.Handler
  ) {
    precondition(routes[path]?[method] == nil, "\(method) \(path) is there already")
    let changes = ![.get, .head].contains(method)
    routes[path, default: [:]][method] = Route(
      method: method, path: path, access: access, isOwnOriginOnly: ownOrigin || changes, handler: handler)
  }

  /// Finds what answers; HEAD is answered wherever GET is.
  func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
    guard let methods = routes[path] else { return .none }
    if let route = methods[method == .head ? .get : method] { return .route(route) }
    let names = methods.keys.map(\.rawValue) + (methods[.get] == nil ? [] : ["HEAD"])
    return .otherMethods(names.sorted().joined(separator: ", "))
  }
}
