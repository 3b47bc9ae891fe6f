import HTTPTypes
import Hummingbird
import ServiceCore

/// The event stream, and the metrics.
struct LiveRoutes: RouteGroup {
  let backend: ServiceBackend
  let hub: EventHub
  let metrics: ServiceMetrics

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/live", ownOrigin: true) { request, context in
      let steps = try request.query()["steps"] ?? "true"
      guard let hasSteps = Bool(steps) else {
        throw ServiceRefusal(400, "steps=\(steps) is invalid; give true or false")
      }
      // A returning browser sends its last number; anything else starts from now.
      let last = request.headers[.lastEventID].flatMap { UInt64($0) }
      let reader = try hub.subscribe(after: last, session: Gatekeeper.session(request))
      let first = last == nil ? try await backend.today().liveLine : nil
      return EventStream.response(reader, to: context, first: first, hasSteps: hasSteps)
    }
    routes.add(.get, "/metrics") { _, _ in
      metrics.update(await backend.sources())
      return .plain(Array(metrics.text.utf8), type: ServiceMetrics.contentType)
    }
  }
}
