import ChaseScenery
import Foundation
import Hummingbird
import ServiceCore

/// The page, its resources, and the API document.
struct PageRoutes: RouteGroup {
  let settings: HTTPSettings
  let asksForToken: Bool

  func register(in routes: inout RouteTable) {
    add("/", PackageResources.index_html, "text/html; charset=utf-8", to: &routes)
    add("/page.css", PackageResources.page_css, "text/css; charset=utf-8", to: &routes)
    add("/page.js", PackageResources.page_js, "text/javascript; charset=utf-8", to: &routes)
    add("/charts.js", PackageResources.charts_js, "text/javascript; charset=utf-8", to: &routes)
    add("/common.js", PackageResources.common_js, "text/javascript; charset=utf-8", to: &routes)
    add("/room.js", PackageResources.room_js, "text/javascript; charset=utf-8", to: &routes)
    add("/texts.js", PackageResources.texts_js, "text/javascript; charset=utf-8", to: &routes)
    add("/texts-de.json", PackageResources.texts_de_json, "application/json; charset=utf-8", to: &routes)
    add("/texts-fr.json", PackageResources.texts_fr_json, "application/json; charset=utf-8", to: &routes)
    add("/views.js", PackageResources.views_js, "text/javascript; charset=utf-8", to: &routes)
    add("/days.js", PackageResources.days_js, "text/javascript; charset=utf-8", to: &routes)
    add("/today.js", PackageResources.today_js, "text/javascript; charset=utf-8", to: &routes)
    add("/history.js", PackageResources.history_js, "text/javascript; charset=utf-8", to: &routes)
    add("/play.js", PackageResources.play_js, "text/javascript; charset=utf-8", to: &routes)
    add("/loch.js", PackageResources.loch_js, "text/javascript; charset=utf-8", to: &routes)
    add("/people.js", PackageResources.people_js, "text/javascript; charset=utf-8", to: &routes)
    add("/doubts.js", PackageResources.doubts_js, "text/javascript; charset=utf-8", to: &routes)
    add("/devices.js", PackageResources.devices_js, "text/javascript; charset=utf-8", to: &routes)
    add("/scene.json", Array(SceneDescription.json.utf8), "application/json; charset=utf-8", to: &routes)
    add("/reports.js", PackageResources.reports_js, "text/javascript; charset=utf-8", to: &routes)
    add("/phone", PackageResources.phone_html, "text/html; charset=utf-8", to: &routes)
    add("/phone.js", PackageResources.phone_js, "text/javascript; charset=utf-8", to: &routes)
    add("/walk-test.js", PackageResources.walk_test_js, "text/javascript; charset=utf-8", to: &routes)
    add("/phone-worker.js", PackageResources.phone_worker_js, "text/javascript; charset=utf-8", to: &routes)
    add("/phone.webmanifest", PackageResources.phone_webmanifest, "application/manifest+json", to: &routes)
    add("/page.webmanifest", PackageResources.page_webmanifest, "application/manifest+json", to: &routes)
    add("/challenge", PackageResources.challenge_html, "text/html; charset=utf-8", to: &routes)
    add("/challenge.js", PackageResources.challenge_js, "text/javascript; charset=utf-8", to: &routes)
    add("/icon.svg", PackageResources.icon_svg, "image/svg+xml", to: &routes)
    add("/icon.png", PackageResources.icon_png, "image/png", to: &routes)
    add("/icon-512.png", PackageResources.icon_512_png, "image/png", to: &routes)
    routes.add(.get, "/phone.svg", .everybody) { request, _ in try invitation(request) }
    let document = APIDocument(asksForToken: asksForToken, version: settings.version)
    add("/openapi.json", Array(document.text.utf8), "application/json; charset=utf-8", to: &routes)
  }

  /// The address of the page for phones as a QR code.
  private func invitation(_ request: Request) throws -> Response {
    let query = try request.query()
    let room = query["room"] ?? ""
    guard var address = settings.phoneAddress(for: request).map({ $0 + "/phone" }) else {
      throw ServiceRefusal.unreachable
    }
    if !room.isEmpty { address += "?room=\(room.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
    guard room.unicodeScalars.count <= 40 else {
      throw ServiceRefusal(400, "'room' is longer than 40 characters; use a shorter name")
    }
    guard let code = QRCode(Array(address.utf8)) else {
      throw ServiceRefusal(400, "the address is too long for the code; use a shorter room name")
    }
    return .plain(Array(code.svg(title: "QR code of the page for phones").utf8), type: "image/svg+xml")
  }

  /// A script without the lines that are only a comment.
  private static func withoutComments(_ script: [UInt8]) -> [UInt8] {
    let lines = script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).filter { line in
      let text = line.drop { $0 == UInt8(ascii: " ") }
      return !["//", "/*", "*"].contains { text.starts(with: $0.utf8) }
    }
    return Array(lines.joined(separator: "\n".utf8))
  }

  private func add(_ path: String, _ bytes: [UInt8], _ type: String, to routes: inout RouteTable) {
    // What scripts say to their readers is a seventh of the page.
    let file = StaticFile(path.hasSuffix(".js") ? Self.withoutComments(bytes) : bytes, type: type)
    routes.add(.get, path, .everybody) { request, _ in file.answer(to: request) }
  }
}

/// The OpenAPI document, adapted to the settings of the service.
struct APIDocument {
  let text: String

  init(asksForToken: Bool, version: String) {
    var text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
    text = text.replacing("\"version\": \"0.0.0\"", with: "\"version\": \"\(version)\"")
    if !asksForToken { text = text.replacing(Self.security, with: "\"security\": []") }
    self.text = text
  }

  /// The security of routes that do not specify their own.
  static let security = "\"security\": [{ \"token\": [] }, { \"session\": [] }]"
}
