import Accelerometry
import Pedometry
import StepDetection
import Synchronization

/// The floors of a recording with a barometer, counted while another thread may be reading ahead.
final class RecordedFloors: Sendable {
  private struct State {
    var counter = FloorCounter()
    /// Steps before these pressures may still be confirmed.
    var waiting: [(nanoseconds: Int64, kilopascals: Double)] = []
  }

  private let state = Mutex(State())

  /// The floors; `nil` without a pressure of air.
  var counted: FloorCounter? { state.withLock { $0.counter.hasPressure ? $0.counter : nil } }

  /// Takes pressures, also those later than the samples so far.
  func add(_ pressures: [(nanoseconds: Int64, kilopascals: Double)]) { state.withLock { $0.waiting += pressures } }

  /// Takes confirmed steps.
  /// - Parameter now: the time of the latest sample; `nil` at the end.
  func add(_ steps: [Step], now: Duration?) {
    let known = now.map { ($0 - StepDetector.longestRevision).wholeNanoseconds } ?? .max
    state.withLock { state in
      for step in steps { state.counter.record(step: step.timestamp) }
      let due = state.waiting.prefix { $0.nanoseconds <= known }
      for (time, pressure) in due { state.counter.record(kilopascals: pressure, at: .nanoseconds(time)) }
      state.waiting.removeFirst(due.count)
      if now == nil { state.counter.finish() }
    }
  }
}
