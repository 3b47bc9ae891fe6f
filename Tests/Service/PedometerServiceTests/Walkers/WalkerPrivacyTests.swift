import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP
@testable import ServiceWalkers

@Suite("What a walker's token reaches", .timeLimit(.minutes(30)), .ownThreads)
struct WalkerPrivacyTests {
  /// The status for the owner, for Ann, who takes part in the challenge, for Ben, who does not, and for a stranger.
  /// 0: not asked, because the answer is a stream, or needs parameters.
  private static let table: [String: (Int, Int, Int, Int)] = [
    "GET /": (200, 200, 200, 200), "GET /page.css": (200, 200, 200, 200), "GET /page.js": (200, 200, 200, 200),
    "GET /texts.js": (200, 200, 200, 200), "GET /texts-de.json": (200, 200, 200, 200),
    "GET /texts-fr.json": (200, 200, 200, 200),
    "GET /views.js": (200, 200, 200, 200), "GET /days.js": (200, 200, 200, 200),
    "GET /today.js": (200, 200, 200, 200), "GET /history.js": (200, 200, 200, 200),
    "GET /play.js": (200, 200, 200, 200), "GET /loch.js": (200, 200, 200, 200),
    "GET /people.js": (200, 200, 200, 200), "GET /devices.js": (200, 200, 200, 200),
    "GET /doubts.js": (200, 200, 200, 200), "GET /api/walks": (200, 403, 403, 401),
    "PUT /api/walks": (415, 403, 403, 401), "GET /scene.json": (200, 200, 200, 200),
    "GET /charts.js": (200, 200, 200, 200), "GET /common.js": (200, 200, 200, 200),
    "GET /room.js": (200, 200, 200, 200), "GET /reports.js": (200, 200, 200, 200), "GET /phone": (200, 200, 200, 200),
    "GET /phone.js": (200, 200, 200, 200), "GET /phone-worker.js": (200, 200, 200, 200),
    "GET /phone.webmanifest": (200, 200, 200, 200), "GET /icon.svg": (200, 200, 200, 200),
    "GET /icon.png": (200, 200, 200, 200), "GET /icon-512.png": (200, 200, 200, 200),
    "GET /page.webmanifest": (200, 200, 200, 200), "GET /api/requests": (200, 403, 403, 401),
    "POST /api/requests": (415, 415, 415, 415), "PUT /api/requests": (415, 403, 403, 401),
    "GET /api/phone": (200, 200, 200, 401), "POST /api/phone": (409, 409, 409, 401),
    "GET /openapi.json": (200, 200, 200, 200), "GET /challenge": (200, 200, 200, 200),
    "GET /challenge.js": (200, 200, 200, 200), "GET /walk-test.js": (200, 200, 200, 200),
    "GET /health": (200, 200, 200, 200),
    "POST /api/session": (415, 415, 415, 415), "DELETE /api/session": (204, 204, 204, 204),
    "GET /api/signal": (200, 403, 403, 401), "GET /api/devices": (200, 403, 403, 401),
    "GET /api/records": (200, 403, 403, 401), "POST /api/import/file": (415, 403, 403, 401),
    "GET /api/checks": (200, 403, 403, 401), "PUT /api/goal": (415, 403, 403, 401),
    "GET /api/goal": (200, 403, 403, 401), "GET /api/phones": (200, 403, 403, 401),
    "DELETE /api/phones": (404, 403, 403, 401),
    "GET /api/settings": (200, 403, 403, 401), "PUT /api/settings": (415, 403, 403, 401),
    "GET /api/chase": (200, 403, 403, 401), "POST /api/chase": (415, 403, 403, 401),
    "GET /metrics": (200, 403, 403, 401), "GET /api/live": (0, 403, 403, 401),
    "GET /api/walkers": (200, 403, 403, 401), "POST /api/challenges": (415, 403, 403, 401),
    "GET /api/today": (200, 200, 200, 401), "GET /api/history": (200, 200, 200, 401),
    "POST /api/import": (415, 403, 403, 401), "POST /api/samples": (415, 415, 415, 401),
    "POST /api/steps": (415, 415, 415, 401), "POST /api/counters": (415, 415, 415, 401),
    "GET /api/walker": (200, 200, 200, 401), "PUT /api/walker": (415, 403, 403, 401),
    "GET /api/challenges": (200, 200, 200, 401),
    "GET /api/challenge": (200, 200, 404, 401), "POST /api/challenge/invitation": (415, 415, 415, 401),
    "POST /api/challenge/join": (415, 415, 415, 401), "POST /api/challenge/leave": (415, 415, 415, 401),
    "DELETE /api/challenge": (204, 403, 403, 401),
    "GET /chat/room": (0, 403, 403, 401), "POST /chat/say": (0, 403, 403, 401), "GET /race/live": (0, 403, 403, 401),
    "GET /race/clock": (200, 403, 403, 401), "POST /race/countdown": (0, 403, 403, 401),
    "DELETE /race/countdown": (0, 403, 403, 401), "POST /race/status": (0, 403, 403, 401),
    "POST /race/location": (0, 403, 403, 401), "GET /api/analytics": (200, 403, 403, 401),
    "POST /api/analytics": (415, 403, 403, 401),
  ]

