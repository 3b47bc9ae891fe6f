import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP
@testable import ServiceWalkers

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

  /// A service that phones can reach.
  private static func open(walkers: WalkerBook? = nil) throws -> FakeService {
    try FakeService(walkers: walkers) { settings in
      settings.token = try ServiceToken(FakeService.secret)
      settings.addresses = [ListenAddress(host: "192.0.2.7", port: 8443)]
    }
  }

  @Test("the QR code contains an address that phones can reach, also behind a proxy")
  func invitation() async throws {
    struct Told: Decodable {
      var url: String
      var svg: String
    }
    let ask = { (service: FakeService) in
      try await service.ask(.post, "/api/phone", [.authorization: "Bearer \(FakeService.secret)"])
    }
    let behind = try FakeService { $0.hostNames = ["walker", "walker.local", "steps.example.org"] }
    for (service, url) in [
      (try Self.open(), "http://192.0.2.7:8443/phone#code="), (behind, "https://steps.example.org/phone"),
    ] {
      let told = try JSONDecoder().decode(Told.self, from: Data(try await ask(service).body.readableBytesView))
      let code = try #require(QRCode(Array(told.url.utf8)))
      #expect(told.url.hasPrefix(url) && told.url.contains("#") == url.contains("#"))
      #expect(told.svg == code.svg(title: "QR code of the page for phones"))
    }
    let own = try await ask(FakeService())
    #expect(own.status == .conflict && own.text.contains("--listen 0.0.0.0:8443"))
  }

  @Test("a code lets one phone in, once, within ten minutes, and the phone's own token outlives the service")
  func code() async throws {
    let folder = try TemporaryDirectory()
    let clock = ManualClock()
    let now = { @Sendable in Date(timeIntervalSince1970: 1_795_431_600 + clock.now.offset / .seconds(1)) }
    let service = try Self.open(walkers: WalkerBook(folder: folder.path, now: now))
    let owner: HTTPFields = [.authorization: "Bearer \(FakeService.secret)"]
    #expect(try await service.ask(.get, "/api/phone", owner).text == #"{"address":"http://192.0.2.7:8443"}"#)
    let invite = { () async throws -> String in
      let told = try await service.ask(.post, "/api/phone", owner).text
      return String(try #require(told.firstMatch(of: /http:\/\/192.0.2.7:8443\/phone#code=([0-9a-f]{32})"/)).1)
    }
    let enter = { (code: String) in
      try await service.ask(.post, "/api/session", .json, body: #"{"code":"\#(code)"}"#)
    }
    let code = try await invite()
    let cookie = try #require(try await enter(code).headers[.setCookie])
    #expect(cookie.contains("Max-Age=34560000") && !cookie.contains(code))
    let phone: HTTPFields = [.cookie: String(try #require(cookie.split(separator: ";").first))]
    let again = try await enter(code)
    #expect(again.status == .unauthorized && again.text.contains("show a new one"))
    #expect(try await service.ask(.get, "/api/checks", phone).status == .ok)
    let late = try await invite()
    clock.advance(by: .seconds(601))
    #expect(try await enter(late).status == .unauthorized)
    // No file has a code or a token.
    let kept = try TemporaryDirectory.text(of: folder.path + "/walkers.json")
    #expect(!kept.contains(code) && !kept.contains(String(cookie.dropFirst(18).prefix(48))))
    let restarted = try Self.open(walkers: WalkerBook(folder: folder.path, now: now))
    #expect(try await restarted.ask(.get, "/api/checks", phone).status == .ok)
    // Another token of the service ends what came of the former one.
    let renewed = try FakeService(walkers: WalkerBook(folder: folder.path, now: now)) { settings in
      settings.token = try ServiceToken("another-token-of-the-service")
    }
    #expect(try await renewed.ask(.get, "/api/checks", phone).status == .unauthorized)
    #expect(try await restarted.ask(.delete, "/api/session", phone).status == .noContent)
    #expect(try await restarted.ask(.get, "/api/checks", phone).status == .unauthorized)
  }

  @Test("the owner sees which phones were let in and when they were last seen, and ends the access of one")
  func phones() async throws {
    let folder = try TemporaryDirectory()
    let clock = ManualClock()
    let now = { @Sendable in Date(timeIntervalSince1970: 1_795_431_600 + clock.now.offset / .seconds(1)) }
    let book = WalkerBook(folder: folder.path, now: now)
    _ = try book.add("Ann", team: nil)
    let service = try Self.open(walkers: book)
    let owner: HTTPFields = [.authorization: "Bearer \(FakeService.secret)"]
    #expect(try await service.ask(.get, "/api/phones", owner).text == "[]")
    var fields = HTTPFields.json
    fields[.userAgent] = "A browser"
    let login = try await service.ask(
      .post, "/api/session", fields, body: #"{"code":"\#(try book.invite("Ann").code)"}"#)
    let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))
    clock.advance(by: .seconds(3600))
    #expect(try await service.ask(.get, "/api/today", [.cookie: cookie]).status != .unauthorized)
    let told = try await service.ask(.get, "/api/phones", owner).text
    let form = /\[\{"id":"([0-9a-f]{16})","walker":"Ann","agent":"A browser",(.*)\}\]/
    let list = try #require(told.firstMatch(of: form))
    #expect(list.2 == #""since":"2026-11-23T11:00:00Z","seen":"2026-11-23T12:00:00Z","isThis":false"#)
    #expect(!cookie.contains(list.1))
    let streams = (
      own: try service.hub.subscribe(session: cookie.replacing("pedometer-session=", with: "")),
      other: try service.hub.subscribe(
        session: book.logIn(Walker.ownerID, issuer: ServiceToken(FakeService.secret).digest, agent: nil))
    )
    #expect(try await service.ask(.delete, "/api/phones?id=none", owner).status == .notFound)
    #expect(try await service.ask(.delete, "/api/phones?id=\(list.1)", owner).status == .noContent)
    #expect(await streams.own.next() == nil, "it ends at once")
    service.hub.publish("line")
    #expect(await streams.other.next() != nil)
    #expect(try await service.ask(.get, "/api/today", [.cookie: cookie]).status == .unauthorized)
    #expect(try await service.ask(.get, "/api/phones", owner).text.contains("Ann") == false)
  }

  @Test("a walker's phone is a walker's, also of a service without a token, until the walker's token is replaced")
  func walker() async throws {
    let folder = try TemporaryDirectory()
    let book = WalkerBook(folder: folder.path)
    _ = try book.add("Ann", team: nil)
    let service = try FakeService(walkers: book)
    let code = try book.invite("ann").code
    let login = try await service.ask(.post, "/api/session", .json, body: #"{"code":"\#(code)"}"#)
    let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))
    #expect(try await service.ask(.get, "/api/checks", [.cookie: cookie]).status == .forbidden)
    _ = try book.renewToken(of: "Ann")
    #expect(try await service.ask(.get, "/api/checks", [.cookie: cookie]).status == .unauthorized)
    #expect(throws: PeopleError.owner) { try book.invite("Owner") }
  }

  @Test("the page travels compressed, and not at all to a browser that has it")
  func caching() async throws {
    let service = try FakeService()
    let plain = try await service.ask(.get, "/page.js")
    let tag = try #require(plain.headers[.eTag])
    let packed = try await service.ask(.get, "/page.js", [.acceptEncoding: "br;q=1, gzip;q=0.8"])
    #expect(packed.headers[.contentEncoding] == "gzip" && packed.body.readableBytesView.starts(with: [0x1F, 0x8B]))
    #expect(packed.body.readableBytes < plain.body.readableBytes && packed.headers[.eTag] == tag)
    for refusal in ["identity", "gzip;q=0", ""] {
      #expect(try await service.ask(.get, "/page.js", [.acceptEncoding: refusal]).headers[.contentEncoding] == nil)
    }
    let known = try await service.ask(.get, "/page.js", [.ifNoneMatch: "\"x\", W/\(tag)"])
    #expect(
      known.status == .notModified && known.body.readableBytes == 0 && known.headers[.contentSecurityPolicy] == nil)
    #expect(try await service.ask(.get, "/page.js", [.ifNoneMatch: "\"x\""]).text == plain.text)
  }
}
