/// Prometheus's text format, version 0.0.4.
struct PrometheusText {
  /// The value of the header `Content-Type`.
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Begins a name; its series follow.
  mutating func begin(_ name: String, _ kind: PrometheusMetrics.Kind, help: String) {
    let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds one series: a line, or for a histogram one for each bucket, the sum and the count.
  mutating func add(_ name: String, _ labels: PrometheusLabels, _ figures: PrometheusSeries.Snapshot) {
    guard !figures.buckets.isEmpty else { return add(name, labels, figures.value) }
    for (bound, count) in figures.buckets {
      add(name + "_bucket", labels.adding("le", Self.number(bound)), Double(count))
    }
    add(name + "_bucket", labels.adding("le", "+Inf"), Double(figures.count))
    add(name + "_sum", labels, figures.value)
    add(name + "_count", labels, Double(figures.count))
  }

  /// Adds one line.
  mutating func add(_ name: String, _ labels: PrometheusLabels, _ value: Double) {
    text += "\(name)\(labels.text) \(Self.number(value))\n"
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}

/// Labels, sorted by name.
struct PrometheusLabels: Hashable, Comparable, Sendable {
  private var pairs: [String]

  init(_ labels: [(String, String)] = []) {
    pairs = labels.sorted { $0.0 < $1.0 }.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
  }

  func adding(_ name: String, _ value: String) -> PrometheusLabels {
    var labels = self
    labels.pairs.append("\(name)=\"\(Self.escaped(value))\"")
    return labels
  }

  var text: String { pairs.isEmpty ? "" : "{" + pairs.joined(separator: ",") + "}" }

  static func < (a: PrometheusLabels, b: PrometheusLabels) -> Bool { a.pairs.lexicographicallyPrecedes(b.pairs) }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
