import HTTPTypes
import Hummingbird
import JSONLines
import ServiceCore
import ServiceWalkers

/// A browser sends the token once, because an `EventSource` cannot send a header; a phone shows a code instead. Each then gets its
/// own token as a cookie.
struct SessionRoutes: RouteGroup {
  let gatekeeper: Gatekeeper
  let settings: HTTPSettings
  let hub: EventHub

  func register(in routes: inout RouteTable) {
    routes.add(.post, "/api/session", .everybody) { request, context in try await begin(request, context) }
    routes.add(.delete, "/api/session", .everybody) { request, _ in try end(request) }
    routes.add(.get, "/api/phone", .walkers) { request, _ in
      return .json(JSONLine(["address": settings.phoneAddress(for: request)]).object)
    }
    routes.add(.post, "/api/phone", .walkers) { request, context in try invite(request, context) }
    routes.add(.get, "/api/phones") { request, _ in .json(array: try gatekeeper.phones(request).map(\.object)) }
    routes.add(.delete, "/api/phones") { request, _ in
      guard let id = try request.query()["id"], try gatekeeper.walkers.forget(phoneNamed: id) else {
        throw ServiceRefusal(404, "no phone has this id; send an 'id' that /api/phones lists")
      }
      hub.end { (try? gatekeeper.holder(ofSession: $0)) != nil }
      return .done()
    }
  }

  /// How long browsers keep it: the longest time that they allow, in seconds.
  private static let lifetime = 400 * 86_400

  private struct Login: Decodable {
    var token: String?
    var code: String?
  }

  private func begin(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let login = try await request.json(Login.self, upTo: settings.limits.bodySize)
    var response = Response.done()
    if let code = login.code {
      if gatekeeper.walkers.isAsking(code) { return Response(status: .accepted) }
      response.headers[.setCookie] = cookie(try gatekeeper.redeem(code, request, context), Self.lifetime)
      return response
    }
    guard let token = login.token else { throw ServiceRefusal(400, "neither 'token' nor 'code'; send one of them") }
    let admitted = try gatekeeper.logIn(try gatekeeper.caller(showing: token, context), request)
    response.headers[.setCookie] = admitted.map { cookie($0, Self.lifetime) }
    return response
  }

  /// The link to the page for phones, as text and as a QR code, with a code that lets one phone in.
  private func invite(_ request: Request, _ context: ServiceContext) throws -> Response {
    guard let address = settings.phoneAddress(for: request) else { throw ServiceRefusal.unreachable }
    let url = address + "/phone" + (try gatekeeper.invite(context.caller).map { "#code=\($0)" } ?? "")
    guard let code = QRCode(Array(url.utf8)) else {
      throw ServiceRefusal(400, "the address is too long for the code; use a shorter host name")
    }
    return .json(
      JSONLine([
        "url": url, "seconds": Int(WalkerBook.codeLifetime), "svg": code.svg(title: "QR code of the page for phones"),
      ]).object)
  }

  private func end(_ request: Request) throws -> Response {
    if let session = Gatekeeper.session(request) {
      try gatekeeper.walkers.forget(phone: session)
      hub.end { (try? gatekeeper.holder(ofSession: $0)) != nil }
    }
    var response = Response.done()
    response.headers[.setCookie] = cookie("", 0)
    return response
  }

  private func cookie(_ value: String, _ seconds: Int) -> String {
    let secure = settings.certificate == nil ? "" : "; Secure"
    return "\(Gatekeeper.cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)"
  }
}

extension ServiceRefusal {
  /// No phone can open a link to the service.
  static let unreachable = ServiceRefusal(
    409, "only this computer can reach the service; start it with --listen 0.0.0.0:8443")
}
