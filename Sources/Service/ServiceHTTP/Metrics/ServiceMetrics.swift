import Metrics
import Platform
import ServiceCore

/// The metrics of the service and the walk.
package final class ServiceMetrics: Sendable {
  /// Why a connection was closed without an answer.
  enum Cut: String, Sendable, CaseIterable {
    /// It sent its request too slowly.
    case slow
    /// It read nothing of the requested answer.
    case stalled
    /// It kept sending a refused body.
    case flooding
    /// Its client had too many connections, and none that could be closed instead.
    case crowded
    /// It was idle.
    case idle
  }

  let factory: PrometheusMetrics
  /// Open connections.
  let connections: Meter
  /// Open event streams.
  let subscribers: Meter
  private let published: Counter
  private let dropped: Counter
  private let missed: Counter
  private let keeping: Timer

  package init(version: String) {
    factory = PrometheusMetrics(help: Self.help)
    connections = Meter(label: "pedometer_http_connections", factory: factory)
    subscribers = Meter(label: "pedometer_sse_subscribers", factory: factory)
    published = Counter(label: "pedometer_sse_events_total", factory: factory)
    dropped = Counter(label: "pedometer_sse_refused_total", factory: factory)
    keeping = Timer(label: "pedometer_history_write_delay_seconds", factory: factory)
    missed = Counter(label: "pedometer_sse_events_skipped_total", factory: factory)
    Meter(label: "pedometer_build_info", dimensions: [("version", version)], factory: factory).set(1)
    for reason in Cut.allCases where reason != .idle { cuts(reason).increment(by: 0) }
  }

  /// A request was answered.
  func answered(route: String, method: String, status: Int, in time: Duration) {
    let labels = [("route", route), ("method", method)]
    Counter(
      label: "pedometer_http_requests_total", dimensions: labels + [("status", "\(status)")], factory: factory
    ).increment()
    Timer(label: "pedometer_http_request_duration_seconds", dimensions: [("route", route)], factory: factory)
      .recordNanoseconds(Int64(bounded: time / .nanoseconds(1)))
  }

  /// Bytes that were not a request were answered.
  func refused(_ status: Int) { answered(route: "none", method: "none", status: status, in: .zero) }

  /// A connection was closed.
  func cut(_ reason: Cut) { cuts(reason).increment() }

  /// A line was published.
  func wasPublished() { published.increment() }
  /// A reader was refused, because there were too many.
  func subscriberWasRefused() { dropped.increment() }
  /// A reader missed this many lines, because it was too slow.
  func subscriberMissed(_ lines: UInt64) { missed.increment(by: Int64(clamping: lines)) }

  private func cuts(_ reason: Cut) -> Counter {
    Counter(
      label: "pedometer_http_connections_dropped_total", dimensions: [("reason", reason.rawValue)], factory: factory)
  }

  /// Steps or events were written to the history.
  /// - Parameter time: since the first of them was added.
  package func kept(in time: Duration) { keeping.recordNanoseconds(Int64(bounded: time / .nanoseconds(1))) }

  /// The MQTT broker was connected, or lost.
  package func mqtt(isConnected: Bool) { gauge("pedometer_mqtt_connected", []).set(isConnected ? 1.0 : 0.0) }

  /// Updates the figures of the walk.
  func update(_ sources: [SourceState]) {
    for source in sources {
      let label = [("source", source.uri)]
      let isCounting = source.state == .counting
      gauge("pedometer_source_up", label).set(isCounting ? 1.0 : 0.0)
      factory.series("pedometer_steps_total", label, .counter).set(Double(source.steps))
      guard let walk = source.walk else { continue }
      factory.series("pedometer_distance_meters_total", label, .counter).set(walk.distanceTravelled)
      gauge("pedometer_cadence_steps_per_second", label).set(isCounting ? walk.currentCadence ?? 0 : 0)
    }
  }

  private func gauge(_ name: String, _ labels: [(String, String)]) -> PrometheusSeries {
    factory.series(name, labels, .gauge)
  }

  private static let help = [
    "pedometer_build_info": "Always 1; the label is the running version.",
    "pedometer_steps_total": "Steps since the service started.",
    "pedometer_distance_meters_total": "Distance walked since the service started.",
    "pedometer_cadence_steps_per_second": "Current cadence in steps per second; 0 while not walking.",
    "pedometer_source_up": "1 if the source is counting.",
    "pedometer_mqtt_connected": "1 while the MQTT broker is connected.",
    "pedometer_history_write_delay_seconds": "Time from the first pending step until it is stored in the history.",
    "pedometer_http_requests_total": "Requests by route, method and status.",
    "pedometer_http_request_duration_seconds": "Time from the request's headers to the response's headers.",
    "pedometer_http_connections": "Open connections.",
    "pedometer_http_connections_dropped_total": "Closed connections by reason.",
    "pedometer_sse_subscribers": "Open event streams.",
    "pedometer_sse_events_total": "Lines published on the event stream.",
    "pedometer_sse_refused_total": "Event streams refused because too many were open.",
    "pedometer_sse_events_skipped_total": "Lines that slow readers missed.",
  ]
}
