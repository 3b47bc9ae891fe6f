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

  private struct Invitation: Decodable {
    var code: String
  }

  private struct Named: Decodable {
    var id: String
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
    let registry = registry
    return try await Self.refusing { try await lanes.answers.run(for: context.client) { try body(registry) } }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (ChallengeRegistry) throws -> Value
  ) async throws -> Value {
    let registry = registry
    return try await Self.refusing { try await lanes.keeping.run { try body(registry) } }
  }

  private static func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as ChallengeError {
      switch error {
      case .wrong: throw ServiceRefusal(400, "\(error)")
      case .unknown, .ambiguous, .stranger: throw ServiceRefusal(404, "there is no such challenge")
      case .tooMany, .full: throw ServiceRefusal(409, "\(error)")
      }
    } catch let error as WalkerError { throw ServiceRefusal(error == .tooMany ? 409 : 400, "\(error)") }
  }
}
