import Foundation
import Hummingbird

/// The page, its parts, and the document of the API.
struct PageRoutes: RouteGroup {
  let settings: ServiceSettings
  let asksForToken: Bool

  func register(in routes: inout RouteTable) {
    add("/", PackageResources.index_html, "text/html; charset=utf-8", to: &routes)
    add("/page.css", PackageResources.page_css, "text/css; charset=utf-8", to: &routes)
    add("/page.js", PackageResources.page_js, "text/javascript; charset=utf-8", to: &routes)
    add("/common.js", PackageResources.common_js, "text/javascript; charset=utf-8", to: &routes)
    add("/room.js", PackageResources.room_js, "text/javascript; charset=utf-8", to: &routes)
    add("/reports.js", PackageResources.reports_js, "text/javascript; charset=utf-8", to: &routes)
    add("/phone", PackageResources.phone_html, "text/html; charset=utf-8", to: &routes)
    add("/phone.js", PackageResources.phone_js, "text/javascript; charset=utf-8", to: &routes)
    add("/phone-worker.js", PackageResources.phone_worker_js, "text/javascript; charset=utf-8", to: &routes)
    add("/phone.webmanifest", PackageResources.phone_webmanifest, "application/manifest+json", to: &routes)
    add("/icon.svg", PackageResources.icon_svg, "image/svg+xml", to: &routes)
    add("/icon.png", PackageResources.icon_png, "image/png", to: &routes)
    routes.add(.get, "/phone.svg", .everybody) { request, _ in try invitation(request) }
    let document = APIDocument(asksForToken: asksForToken, version: settings.version)
    add("/openapi.json", Array(document.text.utf8), "application/json; charset=utf-8", to: &routes)
  }

  /// The address of the page for phones as a QR code: the host is the one under which the client asks.
  private func invitation(_ request: Request) throws -> Response {
    let query = try request.query()
    let room = query["room"] ?? ""
    var address = "\(settings.certificate == nil ? "http" : "https")://\(request.head.authority ?? "localhost")/phone"
    if !room.isEmpty { address += "?room=\(room.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
    guard room.unicodeScalars.count <= 40 else {
      throw ServiceRefusal(status: 400, reason: "'room' is longer than 40 characters; use a shorter name")
    }
    guard let code = QRCode(Array(address.utf8)) else {
      throw ServiceRefusal(status: 400, reason: "the address is too long for the code; use a shorter room name")
    }
    return .plain(Array(code.svg(title: "QR code of the page for phones").utf8), type: "image/svg+xml")
  }

  private func add(_ path: String, _ bytes: [UInt8], _ type: String, to routes: inout RouteTable) {
    routes.add(.get, path, .everybody) { _, _ in
      var response = Response.plain(bytes, type: type)
      // Kept by the browser, but asked for again: a new version of the service brings a new page.
      response.headers[.cacheControl] = "no-cache"
      return response
    }
  }
}

/// The OpenAPI document, true to how this service was started.
struct APIDocument {
  let text: String

  init(asksForToken: Bool, version: String) {
    var text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
    text = text.replacing("\"version\": \"0.0.0\"", with: "\"version\": \"\(version)\"")
    if !asksForToken { text = text.replacing(Self.security, with: "\"security\": []") }
    self.text = text
  }

  /// What every route asks for that does not say otherwise.
  static let security = "\"security\": [{ \"token\": [] }, { \"session\": [] }]"
}
