import Hummingbird
import JSONLines
import ServiceCore

/// Who the caller is, and for the owner, who the walkers are. Only the command `pedometerd walkers` changes them.
struct WalkerRoutes: RouteGroup {
  let walkers: WalkerBook
  let lane: WorkLane

  func register(in routes: inout RouteTable) {
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

extension Walker {
  /// For `GET /api/walker` and `walkers list`.
  var json: JSONLine {
    var line = JSONLine()
    line.add("name", name)
    line.add("team", team)
    line.add("role", isOwner ? "owner" : isRemoved ? "removed" : "walker")
    return line
  }
}