  @Test("every route answers the owner, a participant, another walker and a stranger as it should")
  func table() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      let (_, ben) = try walkers.book.add("Ben", team: nil)
      var plan = ChallengePlan(name: "")
      (plan.name, plan.days, plan.walkers) = ("November", 7, ["Ann"])
      let id = try walkers.registry.add(plan).id
      let routes = walkers.service.service.responder.routes.routes.flatMap { path, methods in
        methods.keys.map { (path, $0) }
      }
      #expect(Set(routes.map { "\($0.1) \($0.0)" }) == Set(Self.table.keys))
      // The challenge is removed last.
      for (path, method) in routes.sorted(by: { ($0.1 == .delete ? 1 : 0) < ($1.1 == .delete ? 1 : 0) }) {
        let expected = try #require(Self.table["\(method) \(path)"])
        let target = path == "/api/challenge" ? "\(path)?id=\(id)" : path
        let callers = [(nil, expected.3), (ben, expected.2), (ann, expected.1), (FakeService.secret, expected.0)]
        for (token, status) in callers where status != 0 {
          let answer = try await walkers.ask(method, target, as: token)
          let who = token == nil ? "a stranger" : token == ann ? "Ann" : token == ben ? "Ben" : "the owner"
          #expect(answer.status.code == status, "\(method) \(path) as \(who): \(answer.text.prefix(200))")
        }
      }
    }
  }

  @Test("what a walker sends is in the own history, and in nobody else's")
  func ownHistory() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      let (_, ben) = try walkers.book.add("Ben", team: nil)
      #expect(try await walkers.send(1200, as: ann).status == .ok)
      #expect(try await walkers.send(700, as: ben).status == .ok)
      #expect(try WalkedDay.of(try await walkers.ask(.get, "/api/today", as: ann)) == 1200)
      #expect(try WalkedDay.of(try await walkers.ask(.get, "/api/today", as: ben)) == 700)
      // The fake owner's.
      #expect(try WalkedDay.of(try await walkers.ask(.get, "/api/today", as: FakeService.secret)) == 4200)
      let history = try await walkers.ask(.get, "/api/history?bucket=day", as: ann).text
      #expect(history.contains(#""steps":1200"#) && !history.contains("700") && !history.contains("4200"))
      #expect(walkers.service.backend.state.withLock { $0.queries.isEmpty })
    }
  }

  @Test("a strangers' view of the health is also a walker's")
  func health() async throws {
    for secret in [FakeService.secret, nil] {
      try await withWalkers(token: secret) { walkers in
        let (_, ann) = try walkers.book.add("Ann", team: nil)
        let shown = try await walkers.ask(.get, "/health", as: ann)
        #expect(shown.status == .ok && !shown.text.contains("sources"), "\(shown.text)")
        #expect(try await walkers.ask(.get, "/health", as: secret).text.contains("sources"))
      }
    }
  }

  @Test("a phone with the link of a challenge asks to be let in, waits for the owner, and is a walker's then")
  func request() async throws {
    try await withWalkers { walkers in
      var plan = ChallengePlan(name: "November")
      plan.days = 7
      let link = try walkers.registry.add(plan).code
      let owner = FakeService.secret
      let ask = { (name: String, link: String) in
        try await walkers.ask(.post, "/api/requests", as: nil, body: #"{"code":"\#(link)","name":"\#(name)"}"#)
      }
      let enter = { (code: Substring) in
        try await walkers.ask(.post, "/api/session", as: nil, body: #"{"code":"\#(code)"}"#)
      }
      let answer = { (id: Substring, admit: Bool) in
        let body = #"{"id":"\#(id)","admit":\#(admit)}"#
        return try await walkers.ask(.put, "/api/requests", as: owner, body: body).status.code
      }
      let requests = { () async throws -> [(id: Substring, rest: Substring)] in
        try await walkers.ask(.get, "/api/requests", as: owner).text
          .matches(of: /"id":"([0-9a-f]{16})","walker":"([^}]*)\}/).map { ($0.1, $0.2) }
      }
      // Without the link nothing is learned, and names are as those of walkers.
      #expect(try await ask("Ann", "wrong").status == .notFound)
      for name in ["", " ", "\\u202ex", String(repeating: "a", count: 41)] {
        #expect(try await ask(name, link).status == .badRequest, "\(name)")
      }
      let told = try await ask("Ann", link).text
      let code = try #require(told.wholeMatch(of: /\{"code":"([0-9a-f]{32})"\}/)).1
      let waits = try await enter(code)
      #expect(waits.status == .accepted && waits.body.readableBytes == 0 && waits.headers[.setCookie] == nil)
      let first = try #require(try await requests().first)
      #expect(first.rest.hasPrefix("Ann\"") && first.rest.hasSuffix(#""isKnown":false"#) && !code.contains(first.id))
      #expect(try await answer("none", true) == 404)
      #expect(try await answer(first.id, true) == 204)
      #expect(try await requests().isEmpty)
      let cookie = try #require(try await enter(code).headers[.setCookie]?.split(separator: ";").first.map(String.init))
      let me = try await walkers.service.ask(.get, "/api/walker", [.cookie: cookie])
      #expect(me.text == #"{"name":"Ann","team":null,"role":"walker"}"#)
      #expect(try await walkers.service.ask(.get, "/api/devices", [.cookie: cookie]).status == .forbidden)
      #expect(try await enter(code).status == .unauthorized)
      // The owner sees that the next one would be the same walker's phone, and refuses.
      let second = try #require(try await ask("ann", link).text.firstMatch(of: /[0-9a-f]{32}/)).0
      let known = try #require(try await requests().first)
      #expect(known.rest.hasSuffix(#""isKnown":true"#))
      #expect(try await answer(known.id, false) == 204)
      #expect(try await enter(second).status == .unauthorized)
      // No phone becomes the owner's by a name.
      _ = try await ask("Owner", link)
      #expect(try await answer(try #require(try await requests().first).id, true) == 400)
      #expect(try walkers.book.list().walkers.map(\.name) == ["Ann"])
      // Requests end by themselves, and are few.
      walkers.clock.advance(by: .seconds(601))
      #expect(try await requests().isEmpty)
      for _ in 0..<40 { _ = try walkers.book.ask("Ben", agent: nil) }
      #expect(try await requests().count == 16)
      var statuses: Set<Int> = []
      for _ in 0..<64 where !statuses.contains(429) { statuses.insert(try await ask("Cid", link).status.code) }
      #expect(statuses.contains(429))
    }
  }

  @Test("a second challenge with the same name is refused, in any case of letters")
  func sameName() async throws {
    try await withWalkers { walkers in
      let add = { (name: String) in
        try await walkers.ask(
          .post, "/api/challenges", as: FakeService.secret, body: #"{"name":"\#(name)","days":7}"#)
      }
      #expect(try await add("November").status == .ok)
      let again = try await add("november")
      #expect(again.status == .conflict)
      #expect(again.reason == "there is a challenge 'november' already; choose another name, or remove that one first")
      #expect(try walkers.registry.challenges.all().count == 1)
    }
  }

  @Test("a board has no identifiers, days only if it shows them, and the invitation only for the owner")
  func board() async throws {
    try await withWalkers { walkers in
      let (ann, token) = try walkers.book.add("Ann", team: "Red")
      let (ben, other) = try walkers.book.add("Ben", team: "Blue")
      _ = try await walkers.send(1200, as: token)
      _ = try await walkers.send(700, as: other)
      for show in Challenge.Show.allCases {
        var plan = ChallengePlan(name: "")
        (plan.name, plan.days, plan.walkers, plan.show) = (show.rawValue, 2, ["Ann", "Ben"], show.rawValue)
        plan.owner = false
        let challenge = try walkers.registry.add(plan)
        let path = "/api/challenge?id=\(challenge.id)"
        let seen = try await walkers.ask(.get, path, as: token).text
        #expect(seen.contains(#""days":[1200,0]"#) == (show == .days), "\(seen)")
        #expect(seen.contains(#""rank":2,"name":"Ben","steps":700"#) && !seen.contains("Red"), "\(seen)")
        for secret in [ann.id, ben.id, challenge.code, "invitation", "Owner"] { #expect(!seen.contains(secret)) }
        #expect(try await walkers.ask(.get, path, as: FakeService.secret).text.contains(challenge.code))
      }
    }
  }

  @Test("a removed or replaced token, and its cookie, are refused at once, also where the owner needs no token")
  func removedToken() async throws {
    for secret in [FakeService.secret, nil] {
      try await withWalkers(token: secret) { walkers in
        let (_, ann) = try walkers.book.add("Ann", team: nil)
        _ = try walkers.book.add("Ben", team: nil)
        let login = try await walkers.ask(.post, "/api/session", as: nil, body: #"{"token":"\#(ann)"}"#)
        let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))
        #expect(cookie.hasPrefix("pedometer-session=walker-") && !cookie.contains(ann))
        let withCookie = { (path: String) in try await walkers.service.ask(.get, path, [.cookie: cookie]).status.code }
        #expect(try await withCookie("/api/walker") == 200)
        #expect(try await withCookie("/api/devices") == 403)
        let (_, second) = try walkers.book.renewToken(of: "Ann")
        #expect(try await withCookie("/api/walker") == 401)
        #expect(try await withCookie("/api/devices") == 401)
        #expect(try await walkers.ask(.get, "/api/today", as: ann).status == .unauthorized)
        #expect(try await walkers.ask(.get, "/api/today", as: second).status == .ok)
        try walkers.book.remove("Ann", keepingHistory: true)
        #expect(try await walkers.ask(.get, "/api/today", as: second).status == .unauthorized)
        #expect(try await walkers.ask(.get, "/api/devices", as: second).status == .unauthorized)
        #expect(try await withCookie("/api/devices") == 401)
        #expect(try await walkers.ask(.get, "/api/devices", as: secret).status == .ok)
      }
    }
  }

  @Test("a walker's logins end only the own earliest ones")
  func logins() throws {
    let folder = try TemporaryDirectory()
    let book = WalkerBook(folder: folder.path)
    let (ann, ben) = (try book.add("Ann", team: nil).walker, try book.add("Ben", team: nil).walker)
    let owner = try book.logIn(Walker.ownerID, issuer: "the service's token", agent: nil)
    let bens = try book.logIn(ben.id, issuer: try #require(ben.digest), agent: nil)
    let anns = try (0...PhonePass.most).map { _ in
      try book.logIn(ann.id, issuer: try #require(ann.digest), agent: nil)
    }
    // A walker's login is never the owner's.
    let holders = try ([owner, bens] + anns).map { try book.holder(ofPhone: $0)?.walker.name }
    #expect(holders == ["Owner", "Ben", nil] + Array(repeating: "Ann", count: PhonePass.most))
    #expect(Set([owner, bens] + anns).count == PhonePass.most + 3)
  }

  @Test("wrong tokens are slowed down, whether they resemble a walker's or the owner's")
  func guessing() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      var statuses: [Int] = []
      for number in 0..<12 {
        statuses.append(try await walkers.ask(.get, "/api/today", as: ann.dropLast(2) + "\(number)x").status.code)
      }
      #expect(statuses.prefix(10).allSatisfy { $0 == 401 } && statuses.suffix(2).allSatisfy { $0 == 429 })
      #expect(try await walkers.ask(.get, "/api/today", as: ann).status == .ok)
    }
  }

  @Test("an unreadable list of walkers lets nobody in but the owner")
  func damagedList() async throws {
    try await withWalkers { walkers in
      let (_, ann) = try walkers.book.add("Ann", team: nil)
      try Data("{".utf8).write(to: URL(filePath: walkers.folder + "/walkers.json"))
      #expect(try await walkers.ask(.get, "/api/today", as: ann).status.code == 503)
      #expect(try await walkers.ask(.get, "/api/today", as: FakeService.secret).status == .ok)
      try FileManager.default.removeItem(atPath: walkers.folder + "/walkers.json")
      #expect(try await walkers.ask(.get, "/api/today", as: ann).status == .unauthorized)
    }
  }
}
