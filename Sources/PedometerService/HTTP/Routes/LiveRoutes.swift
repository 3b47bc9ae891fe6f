import HTTPTypes
import Hummingbird

/// What happens, as it happens, and the figures that a monitor collects.
struct LiveRoutes: RouteGroup {
  let backend: any ServiceBackend
  let hub: EventHub
  let metrics: ServiceMetrics

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/live", ownOrigin: true) { request, _ in
      // A browser that comes back says what it had; what is no number of ours begins anew.
      let last = request.headers[.lastEventID].flatMap { UInt64($0) }
      let reader = try hub.subscribe(after: last)
      let first = last == nil ? try await backend.today().liveLine : nil
      return EventStream.response(reader, for: request, first: first)
    }
    routes.add(.get, "/metrics") { _, _ in
      metrics.update(await backend.sources())
      return .plain(Array(metrics.factory.text().utf8), type: PrometheusText.type)
    }
  }
}
