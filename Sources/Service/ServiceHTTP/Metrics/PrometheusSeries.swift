import Metrics
import Synchronization

/// The values of one name and its labels.
final class PrometheusSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  struct Snapshot: Sendable {
    /// A counter's or gauge's value; a histogram's sum.
    var value = 0.0
    /// The number of recorded values.
    var count: UInt64 = 0
    /// Upper bounds, and the number of values up to each.
    var buckets: [(bound: Double, count: UInt64)] = []
  }

  /// From answers out of memory to answers that take noticeable time.
  static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10]

  private let state: Mutex<Snapshot>

  init(buckets: [Double]) { state = Mutex(Snapshot(buckets: buckets.map { ($0, 0) })) }

  var snapshot: Snapshot { state.withLock { $0 } }

  func increment(by amount: Int64) { increment(by: Double(amount)) }
  func increment(by amount: Double) { state.withLock { $0.value += amount } }
  func decrement(by amount: Double) { state.withLock { $0.value -= amount } }
  func reset() { state.withLock { $0.value = 0 } }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0.value = value } }
  func record(_ value: Int64) { record(Double(value)) }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }

  func record(_ value: Double) {
    state.withLock { state in
      if state.buckets.isEmpty {
        state.value = value
        return
      }
      state.value += value
      state.count += 1
      for index in state.buckets.indices where value <= state.buckets[index].bound { state.buckets[index].count += 1 }
    }
  }
}
