import Hummingbird

/// The page, its parts, and the document of the API.
struct PageRoutes: RouteGroup {
  let settings: ServiceSettings
  let asksForToken: Bool

  func register(in routes: inout RouteTable) {
    add("/", PackageResources.index_html, "text/html; charset=utf-8", to: &routes)
    add("/page.css", PackageResources.page_css, "text/css; charset=utf-8", to: &routes)
    add("/page.js", PackageResources.page_js, "text/javascript; charset=utf-8", to: &routes)
    add("/room.js", PackageResources.room_js, "text/javascript; charset=utf-8", to: &routes)
    add("/reports.js", PackageResources.reports_js, "text/javascript; charset=utf-8", to: &routes)
    let document = APIDocument(asksForToken: asksForToken, version: settings.version)
    add("/openapi.json", Array(document.text.utf8), "application/json; charset=utf-8", to: &routes)
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
