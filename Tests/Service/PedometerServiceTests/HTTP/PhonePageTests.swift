import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("The page for phones", .timeLimit(.minutes(30)), .ownThreads)
struct PhonePageTests {
  @Test("every resource that the page and its worker refer to is served, with its type")
  func parts() async throws {
    let service = try FakeService()
    let page = try await service.ask(.get, "/phone").text
    let worker = try await service.ask(.get, "/phone-worker.js").text
    let manifest = try await service.ask(.get, "/phone.webmanifest").text
    let named = [page, worker, manifest].flatMap { text in
      text.matches(of: /"(\/[a-z.-]*)"/).map { String($0.1) }
    }
    #expect(named.contains("/phone.js") && named.contains("/icon.png"))
    for path in Set(named) {
      let answer = try await service.ask(.get, path)
      #expect(answer.status == .ok, "\(path)")
      let type = answer.headers[.contentType] ?? ""
      let ending = path.split(separator: ".").last.map(String.init)
      let expected = ["js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png"]
      if let ending, let expected = expected[ending] { #expect(type.hasPrefix(expected), "\(path) is \(type)") }
    }
    _ = try #require(try JSONSerialization.jsonObject(with: Data(manifest.utf8)) as? [String: Any])
  }

  @Test("the QR code contains the address of the request, with the room")
  func invitation() async throws {
    let service = try FakeService()
    let plain = try await service.ask(.get, "/phone.svg")
    #expect(plain.headers[.contentType] == "image/svg+xml")
    let code = try #require(QRCode(Array("http://localhost/phone".utf8)))
    #expect(plain.text == code.svg(title: "QR code of the page for phones"))
    let room = try #require(QRCode(Array("http://localhost/phone?room=loch%20ness".utf8)))
    #expect(
      try await service.ask(.get, "/phone.svg?room=loch%20ness").text
        == room.svg(title: "QR code of the page for phones"))
    #expect(try await service.ask(.get, "/phone.svg?room=" + String(repeating: "a", count: 41)).status == .badRequest)
  }
}
