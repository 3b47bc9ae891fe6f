import Platform
import ServiceCore
import Synchronization

/// The metrics of the service and the walk, in Prometheus's text format, version 0.0.4.
package final class ServiceMetrics: Sendable {
  /// A name, with its type and the help text of a scrape.
  private struct Family: Hashable {
    enum Kind: String {
      case counter, gauge, histogram
    }

    let name: String
    let kind: Kind
    let help: String

    init(_ name: String, _ kind: Kind, _ help: String) { (self.name, self.kind, self.help) = (name, kind, help) }
  }

  private static let build = Family("pedometer_build_info", .gauge, "Always 1; the label is the running version.")
  private static let steps = Family("pedometer_steps_total", .counter, "Steps since the service started.")
  private static let distance = Family(
    "pedometer_distance_meters_total", .counter, "Distance walked since the service started.")
  private static let cadence = Family(
    "pedometer_cadence_steps_per_second", .gauge, "Current cadence in steps per second; 0 while not walking.")
  private static let isUp = Family("pedometer_source_up", .gauge, "1 if the source is counting.")
  private static let mqtt = Family("pedometer_mqtt_connected", .gauge, "1 while the MQTT broker is connected.")
  private static let writing = Family(
    "pedometer_history_write_delay_seconds", .histogram,
    "Time from the first pending step until it is stored in the history.")
  private static let requests = Family(
    "pedometer_http_requests_total", .counter, "Requests by route, method and status.")
  private static let answering = Family(
    "pedometer_http_request_duration_seconds", .histogram,
    "Time from the request's headers to the response's headers.")
  private static let connections = Family("pedometer_http_connections", .gauge, "Open connections.")
  private static let cuts = Family(
    "pedometer_http_connections_dropped_total", .counter, "Closed connections by reason.")
  private static let subscribers = Family("pedometer_sse_subscribers", .gauge, "Open event streams.")
  private static let published = Family("pedometer_sse_events_total", .counter, "Lines published on the event stream.")
  private static let refusals = Family(
    "pedometer_sse_refused_total", .counter, "Event streams refused because too many were open.")
  private static let skipped = Family("pedometer_sse_events_skipped_total", .counter, "Lines that slow readers missed.")

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

  private struct Series {
    /// A counter's or gauge's value; a histogram's sum.
    var value = 0.0
    /// Of a histogram: the number of values, and of those up to each of ``bounds``.
    var count = 0
    var buckets = [Int](repeating: 0, count: bounds.count)
  }

  /// By the text of the labels.
  private let families = Mutex<[Family: [String: Series]]>([:])
  /// From answers out of memory to answers that take noticeable time, in seconds.
  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10]
  /// The most series of a name; further ones are not kept, so that no client can fill the memory.
  private static let mostSeries = 512

  package init(version: String) {
    change(Self.build, ["version": version]) { $0.value = 1 }
    for family in [Self.connections, Self.subscribers, Self.published, Self.refusals, Self.skipped, Self.writing] {
      change(family) { _ in }
    }
    for reason in Cut.allCases where reason != .idle { change(Self.cuts, ["reason": reason.rawValue]) { _ in } }
  }

  private func change(_ family: Family, _ labels: [String: String] = [:], _ body: (inout Series) -> Void) {
    let key = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    families.withLock { families in
      let known = families[family, default: [:]]
      guard known[key] != nil || known.count < Self.mostSeries else { return }
      body(&families[family, default: [:]][key, default: Series()])
    }
  }

  private func add(_ family: Family, _ labels: [String: String] = [:], _ amount: Double = 1) {
    change(family, labels) { $0.value += amount }
  }

  private func set(_ family: Family, _ labels: [String: String] = [:], to value: Double) {
    change(family, labels) { $0.value = value }
  }

  private func record(_ family: Family, _ labels: [String: String] = [:], _ time: Duration) {
    let seconds = time / .seconds(1)
    change(family, labels) { series in
      series.value += seconds
      series.count += 1
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound { series.buckets[index] += 1 }
    }
  }

  // MARK: What happens

  /// Connections were opened, or closed: a negative number.
  func add(connections number: Int) { add(Self.connections, [:], Double(number)) }

  /// Event streams were opened, or closed: a negative number.
  func add(subscribers number: Int) { add(Self.subscribers, [:], Double(number)) }

  func answered(route: String, method: String, status: Int, in time: Duration) {
    add(Self.requests, ["route": route, "method": method, "status": "\(status)"])
    record(Self.answering, ["route": route], time)
  }

  /// Bytes that were not a request were answered.
  func refused(_ status: Int) { answered(route: "none", method: "none", status: status, in: .zero) }

  func cut(_ reason: Cut) { add(Self.cuts, ["reason": reason.rawValue]) }

  func wasPublished() { add(Self.published) }

  /// A reader was refused, because there were too many.
  func subscriberWasRefused() { add(Self.refusals) }

  /// A reader missed this many lines, because it was too slow.
  func subscriberMissed(_ lines: UInt64) { add(Self.skipped, [:], Double(lines)) }

  /// Steps or events were written to the history.
  /// - Parameter time: since the first of them was added.
  package func kept(in time: Duration) { record(Self.writing, [:], time) }

  /// The MQTT broker was connected, or lost.
  package func mqtt(isConnected: Bool) { set(Self.mqtt, to: isConnected ? 1 : 0) }

  func update(_ sources: [SourceState]) {
    for source in sources {
      let label = ["source": source.uri]
      let isCounting = source.state == .counting
      set(Self.isUp, label, to: isCounting ? 1 : 0)
      set(Self.steps, label, to: Double(source.steps))
      guard let walk = source.walk else { continue }
      set(Self.distance, label, to: walk.distanceTravelled)
      set(Self.cadence, label, to: isCounting ? walk.currentCadence ?? 0 : 0)
    }
  }

  // MARK: The text

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// All metrics, sorted by name and labels.
  var text: String {
    var text = ""
    func add(_ name: String, _ labels: String, _ value: Double) {
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(value))\n"
    }
    for (family, all) in families.withLock({ $0 }).sorted(by: { $0.key.name < $1.key.name }) {
      let name = family.name
      text += "# HELP \(name) \(family.help)\n# TYPE \(name) \(family.kind.rawValue)\n"
      for (labels, series) in all.sorted(by: { $0.key < $1.key }) {
        guard family.kind == .histogram else {
          add(name, labels, series.value)
          continue
        }
        let front = labels.isEmpty ? "" : labels + ","
        for (bound, count) in zip(Self.bounds, series.buckets) {
          add(name + "_bucket", front + "le=\"\(Self.number(bound))\"", Double(count))
        }
        add(name + "_bucket", front + "le=\"+Inf\"", Double(series.count))
        add(name + "_sum", labels, series.value)
        add(name + "_count", labels, Double(series.count))
      }
    }
    return text
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
