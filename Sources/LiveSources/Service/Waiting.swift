import Dispatch
import Synchronization

/// Lets a command without `async` wait for something that has it.
package enum Waiting {
  /// Runs it to its end, or until the time is up; then it is cancelled, and not waited for any more.
  /// - Returns: what it gave, if it came to its end.
  @discardableResult
  package static func atMost<Result: Sendable>(
    _ time: Duration, _ body: @escaping @Sendable () async -> Result
  ) -> Result? {
    let (done, result) = (DispatchSemaphore(value: 0), Box<Result>())
    let task = Task.detached {
      let value = await body()
      result.value.withLock { $0 = value }
      done.signal()
    }
    let (seconds, attoseconds) = time.components
    let limit = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    if done.wait(timeout: limit) == .timedOut { task.cancel() }
    return result.value.withLock { $0 }
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
