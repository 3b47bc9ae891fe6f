import Foundation
import HTTPTypes
import History
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

/// The recipes in "While the phone sleeps", whose bodies people copy.
@Suite("Recipes for phones", .timeLimit(.minutes(30)), .ownThreads)
struct RecipeTests {
  /// A recipe, and what its programs put in the places of the variables: for each reading.
  struct Recipe: CustomTestStringConvertible {
    var source: String
    var readings: [[String: String]]

    var testDescription: String { source }
  }

  /// 2026-11-27T12:00:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_780_800)

  private static let home = ["5321", "5401"].enumerated().map { index, steps in
    [
      "{{ steps }}": steps, "{{ time }}": "2026-11-27T08:\(index + 1)5:00.123456+00:00",
      "{{ local time }}": "2026-11-27T09:\(index + 1)5:00.123456+01:00",
    ]
  }

  static let recipes = [
    Recipe(
      source: "ann-iphone", readings: [[:], ["5321.4": "5401.9", "09:15:00": "09:25:00"]]),
    Recipe(
      source: "ann-pixel",
      readings: [
        ["%as_values1": "5321.0", "%TIMES": "1795767300"], ["%as_values1": "5401.0", "%TIMES": "1795767900"],
      ]),
    Recipe(source: "ann-pixel-ha", readings: home), Recipe(source: "ann-iphone-ha", readings: home),
  ]

  private static func article() throws -> String {
    try TemporaryDirectory.text(
      of: Repository.path("Sources/Service/ServiceCore/ServiceCore.docc/WhileThePhoneSleeps.md"))
  }

  /// The texts of code blocks of a language.
  private static func blocks(_ language: String) throws -> [String] {
    try article().components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  private static func body(of source: String) throws -> String {
    try #require(try blocks("json").first { $0.contains("\"source\":\"\(source)\"") })
  }

  /// A service that takes counters.
  private struct Counters {
    let folder: TemporaryDirectory
    let service: FakeService

    init() throws {
      folder = try TemporaryDirectory()
      let time = ServiceClock.manual(ManualClock(), from: now)
      let writer = try HistoryWriter(
        folder: HistoryFolder(path: folder.path), application: "test",
        clock: HistoryClock(now: time.now, uptime: time.elapsed, bootID: "boot"))
      let clients = ClientSources(
        registry: SourceRegistry(), access: ScriptedMachine().access, stepLength: .fixed(0.7), clock: time,
        journals: nil, outlet: OutletLog().outlet, limits: ServiceLimits())
      service = try FakeService(
        groups: [
          ClientRoutes(
            clients: clients, limits: ServiceLimits(), clock: time,
            count: { try writer.record($0, source: $1, stepLength: .fixed(0.7)) },
            keep: { try writer.record($0, source: $1) })
        ])
    }

    func post(_ body: String) async throws -> ServiceAnswer {
      try await service.ask(.post, "/api/counters", .json, body: body)
    }
  }

  @Test("the body of each recipe is taken, and the second one counts eighty steps", arguments: recipes)
  func posted(_ recipe: Recipe) async throws {
    let counters = try Counters()
    let body = try Self.body(of: recipe.source)
    for (index, values) in recipe.readings.enumerated() {
      var filled = body
      for (variable, value) in values {
        filled = filled.replacing(variable, with: value)
      }
      #expect(!filled.contains("{{") && !filled.contains("%"), "\(filled)")
      let answer = try await counters.post(filled)
      #expect(answer.status == .ok && answer.text.contains(#""taken":true"#), "\(filled): \(answer.text)")
      #expect(answer.text.contains(#""accepted":\#(index == 0 ? 0 : 80),"#), "\(filled): \(answer.text)")
    }
  }

  @Test("Home Assistant's recipe with a phone that corrects its count, is unavailable for a while, and starts again")
  func correctedPhone() async throws {
    let counters = try Counters()
    let body = try Self.body(of: "ann-pixel-ha")
    var accepted: [String] = []
    for (index, steps) in [900, 899, 899, 950, 12, 40].enumerated() {
      let time = "2026-11-27T08:\(index)0:00.123456+00:00"
      let answer = try await counters.post(
        body.replacing("{{ steps }}", with: "\(steps)").replacing("{{ time }}", with: time))
      accepted.append(String(answer.text.split(separator: #""accepted":"#).last?.prefix { $0.isNumber } ?? ""))
    }
    #expect(accepted == ["0", "0", "0", "50", "12", "28"])
  }

  @Test("each body in the article belongs to a recipe here, and those of Home Assistant are in its configuration")
  func complete() throws {
    let bodies = try Self.blocks("json")
    #expect(bodies.count == Self.recipes.count)
    for recipe in Self.recipes { #expect(try bodies.contains(Self.body(of: recipe.source))) }
    let configuration = try #require(try Self.blocks("yaml").first)
    #expect(configuration.contains("      " + (try Self.body(of: "ann-pixel-ha")) + "\n"))
  }

  @Test("the examples of curl in the documentation and in the API's description are taken")
  func examples() async throws {
    let counters = try Counters()
    for name in ["Sources/Service/ServiceCore/ServiceCore.docc/WhileThePhoneSleeps.md", "Documentation/Service.md"] {
      let text = try TemporaryDirectory.text(of: Repository.path(name))
      let bodies = text.components(separatedBy: "curl --json '").dropFirst().map { $0.components(separatedBy: "'")[0] }
        .filter { $0.contains("since") }
      #expect(bodies.count == 1)
      for body in bodies { #expect(try await counters.post(body).status == .ok, "\(body)") }
    }
    let document = APIDocument.text(asksForToken: false, version: "1")
    let example = try #require(
      document.components(separatedBy: "\"example\": ").first { $0.contains("\"since\": \"midnight\"") })
    #expect(try await counters.post(example.components(separatedBy: "\n")[0]).status == .ok)
  }
}
