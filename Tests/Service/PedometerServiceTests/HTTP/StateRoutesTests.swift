import Foundation
import HTTPTypes
import History
import HummingbirdTesting
import JSONLines
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("the state of the walk", .timeLimit(.minutes(30)))
struct StateRoutesTests {
  @Test("every figure is as documented, through the router and through a socket", arguments: Depth.allCases)
  func figures(_ depth: Depth) async throws {
    let expected = [
      "/health":
        #"{"status":"ok","version":"1.2.3","sources":[{"uri":"synthetic:cadence=110","name":"a made-up walker","#
        + #""state":"counting","reason":null,"remedy":null,"steps":42,"samplingFrequency":50}]}"#,
      "/api/today":
        #"{"date":"2026-11-21","steps":4200,"distanceTravelled":2950.5,"activeTime":2400,"goal":null}"#,
      "/api/history?bucket=day":
        #"[{"start":"2026-11-21T00:00:00+01:00","end":"2026-11-22T00:00:00+01:00","steps":4200,"#
        + #""distanceTravelled":2950.5,"cadence":1.75,"activeTime":2400}]"#,
      "/api/records": #"{"longestWalk":{"start":"2026-11-20T10:00:00+01:00","steps":9000}}"#,
      "/api/devices": #"[{"source":"iio:device0","usable":true},{"source":"x"}]"#,
      "/api/checks": #"[{"check":"sensors","result":"ok","finding":"one counts"}]"#,
      "/api/chase": #"{"type":"state","t":0,"state":"notStarted"}"#,
    ]
    try await FakeService().test(depth) { client in
      for (path, text) in expected {
        let response = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        #expect(response.status == .ok && response.text == text, "\(path): \(response.text)")
        #expect(response.headers[.contentType] == "application/json; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
      }
    }
  }

