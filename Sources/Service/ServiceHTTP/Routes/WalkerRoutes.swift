import Hummingbird
import JSONLines
import ServiceCore
import ServiceWalkers

/// Who the caller is, and for the owner, who the walkers are. The owner can change the own name; the command
/// `pedometerd walkers` changes the others.
package struct WalkerRoutes: RouteGroup {
  let walkers: WalkerBook
  let lane: WorkLane
  let limits: ServiceLimits

  private struct Naming: Decodable {
    var name: String
  }

  package init(walkers: WalkerBook, lane: WorkLane, limits: ServiceLimits = ServiceLimits()) {
    (self.walkers, self.lane, self.limits) = (walkers, lane, limits)
  }

  package func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/walker", .walkers) { _, context in
      let list = try await lane.run { [walkers] in try walkers.list() }
      let walker = if case .walker(let walker) = context.caller { walker } else { list.owner }
      return .json(walker.json.object)
    }
    routes.add(.put, "/api/walker") { request, _ in
      let name = try await request.json(Naming.self, upTo: limits.bodySize).name
      let owner = try await lane.run { [walkers] in
        try walkers.setOwner(name: name, team: nil)
        return try walkers.list().owner
      }
      return .json(owner.json.object)
    }
    routes.add(.get, "/api/walkers") { _, _ in
      .json(array: try await lane.run { [walkers] in try walkers.list() }.everybody.map(\.json.object))
    }
  }
}
