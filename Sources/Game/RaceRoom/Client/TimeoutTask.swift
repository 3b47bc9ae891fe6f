import Synchronization

/// Work with a time-out, which also applies to work that ignores cancellation.
///
/// Nothing runs until ``value`` is awaited. The first result of the work, the time-out and a cancellation is kept:
/// awaiting it again returns it again, and the work runs once. With the first result, work and timer are both
/// cancelled.
public final class TimeoutTask<Success: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Success, any Error>

  private struct State {
    var result: Result<Success, any Error>?
    var isRunning = false
    var tasks: [Task<Void, Never>] = []
    var waiters: [Int: Waiter] = [:]
    /// Waiters that were cancelled before they could wait.
    var gone: Set<Int> = []
    var nextID = 0
  }

  private let timeout: Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let operation: @Sendable () async throws -> Success
  private let state = Mutex(State())

  /// Creates a task that has not begun.
  /// - Parameters:
  ///   - timeout: the longest time for the work.
  ///   - sleep: how to wait; by default with the system's clock.
  ///   - operation: the work.
  public init(
    timeout: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    operation: @escaping @Sendable () async throws -> Success
  ) {
    (self.timeout, self.sleep, self.operation) = (timeout, sleep, operation)
  }

  /// Creates a task that has not begun, with seconds as in the founding one.
  public convenience init(seconds: Double, operation: @escaping @Sendable () async throws -> Success) {
    self.init(timeout: .seconds(seconds), operation: operation)
  }

  /// The result of the work. Starts it if it has not been started.
  ///
  /// A cancelled task stops waiting; when no other task waits, the work is cancelled.
  /// - Throws: the work's own error, ``TimeoutError``, or `CancellationError`.
  public var value: Success {
    get async throws {
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { wait(id, $0) }
      } onCancel: {
        leave(id)
      }
    }
  }

  /// Cancels the work: current and later waiters get a `CancellationError`. Has no effect if there is a result.
  public func cancel() { finish(.failure(CancellationError())) }

  private func wait(_ id: Int, _ waiter: Waiter) {
    let result = state.withLock { state -> Result<Success, any Error>? in
      if state.gone.remove(id) != nil { return .failure(CancellationError()) }
      if let result = state.result { return result }
      state.waiters[id] = waiter
      if !state.isRunning { start(&state) }
      return nil
    }
    if let result { waiter.resume(with: result) }
  }

  /// Both are separate tasks and not part of a group, which would wait for work that ignores cancellation.
  private func start(_ state: inout State) {
    state.isRunning = true
    state.tasks = [
      Task {
        do { finish(.success(try await operation())) } catch { finish(.failure(error)) }
      },
      Task {
        do {
          try await sleep(timeout)
          finish(.failure(TimeoutError(timeout: timeout)))
        } catch {}
      },
    ]
  }

  private func leave(_ id: Int) {
    let (waiter, isLast) = state.withLock { state -> (Waiter?, Bool) in
      guard state.result == nil else { return (nil, false) }
      guard let waiter = state.waiters.removeValue(forKey: id) else {
        state.gone.insert(id)
        return (nil, false)
      }
      return (waiter, state.waiters.isEmpty)
    }
    waiter?.resume(throwing: CancellationError())
    if isLast { cancel() }
  }

  private func finish(_ result: Result<Success, any Error>) {
    let (waiters, tasks) = state.withLock { state -> ([Waiter], [Task<Void, Never>]) in
      guard state.result == nil else { return ([], []) }
      state.result = result
      defer {
        state.waiters = [:]
        state.tasks = []
      }
      return (Array(state.waiters.values), state.tasks)
    }
    for task in tasks { task.cancel() }
    for waiter in waiters { waiter.resume(with: result) }
  }
}

/// A time-out.
public struct TimeoutError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The time limit.
  public var timeout: Duration

  /// Creates an error.
  public init(timeout: Duration) { self.timeout = timeout }

  public var description: String { "no response within \(timeout); try again, or allow more time" }
}
