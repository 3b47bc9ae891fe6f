import Pedometry
import Synchronization

/// Waits for a source in a task, on behalf of a thread that sleeps in `poll(2)`. Releasing it ends the task.
package final class SourceWait: Sendable {
  private let session = UpdateSession()
  private let ending = Mutex<Result<SourceConnection?, any Error>?>(nil)

  /// Starts waiting.
  /// - Parameters:
  ///   - wake: called at the end.
  ///   - find: returns when the source is present; see ``LivePedometer/find(waits:)``.
  package init(wake: @escaping @Sendable () -> Void, find: @escaping @Sendable () async throws -> SourceConnection?) {
    session.start { [weak self] _ in
      let result: Result<SourceConnection?, any Error>
      do { result = .success(try await find()) } catch { result = .failure(error) }
      self?.ending.withLock { $0 = result }
      wake()
    }
  }

  /// The result; `nil` while waiting.
  package var result: Result<SourceConnection?, any Error>? { ending.withLock { $0 } }
}
