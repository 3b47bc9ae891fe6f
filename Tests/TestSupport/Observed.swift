import Synchronization

/// A value that a test waits for: each change resumes the waits whose condition it satisfies, so that tests do not
/// poll.
///
///     let streams = Observed(0)
///     streams.update { $0 += 1 }  // in a test double
///     await streams.wait { $0 == 2 }  // in the test
public final class Observed<Value: Sendable>: Sendable {
  public typealias Condition = @Sendable (Value) -> Bool

  private struct Wait {
    var id: Int
    var condition: Condition
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var value: Value
    var nextID = 0
    var waits: [Wait] = []
    /// Waits that were cancelled before they started.
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  /// Starts with a value.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The current value.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value.
  /// - Returns: the result of `change`.
  @discardableResult
  public func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    let (result, met) = state.withLock { state in
      let result = change(&state.value)
      let met = state.waits.filter { $0.condition(state.value) }
      state.waits.removeAll { wait in met.contains { $0.id == wait.id } }
      return (result, met)
    }
    for wait in met { wait.continuation.resume() }
    return result
  }

  /// Returns when the value satisfies the condition, or when the task is cancelled, as at the suite's time limit.
  public func wait(until condition: @escaping Condition) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.remove(id) != nil || condition(state.value) { return true }
          state.waits.append(Wait(id: id, condition: condition, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let wait: Wait? = state.withLock { state in
        guard let index = state.waits.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waits.remove(at: index)
      }
      wait?.continuation.resume()
    }
  }
}
