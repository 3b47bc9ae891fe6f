import Hummingbird
import JSONLines
import ServiceCore
import ServiceWalkers

/// Who the caller is, and for the owner, who the walkers are. Only the command `pedometerd walkers` changes them.
package struct WalkerRoutes: RouteGroup {
  let walkers: WalkerBook
  let lane: WorkLane

  package init(walkers: WalkerBook, lane: WorkLane) { (self.walkers, self.lane) = (walkers, lane) }

  package func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/walker", .walkers) { _, context in
      let list = try await lane.run { [walkers] in try walkers.list() }
      let walker = if case .walker(let walker) = context.caller { walker } else { list.owner }
      return .json(walker.json.object)
    }
    routes.add(.get, "/api/walkers") { _, _ in
      .json(array: try await lane.run { [walkers] in try walkers.list() }.everybody.map(\.json.object))
    }
  }
}
