import Synchronization

/// Waits for a sensor on a task, for a thread that sleeps in `poll(2)`; the task ends when this is let go.
package final class SensorWait: Sendable {
  private struct State {
    package var result: Result<Void, any Error>?
    package var task: Task<Void, Never>?
  }
  private let state = Mutex(State())

  /// Begins to wait.
  /// - Parameters:
  ///   - wake: called when it is over.
  ///   - wait: returns once the sensor is there.
  package init(wake: @escaping @Sendable () -> Void, wait: @escaping @Sendable () async throws -> Void) {
    let task = Task { [weak self] in
      let result: Result<Void, any Error>
      do { result = .success(try await wait()) } catch { result = .failure(error) }
      self?.state.withLock { $0.result = result }
      wake()
    }
    state.withLock { $0.task = task }
  }

  deinit { state.withLock { $0.task?.cancel() } }

  /// How it ended; `nil` while it goes on.
  package var result: Result<Void, any Error>? { state.withLock { $0.result } }
}
