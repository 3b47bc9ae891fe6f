import HTTPTypes
import Hummingbird

/// The event stream, and the metrics.
struct LiveRoutes: RouteGroup {
  let backend: any ServiceBackend
  let hub: EventHub
  let metrics: ServiceMetrics

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/api/live", ownOrigin: true) { request, context in
      // A returning browser sends its last number; anything else starts from now.
      let last = request.headers[.lastEventID].flatMap { UInt64($0) }
      let reader = try hub.subscribe(after: last)
      let first = last == nil ? try await backend.today().liveLine : nil
      return EventStream.response(reader, to: context, first: first)
    }
    routes.add(.get, "/metrics") { _, _ in
      metrics.update(await backend.sources())
      return .plain(Array(metrics.factory.text().utf8), type: PrometheusText.type)
    }
  }
}
