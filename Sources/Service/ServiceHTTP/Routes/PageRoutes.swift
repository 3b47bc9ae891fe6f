import ChaseScenery
import Foundation
import Hummingbird
import ServiceCore

/// The page, its resources, and the API document.
struct PageRoutes: RouteGroup {
  let settings: HTTPSettings
  let asksForToken: Bool

  func register(in routes: inout RouteTable) {
    typealias Files = PackageResources
    let files: [(String, [UInt8])] = [
      ("/", Files.index_html), ("/page.css", Files.page_css), ("/page.js", Files.page_js),
      ("/charts.js", Files.charts_js), ("/common.js", Files.common_js), ("/room.js", Files.room_js),
      ("/texts.js", Files.texts_js), ("/texts-de.json", Files.texts_de_json), ("/texts-fr.json", Files.texts_fr_json),
      ("/views.js", Files.views_js), ("/days.js", Files.days_js), ("/today.js", Files.today_js),
      ("/history.js", Files.history_js), ("/play.js", Files.play_js), ("/loch.js", Files.loch_js),
      ("/people.js", Files.people_js), ("/doubts.js", Files.doubts_js), ("/devices.js", Files.devices_js),
      ("/scene.json", Array(SceneDescription.json.utf8)), ("/reports.js", Files.reports_js),
      ("/phone", Files.phone_html), ("/phone.js", Files.phone_js), ("/walk-test.js", Files.walk_test_js),
      ("/phone-worker.js", Files.phone_worker_js), ("/phone.webmanifest", Files.phone_webmanifest),
      ("/page.webmanifest", Files.page_webmanifest), ("/challenge", Files.challenge_html),
      ("/challenge.js", Files.challenge_js), ("/icon.svg", Files.icon_svg), ("/icon.png", Files.icon_png),
      ("/icon-512.png", Files.icon_512_png),
      ("/openapi.json", Array(APIDocument.text(asksForToken: asksForToken, version: settings.version).utf8)),
    ]
    for (path, bytes) in files { add(path, bytes, to: &routes) }
  }

  /// The media types of the files, by the ends of their paths; those without one are pages.
  private static let types = [
    "css": "text/css", "js": "text/javascript", "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
  ]

  /// What scripts and style sheets say to their readers, and how lines are indented, is a fifth of the page.
  private static func bare(_ text: [UInt8], _ comments: [String]) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n")).map { line in line.drop { $0 == UInt8(ascii: " ") } }
    let read = lines.filter { line in !comments.contains { line.starts(with: $0.utf8) } }
    return Array(read.joined(separator: "\n".utf8))
  }

  private func add(_ path: String, _ bytes: [UInt8], to routes: inout RouteTable) {
    let type = path.split(separator: ".").dropFirst().last.flatMap { Self.types[String($0)] } ?? "text/html"
    let comments = ["text/html": [], "text/css": ["/*"], "text/javascript": ["//", "/*", "*"]][type]
    let isText = comments != nil || type == "application/json"
    let file = StaticFile(
      comments.map { Self.bare(bytes, $0) } ?? bytes, type: isText ? type + "; charset=utf-8" : type)
    routes.add(.get, path, .everybody) { request, _ in file.answer(to: request) }
  }
}

/// The OpenAPI document, adapted to the settings of the service.
enum APIDocument {
  static func text(asksForToken: Bool, version: String) -> String {
    let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
      .replacing("\"version\": \"0.0.0\"", with: "\"version\": \"\(version)\"")
    // Of routes that do not specify their own.
    return asksForToken
      ? text : text.replacing(#""security": [{ "token": [] }, { "session": [] }]"#, with: #""security": []"#)
  }
}
