import HTTPTypes
import Hummingbird
import ServiceWalkers

/// A browser sends the token once and gets a cookie for it, since an `EventSource` cannot send a header.
struct SessionRoutes: RouteGroup {
  let gatekeeper: Gatekeeper
  let settings: HTTPSettings

  func register(in routes: inout RouteTable) {
    routes.add(.post, "/api/session", .everybody) { request, context in try await begin(request, context) }
    routes.add(.delete, "/api/session", .everybody) { request, _ in end(request) }
  }

  private struct Login: Decodable {
    var token: String
  }

  private func begin(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let login = try await request.json(Login.self, upTo: settings.limits.bodySize)
    var response = Response.done()
    let caller = try gatekeeper.caller(showing: login.token, context)
    let walker: Walker? = if case .walker(let walker) = caller { walker } else { nil }
    // Without a token the owner needs no login.
    guard walker != nil || gatekeeper.asksForToken else { return response }
    let seconds = SessionStore.lifetime.components.seconds
    response.headers[.setCookie] = cookie(gatekeeper.sessions.begin(at: gatekeeper.now(), for: walker), seconds)
    return response
  }

  private func end(_ request: Request) -> Response {
    if let session = Gatekeeper.session(request) { gatekeeper.sessions.end(session) }
    var response = Response.done()
    response.headers[.setCookie] = cookie("", 0)
    return response
  }

  private func cookie(_ value: String, _ seconds: Int64) -> String {
    let secure = settings.certificate == nil ? "" : "; Secure"
    return "\(SessionStore.cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)"
  }
}
