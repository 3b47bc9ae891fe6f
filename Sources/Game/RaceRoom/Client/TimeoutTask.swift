import Synchronization

/// Work with a time-out, which also applies to work that ignores cancellation.
///
/// Nothing runs until ``value`` is awaited. The first result of the work, the time-out and a cancellation is kept:
/// awaiting it again returns it again, and the work runs once. With the first result, work and timer are both
/// cancelled.
public final class TimeoutTask<Success: Sendable>: Sendable {
  private let timeout: Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let operation: @Sendable () async throws -> Success
  /// Has one element: the first result.
  private let results: AsyncThrowingStream<Success, any Error>
  private let result: AsyncThrowingStream<Success, any Error>.Continuation
  /// Waits for the result; `nil` before the work begins.
  private let outcome = Mutex<Task<Success, any Error>?>(nil)

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
    (results, result) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Creates a task that has not begun, with seconds as in the founding one.
  public convenience init(seconds: Double, operation: @escaping @Sendable () async throws -> Success) {
    self.init(timeout: .seconds(seconds), operation: operation)
  }

  /// The result of the work. Starts it if it has not been started. The cancellation of a task that waits here is that of the
  /// work.
  /// - Throws: the work's own error, ``TimeoutError``, or `CancellationError`.
  public var value: Success {
    get async throws {
      let outcome = outcome.withLock { outcome in
        let task = outcome ?? begin()
        outcome = task
        return task
      }
      return try await withTaskCancellationHandler {
        try await outcome.value
      } onCancel: {
        cancel()
      }
    }
  }

  /// Cancels the work: current and later waiters get a `CancellationError`. Has no effect if there is a result.
  public func cancel() {
    outcome.withLock { $0 = $0 ?? Task { throw CancellationError() } }
    result.finish(throwing: CancellationError())
  }

  /// Work and timer are separate tasks and not part of a group, which would wait for work that ignores cancellation.
  private func begin() -> Task<Success, any Error> {
    let tasks = [
      Task {
        do {
          result.yield(try await operation())
        } catch { result.finish(throwing: error) }
      },
      Task {
        if (try? await sleep(timeout)) != nil { result.finish(throwing: TimeoutError(timeout: timeout)) }
      },
    ]
    return Task {
      defer { for task in tasks { task.cancel() } }
      for try await value in results { return value }
      throw CancellationError()
    }
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
