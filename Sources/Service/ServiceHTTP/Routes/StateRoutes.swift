import Foundation
import Hummingbird
import JSONLines
import ServiceCore
import ServiceWalkers

/// The state of the walk: health, today, history, devices, checks, the day's goal.
struct StateRoutes: RouteGroup {
  let backend: ServiceBackend
  let settings: HTTPSettings
  let walkers: WalkerHomes?
  private let slots: AnswerSlots

  init(backend: ServiceBackend, settings: HTTPSettings, walkers: WalkerHomes? = nil) {
    (self.backend, self.walkers, self.settings) = (backend, walkers, settings)
    slots = AnswerSlots(settings.limits)
  }

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/health", .everybodyInPart) { _, context in await health(context) }
    routes.add(.get, "/api/signal") { _, _ in .json(array: await backend.signals().map(\.json.object)) }
    routes.add(.get, "/api/today", .walkers) { _, context in .json(try await today(context).json.object) }
    routes.add(.get, "/api/history", .walkers) { request, context in
      try await history(request, context).compressed(for: request)
    }
    routes.add(.get, "/api/walks") { request, _ in
      .json(array: try await backend.walks(try HistoryQuery(request.query())).map(\.object))
    }
    routes.add(.put, "/api/walks") { request, _ in
      let answer = try await request.json(Answer.self, upTo: settings.limits.bodySize)
      try await backend.answer(answer.start, answer.end, answer.answer, answer.name)
      return .json(try await backend.today().json.object)
    }
    routes.add(.get, "/api/records") { _, _ in
      return .json(JSONLine(["longestWalk": try await backend.longestWalk()]).object)
    }
    routes.add(.get, "/api/devices") { _, _ in .json(array: try await backend.devices()) }
    routes.add(.get, "/api/checks") { _, _ in .json(array: try await backend.checks()) }
    routes.add(.get, "/api/goal") { _, _ in
      return .json(JSONLine(["goal": try await backend.today().goal, "goals": backend.goals()?.week ?? []]).object)
    }
    routes.add(.put, "/api/goal") { request, _ in try await setGoal(request) }
    routes.add(.get, "/api/settings") { _, _ in own() }
    routes.add(.put, "/api/settings") { request, _ in
      try await backend.set(try await request.json(WalkSettings.self, upTo: settings.limits.bodySize))
      return own()
    }
  }

  private func own() -> Response {
    let own = backend.settings()
    return .json(
      JSONLine([
        "height": own.height.decimals(3), "stepLength": own.stepLength.decimals(3), "dayStart": own.dayStart ?? "00:00",
      ]).object)
  }

  /// The day of the one who asks.
  private func today(_ context: ServiceContext) async throws -> TodayFigures {
    if case .walker(let walker) = context.caller { return try await rooms().home(of: walker).answers.today() }
    return try await backend.today()
  }

  private func rooms() throws(ServiceRefusal) -> WalkerHomes {
    if let walkers { return walkers }
    throw ServiceRefusal(503, "this service has no histories of walkers")
  }

  /// Strangers see neither names and addresses of sensors nor steps.
  private func health(_ context: ServiceContext) async -> Response {
    let sources = await backend.sources()
    var troubles = await backend.troubles()
    if !sources.isEmpty, sources.allSatisfy({ [.lost, .denied].contains($0.state) }) {
      troubles.append(sources.count == 1 ? "the source is lost" : "every source is lost")
    }
    var line = JSONLine(["status": troubles.isEmpty ? "ok" : "degraded", "version": settings.version])
    guard context.caller == .owner else { return .json(line.object) }
    if !troubles.isEmpty { line.add("reason", troubles.joined(separator: "; ")) }
    line.add("sources", sources.map(\.json))
    let (losses, imports) = (await backend.losses(), await backend.imports())
    if !losses.isEmpty { line.add("losses", losses) }
    if !imports.isEmpty { line.add("imports", imports) }
    return .json(line.object)
  }

  private func history(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let query = try HistoryQuery(request.query())
    let pages: HistoryPages
    if case .walker(let walker) = context.caller {
      pages = try await rooms().home(of: walker).answers.pages(query, client: context.client)
    } else {
      pages = try backend.history(query, context.client)
    }
    // Everything that can be refused is refused before the answer begins.
    guard let first = try await pages() else { return .json("[]") }
    let slot = try slots.take(context.client)
    guard let second = try await pages() else { return .json("[\(first)]") }
    return .jsonArray(pages, beginningWith: [first, second], while: slot)
  }

  /// What a walk was, and its name; without both, what was said is taken back.
  private struct Answer: Decodable {
    var start: Date
    var end: Date
    var answer: String?
    var name: String?
  }

  /// One goal, or one for each weekday from Monday.
  private struct Goals: Decodable {
    var goal: Double?
    var goals: [Double]?
  }

  private func setGoal(_ request: Request) async throws -> Response {
    let told = try await request.json(Goals.self, upTo: settings.limits.bodySize)
    guard let plan = GoalPlan((told.goals ?? told.goal.map { [$0] } ?? []).map { Int(exactly: $0) ?? 0 }) else {
      throw ServiceRefusal(
        400,
        "'goal' is a whole number of steps from 1 to \(GoalFile.goals.upperBound), and 'goals' are seven, from Monday"
      )
    }
    try await backend.setGoal(plan)
    return .json(try await backend.today().json.object)
  }
}
