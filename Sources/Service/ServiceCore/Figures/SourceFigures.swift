import JSONLines
import Pedometry

package struct SourceState: Sendable, Hashable {
  package enum State: String, Sendable {
    case counting, waiting, lost, denied
    /// A recording, whose samples are all counted.
    case ended
  }
  package var uri: String
  /// The name of the sensor; `nil` before it was found.
  package var name: String?
  package var state: State
  /// Why it does not count, and the remedy; `nil` while it counts. A source that sends samples which cannot be counted has a reason
  /// although its state is ``State/counting``.
  package var reason: String?
  package var remedy: String?
  /// Steps since the service started.
  package var steps: Int
  /// The sampling frequency in Hz; `nil` for a hardware step counter and while unknown.
  package var samplingFrequency: Double?
  /// The totals of the walk; `nil` before the first figures.
  package var walk: WalkTotals?

  /// For /health.
  package var json: JSONLine {
    JSONLine([
      "uri": uri, "name": name, "state": state.rawValue, "reason": reason, "remedy": remedy, "steps": steps,
      "samplingFrequency": samplingFrequency.decimals(3),
    ])
  }
}

/// What a source measured in the last seconds.
package struct SourceSignal: Sendable, Hashable {
  package var source: String
  /// The time of the latest value, on a clock that only passes; `nil` without values.
  package var end: Duration?
  /// The mean time between two values.
  package var interval: Duration
  /// Magnitudes in g, oldest first; empty for a source without samples.
  package var values: [Float]

  /// For /api/signal.
  package var json: JSONLine {
    JSONLine([
      "source": source, "t": end.map { $0 / .seconds(1) }.decimals(3), "interval": interval.decimals(4),
      "values": values.map(Double.init).decimals(3),
    ])
  }
}
