import CSensorShim
import Platform
import Synchronization

/// The session of one sensor: connects the consuming task with the reading thread.
final class ReaderSession<Element: Sendable>: Sendable, StoppableSession {
  private typealias Demand = CheckedContinuation<Element?, any Error>

  private enum Phase {
    /// There is no thread yet.
    case new
    /// The thread waits for a request.
    case idle
    /// A consumer waits for the thread.
    case asked(Demand)
    case ended
  }

  private struct State {
    var phase = Phase.new
    var isStopped = false
  }

  private enum Answer { case start, wake, end, misuse }

  private let state = Mutex(State())
  private let makeReader: @Sendable () -> MadeReader<Element>
  /// Raised permanently when the session is stopped.
  private let stopping: StopSignal?
  /// Raised for each request.
  private let demanding: StopSignal?
  /// Raised permanently when everything is closed and restored.
  private let finished: StopSignal?

  private let registry: SessionRegistry

  init(_ makeReader: @escaping @Sendable () -> MadeReader<Element>, registry: SessionRegistry) {
    (self.makeReader, self.registry) = (makeReader, registry)
    stopping = try? StopSignal()
    demanding = try? StopSignal()
    finished = try? StopSignal()
  }

  func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { ask($0) }
    } onCancel: {
      stop()
    }
  }

  func stop() {
    let wasNew = state.withLock { state in
      state.isStopped = true
      if case .new = state.phase {
        state.phase = .ended
        return true
      }
      return false
    }
    stopping?.raise()
    if wasNew { finished?.raise() }
  }

  func waitUntilClosed(atMost timeout: Duration) { _ = finished?.wait(atMost: timeout) }

  private func ask(_ demand: Demand) {
    let answer: Answer = state.withLock { state in
      switch state.phase {
      case .ended: return .end
      case .asked: return .misuse
      case .new, .idle:
        let isNew = if case .new = state.phase { true } else { false }
        state.phase = .asked(demand)
        return isNew ? .start : .wake
      }
    }
    switch answer {
    case .end: demand.resume(returning: nil)
    case .misuse: demand.resume(throwing: SensorReadingsMisuse())
    case .wake: demanding?.raise()
    case .start: startThread()
    }
  }

  private func startThread() {
    guard let stopping, let demanding, finished != nil else {
      return finish(throwing: SensorError.system(operation: "create", path: "eventfd", errno: EMFILE))
    }
    registry.add(self)
    let code = startSensorThread { self.run(stopping, demanding) }
    if code != 0 { finish(throwing: SensorError.system(operation: "start", path: "a reading thread", errno: code)) }
  }

  private func run(_ stopping: StopSignal, _ demanding: StopSignal) {
    let reader = makeReader().reader
    var failure: (any Error)?
    do {
      try reader.open()
      while isWanted, let element = try reader.next(until: stopping) {
        deliver(element)
        reader.rest(until: stopping)
        while !isAsked, isWanted { if stopping.wait(orFor: demanding) == .readable { demanding.lower() } }
      }
    } catch {
      failure = error
    }
    reader.close()
    finish(throwing: failure)
  }

  private var isWanted: Bool { state.withLock { !$0.isStopped } }
  private var isAsked: Bool { state.withLock { if case .asked = $0.phase { true } else { false } } }

  private func deliver(_ element: Element) {
    let demand: Demand? = state.withLock { state in
      guard case .asked(let demand) = state.phase else { return nil }
      state.phase = .idle
      return demand
    }
    demand?.resume(returning: element)
  }

  private func finish(throwing failure: (any Error)?) {
    let (demand, isStopped): (Demand?, Bool) = state.withLock { state in
      defer { state.phase = .ended }
      if case .asked(let demand) = state.phase { return (demand, state.isStopped) }
      return (nil, state.isStopped)
    }
    registry.remove(self)
    finished?.raise()
    if let failure, !isStopped { demand?.resume(throwing: failure) } else { demand?.resume(returning: nil) }
  }
}

/// Two tasks used one iterator at the same time.
struct SensorReadingsMisuse: Error, CustomStringConvertible {
  var description: String { "a sensor's readings have one consumer, but two tasks asked at once" }
}

/// Runs a closure on a new thread, with a name for `top -H`; returns the errno of a failure.
func startSensorThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  startThread {
    unsafe sensor_name_thread("sensor-reader")
    body()
  }
}