  @Test("strangers see no source in the state of the service; its owner sees all, and why it is degraded")
  func health() async throws {
    let service = try FakeService.guarded()
    #expect(try await service.ask(.get, "/health").text == #"{"status":"ok","version":"1.2.3"}"#)
    let own = try await service.ask(.get, "/health", .token).text
    #expect(
      own.contains(#""status":"ok""#) && own.contains("a made-up walker")
        && !own.contains(#""version":"1.2.3","reason""#))
    service.backend.state.withLock { state in
      state.troubles = ["no space left"]
      state.losses = ["2026-05-06 10:00 to 10:15 UTC (3 minutes)"]
    }
    #expect(try await service.ask(.get, "/health").text == #"{"status":"degraded","version":"1.2.3"}"#)
    let degraded = try await service.ask(.get, "/health", .token).text
    #expect(degraded.contains(#""status":"degraded","version":"1.2.3","reason":"no space left","sources""#))
    #expect(degraded.hasSuffix(#","losses":["2026-05-06 10:00 to 10:15 UTC (3 minutes)"]}"#))
    let line = JSONLine(["file": "days.csv", "newSteps": 100])
    service.backend.state.withLock { [line] in $0.imports = [line] }
    #expect(try await service.ask(.get, "/health").text == #"{"status":"degraded","version":"1.2.3"}"#)
    #expect(
      try await service.ask(.get, "/health", .token).text.hasSuffix(
        #","imports":[{"file":"days.csv","newSteps":100}]}"#))
    service.backend.state.withLock { state in
      state.troubles = []
      state.sources[0].state = .lost
    }
    #expect(try await service.ask(.get, "/health", .token).text.contains(#""reason":"the source is lost""#))
  }

  @Test("a goal is set, and today contains it")
  func goal() async throws {
    let service = try FakeService()
    let answer = try await service.ask(.put, "/api/goal", .json, body: #"{"goal":8000}"#)
    #expect(answer.status == .ok && answer.text.hasSuffix(#""goal":8000}"#))
    #expect(try await service.ask(.get, "/api/today").text == answer.text)
  }

  @Test("height, step length and the start of days are set together, and what is left out is unknown")
  func settings() async throws {
    let service = try FakeService()
    let unknown = #"{"height":null,"stepLength":null,"dayStart":"00:00"}"#
    #expect(try await service.ask(.get, "/api/settings").text == unknown)
    for (body, told) in [
      (#"{"height":1.785,"dayStart":"04:00"}"#, #"{"height":1.785,"stepLength":null,"dayStart":"04:00"}"#),
      (#"{"stepLength":0.72}"#, #"{"height":null,"stepLength":0.72,"dayStart":"00:00"}"#),
    ] {
      let answer = try await service.ask(.put, "/api/settings", .json, body: body)
      #expect(answer.status == .ok && answer.text == told)
      #expect(try await service.ask(.get, "/api/settings").text == told)
    }
    #expect(try await service.ask(.put, "/api/settings", .json, body: #"{"height":"tall"}"#).status.code == 400)
  }

  @Test(
    "an invalid goal is refused with the valid range",
    arguments: [
      (#"{"goal":0}"#, 400), (#"{"goal":1000001}"#, 400), (#"{"goal":"8000"}"#, 400), (#"{"goal":1.5}"#, 400),
      (#"{"goal":null}"#, 400), ("{}", 400), ("[]", 400), ("8000", 400), ("", 400), (#"{"goal":1"#, 400),
      (#"{"goal":true}"#, 400), (#"{"goal":99999999999999999999}"#, 400),
    ])
  func badGoal(_ body: String, _ status: Int) async throws {
    let service = try FakeService()
    let answer = try await service.ask(.put, "/api/goal", .json, body: body)
    #expect(answer.status.code == status && answer.reason != nil, "\(answer.text)")
    #expect(service.backend.state.withLock { $0.today.goal } == nil)
  }

  @Test("goals of weekdays are set and read, and others are refused with what is expected")
  func goalsOfWeekdays() async throws {
    let service = try FakeService()
    let week = #"{"goals":[1,2,3,4,5,6000,7]}"#
    #expect(try await service.ask(.put, "/api/goal", .json, body: week).status == .ok)
    #expect(try await service.ask(.get, "/api/goal").text == #"{"goal":6000,"goals":[1,2,3,4,5,6000,7]}"#)
    for wrong in [#"{"goals":[1,2]}"#, #"{"goals":[]}"#, #"{"goal":5.5}"#, #"{"goal":99999999999999999999}"#] {
      let answer = try await service.ask(.put, "/api/goal", .json, body: wrong)
      #expect(
        answer.reason == "'goal' is a whole number of steps from 1 to 1000000, and 'goals' are seven, from Monday",
        "\(answer)")
    }
  }

  @Test("a body without the type JSON is refused, so forms of other pages cannot send one")
  func contentType() async throws {
    let service = try FakeService()
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
      let answer = try await service.ask(.put, "/api/goal", [.contentType: type], body: #"{"goal":8000}"#)
      #expect(answer.status.code == 415 && answer.reason != nil, "\(type): \(answer.text)")
    }
    #expect(try await service.ask(.put, "/api/goal", [:], body: #"{"goal":8000}"#).status.code == 415)
    let withCharset = HTTPFields([HTTPField(name: .contentType, value: "Application/JSON; charset=utf-8")])
    #expect(try await service.ask(.put, "/api/goal", withCharset, body: #"{"goal":8000}"#).status == .ok)
  }

  @Test("history accepts the client's own offset, encoded or not")
  func history() async throws {
    let service = try FakeService()
    for plus in ["+", "%2B", "%2b"] {
      let query = "from=2026-11-21T01:00:00\(plus)01:00&to=2026-11-21T01:00:00.5Z&bucket=minute"
      #expect(try await service.ask(.get, "/api/history?\(query)").status == .ok)
    }
    let queries = service.backend.state.withLock { $0.queries }
    #expect(queries.count == 3)
    for query in queries {
      #expect(query.from == Date(timeIntervalSince1970: 1_795_219_200) && query.bucket == .minute)
      #expect(query.to == Date(timeIntervalSince1970: 1_795_222_800.5))
    }
  }

  @Test("history's days are those of the time zone and the start that the client asks for")
  func calendar() async throws {
    let service = try FakeService()
    let query = "time-zone=Asia/Kathmandu&day-start=04:30"
    #expect(try await service.ask(.get, "/api/history?\(query)").status == .ok)
    let asked = try #require(service.backend.state.withLock { $0.queries }.first)
    let usual = DayCalendar(timeZone: .gmt)
    #expect(asked.calendar(usual).timeZone.identifier == "Asia/Kathmandu")
    #expect(asked.calendar(usual).dayStart == .seconds(16_200))
    #expect(HistoryQuery().calendar(usual) == usual)
  }

  @Test(
    "history names the parameter that it does not understand",
    arguments: [
      ("form=2026-10-24T00:00:00Z", "'form' is not a parameter"), ("Bucket=hour", "'Bucket' is not a parameter"),
      ("bucket=week", "'bucket' is minute, hour or day"), ("time-zone=Vienna", "'time-zone' is the name"),
      ("time-zone=%2B25:00", "'time-zone' is the name"),
      ("day-start=25:00", "'day-start' is a time of day"), ("from=9999-12-31T00:00:00Z", "'from' is too far away"),
      ("to=9999-12-31T23:59:59Z", "'to' is too far away"), ("from=0001-01-01T00:00:00Z", "'from' is too far away"),
    ])
  func misspelt(_ query: String, _ reason: String) async throws {
    let answer = try await FakeService().ask(.get, "/api/history?\(query)")
    #expect(answer.status.code == 400 && answer.reason?.hasPrefix(reason) == true, "\(answer.text)")
  }

  @Test("an answer of several pages is one complete array", arguments: Depth.allCases)
  func pages(_ depth: Depth) async throws {
    let service = try FakeService()
    for count in [0, 1, 2, 3, 500] {
      service.backend.state.withLock { $0.pages = count }
      try await service.test(depth) { client in
        let answer = try await client.executeRequest(uri: "/api/history", method: .get, headers: [:], body: nil)
        let array = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [[String: Any]]
        #expect(answer.status == .ok && array?.count == count)
        #expect(array?.allSatisfy { $0["steps"] as? Int == 4200 } == true)
      }
    }
  }

  @Test("an unreadable first page is a 503; a later one ends the connection before the array does")
  func brokenPages() async throws {
    let service = try FakeService()
    service.backend.state.withLock { ($0.pages, $0.brokenPage) = (500, 1) }
    #expect(try await service.ask(.get, "/api/history").status == .serviceUnavailable)
    service.backend.state.withLock { $0.brokenPage = 300 }
    try await service.test(.live) { client in
      await #expect(throws: (any Error).self) {
        _ = try await client.executeRequest(uri: "/api/history", method: .get, headers: [:], body: nil)
      }
    }
  }

  @Test("long answers have a limit in total, and for each remote client")
  func slots() throws {
    var limits = ServiceLimits()
    (limits.longAnswers, limits.longAnswersOfClient) = (4, 2)
    let slots = AnswerSlots(limits)
    var taken = [try slots.take("192.0.2.1"), try slots.take("192.0.2.1")]
    #expect(throws: ServiceRefusal.self) { try slots.take("192.0.2.1") }
    taken.append(try slots.take("127.0.0.1"))
    taken.append(try slots.take("127.0.0.1"))
    let refusal = #expect(throws: ServiceRefusal.self) { try slots.take("192.0.2.2") }
    #expect(refusal?.status == 503)
    taken.removeFirst()
    taken.append(try slots.take("192.0.2.2"))
    #expect(taken.count == 4)
  }

  @Test(
    "an invalid query is refused with a sentence",
    arguments: [
      "bucket=week", "bucket=", "from=yesterday", "to=2026-11-21", "from=2026-11-21T00:00:00", "from=%FF",
      "from=2026-02-30T00:00:00Z", "bucket=day&bucket=hour", "from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z",
      "to=2026-11-21T24:00:00Z", "to=2026-11-21T00:00:00+25:00", "to=2026-11-21T00:00:00.Z",
    ])
  func badQuery(_ query: String) async throws {
    let answer = try await FakeService().ask(.get, "/api/history?\(query)")
    #expect(answer.status == .badRequest && answer.reason != nil, "\(answer.text)")
  }

  @Test("the signal of each source is told, and that a step counter has none")
  func signal() async throws {
    let answer = try await FakeService().ask(.get, "/api/signal")
    #expect(
      answer.text == #"[{"source":"synthetic:cadence=110","t":12.345,"interval":0.04,"values":[0.981,1,1.25]},"#
        + #"{"source":"counter:device1","t":null,"interval":0.04,"values":[]}]"#)
  }

  @Test("today has floors where they are known, and no such key where they are not")
  func floors() async throws {
    let service = try FakeService()
    #expect(!(try await service.ask(.get, "/api/today").text.contains("floors")))
    service.backend.state.withLock { state in
      (state.today.floorsAscended, state.today.floorsDescended) = (3, 0)
    }
    #expect(try await service.ask(.get, "/api/today").text.contains(#""floorsAscended":3,"floorsDescended":0"#))
  }

  @Test("a backend that fails is a 503 with a sentence, and the error is in the log only")
  func failure() async throws {
    let service = try FakeService()
    service.backend.state.withLock { $0.isBroken = true }
    let answer = try await service.ask(.get, "/api/today")
    #expect(answer.status == .serviceUnavailable && answer.reason?.contains("log") == true)
    #expect(!answer.text.contains("Broken") && service.log.all.contains { $0.contains("Broken") })
  }
}
