import Metrics
import Synchronization

/// Stores the metrics of swift-metrics for a scrape: a counter, a gauge or a histogram for each name and its labels.
final class PrometheusMetrics: MetricsFactory {
  /// The type of a metric.
  enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  private struct Key: Hashable {
    var name: String
    var labels: PrometheusLabels
  }

  private struct Family {
    var kind: Kind
    var series: [PrometheusLabels: PrometheusSeries] = [:]
  }

  private let families = Mutex<[String: Family]>([:])
  private let help: [String: String]
  /// The maximum number of series of a name; further ones are combined in one that is not shown, so that no client can
  /// fill the memory.
  private let mostSeries = 512

  /// - Parameter help: the help text of each name.
  init(help: [String: String] = [:]) { self.help = help }

  /// The series of a name and labels, created if necessary.
  func series(_ name: String, _ labels: [(String, String)], _ kind: Kind) -> PrometheusSeries {
    let key = PrometheusLabels(labels)
    return families.withLock { families in
      var family = families.removeValue(forKey: name) ?? Family(kind: kind)
      defer { families[name] = family }
      if let series = family.series[key] { return series }
      let series = PrometheusSeries(buckets: kind == .histogram ? PrometheusSeries.seconds : [])
      if family.kind == kind, family.series.count < mostSeries { family.series[key] = series }
      return series
    }
  }

  /// All metrics in Prometheus's text format, version 0.0.4, sorted by name.
  func text() -> String {
    let families = families.withLock { $0 }
    var text = PrometheusText()
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      text.begin(name, family.kind, help: help[name] ?? "What the program records as \(name).")
      for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
        text.add(name, labels, series.snapshot)
      }
    }
    return text.text
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter)
  }

  func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
    series(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge)
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(label, dimensions, aggregate ? .histogram : .gauge)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .histogram)
  }

  // A series is kept: a counter that disappeared and came back would look like a restart.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}
