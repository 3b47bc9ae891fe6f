// Embedded Swift for bare metal has no concurrency.
#if !hasFeature(Embedded)
  import Synchronization

  /// The session driver of every pedometer with a task: one session at a time, and no handler call after its end.
  ///
  /// Releasing it ends the session.
  package final class UpdateSession: Sendable {
    /// Checked before each delivery: whether this session is still the current one.
    package typealias IsCurrent = @Sendable () -> Bool

    private struct State {
      var number = 0
      var task: Task<Void, Never>?
    }
    private let state = Mutex(State())

    /// Creates a driver without a session.
    package init() {}

    deinit { stop() }

    /// Begins a session on a task; a running session ends.
    package func start(_ body: @escaping @Sendable (_ isCurrent: @escaping IsCurrent) async -> Void) {
      state.withLock { state in
        state.task?.cancel()
        state.number += 1
        let number = state.number
        state.task = Task { [weak self] in await body { [weak self] in self?.isCurrent(number) ?? false } }
      }
    }

    /// Ends the session. After this has returned, no handler is called.
    package func stop() {
      state.withLock { state in
        state.task?.cancel()
        state.task = nil
        state.number += 1
      }
    }

    private func isCurrent(_ number: Int) -> Bool { state.withLock { $0.number == number } }
  }
#endif
