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

    /// Begins a session that calls the founding protocol's handlers: the start with the first element, then totals
    /// whenever the steps have grown. An error before the first element is one of the start, later one of the data.
    /// - Parameters:
    ///   - elements: opens the source; called once a session.
    ///   - totals: called once a session; returns a function from an element to its totals, if any.
    ///   - explain: converts an error to one that the handlers expect.
    package func deliver<Element>(
      _ elements: @escaping @Sendable () -> any AsyncSequence<Element, any Error>,
      totals: @escaping @Sendable () -> (Element) -> (any PedometerData)?,
      explain: @escaping @Sendable (any Error) -> any Error = { $0 },
      dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
      eventUpdates: @escaping @Sendable ((any Error)?) -> Void
    ) {
      start { isCurrent in
        let totals = totals()
        var (isRunning, steps) = (false, 0)
        do {
          for try await element in elements() {
            guard isCurrent() else { return }
            if !isRunning {
              isRunning = true
              eventUpdates(nil)
            }
            guard let data = totals(element), data.steps > steps, isCurrent() else { continue }
            steps = data.steps
            dataUpdates(data, nil)
          }
        } catch {
          guard isCurrent(), !(error is CancellationError) else { return }
          if isRunning { dataUpdates(nil, explain(error)) } else { eventUpdates(explain(error)) }
        }
      }
    }
  }
#endif
