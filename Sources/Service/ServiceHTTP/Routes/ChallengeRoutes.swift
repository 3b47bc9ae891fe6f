import Hummingbird
import JSONLines
import ServiceCore
import ServiceWalkers

/// Challenges. The owner makes them; those who take part see them, and others do not learn that they exist.
package struct ChallengeRoutes: RouteGroup {
  let registry: ChallengeRegistry
  let lanes: WorkLanes
  let limits: ServiceLimits

  package init(registry: ChallengeRegistry, lanes: WorkLanes, limits: ServiceLimits) {
    (self.registry, self.lanes, self.limits) = (registry, lanes, limits)
  }

  /// With the link of one, a phone without a token asks to be let in: so often, whatever the addresses.
  private let pace = RateLimiter(burst: 16, perSecond: 0.1)
  private let uptime = ServiceApplication.uptime()

  private struct Invitation: Decodable {
    var code: String
    var name: String?
  }

  private struct Named: Decodable {
    var id: String
    var admit: Bool?
  }

  package func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/challenges", .walkers) { _, context in
      let viewer = context.caller.walkerID
      return .json(array: try await read(context) { try $0.list(for: viewer).map { $0.json(for: viewer) } })
    }
    routes.add(.post, "/api/challenges") { request, _ in
      let plan = try await request.json(ChallengePlan.self, upTo: limits.bodySize)
      return .json(try await write { try $0.add(plan).json(for: Walker.ownerID) })
    }
    routes.add(.get, "/api/challenge", .walkers) { request, context in
      let (id, viewer) = (try Self.identifier(request), context.caller.walkerID)
      return .json(try await read(context) { try $0.board(id, for: viewer).json })
    }
    routes.add(.delete, "/api/challenge") { request, _ in
      let id = try Self.identifier(request)
      try await write { try $0.challenges.remove(id) }
      return .done()
    }
    routes.add(.post, "/api/challenge/invitation", .walkers) { request, context in
      let code = try await request.json(Invitation.self, upTo: limits.bodySize).code
      let viewer = context.caller.walkerID
      return .json(try await read(context) { try $0.invitation(code).json(for: viewer) })
    }
    routes.add(.post, "/api/challenge/join", .walkers) { request, context in
      let code = try await request.json(Invitation.self, upTo: limits.bodySize).code
      let viewer = context.caller.walkerID
      return .json(try await write { try $0.join(code, walker: viewer).json(for: viewer) })
    }
    routes.add(.post, "/api/challenge/leave", .walkers) { request, context in
      let id = try await request.json(Named.self, upTo: limits.bodySize).id
      let viewer = context.caller.walkerID
      try await write { try $0.leave(id, walker: viewer) }
      return .done()
    }
    routes.add(.get, "/api/requests") { _, context in
      .json(array: try await read(context) { try $0.walkers.requests().map(\.object) })
    }
    routes.add(.post, "/api/requests", .everybody) { request, context in
      let shown = try await request.json(Invitation.self, upTo: limits.bodySize)
      _ = try await read(context) { try $0.invitation(shown.code) }
      if let wait = pace.take("", at: uptime()) { throw ServiceRefusal(wait: wait) }
      let agent = request.headers[.userAgent]
      return .json("{\"code\":\"\(try await read(context) { try $0.walkers.ask(shown.name ?? "", agent: agent) })\"}")
    }
    routes.add(.put, "/api/requests") { request, _ in
      let answer = try await request.json(Named.self, upTo: limits.bodySize)
      guard try await write({ try $0.walkers.answer(answer.id, admits: answer.admit ?? true) }) else {
        throw ServiceRefusal(404, "no phone asks with this id; send an 'id' that /api/requests lists")
      }
      return .done()
    }
  }

  private static func identifier(_ request: Request) throws(ServiceRefusal) -> String {
    guard let id = try request.query()["id"] else {
      throw ServiceRefusal(400, "'id' is missing; give the identifier of a challenge")
    }
    return id
  }

  /// Reads histories; clients take turns.
  private func read<Value: Sendable>(
    _ context: ServiceContext, _ body: @escaping @Sendable (ChallengeRegistry) throws -> Value
  ) async throws -> Value {
    try await lanes.answers.run(for: context.client) { [registry] in try body(registry) }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (ChallengeRegistry) throws -> Value
  ) async throws -> Value {
    try await lanes.keeping.run { [registry] in try body(registry) }
  }
}
