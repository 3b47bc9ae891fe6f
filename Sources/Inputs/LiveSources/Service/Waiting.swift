import Dispatch
import Synchronization

/// Lets a synchronous command wait for asynchronous work.
package enum Waiting {
  /// Runs the work to its end, or until the time is up; then it is cancelled and no longer awaited.
  /// - Returns: its result, if it ended.
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
