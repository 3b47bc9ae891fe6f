import Pedometry
import Synchronization

/// Waits for a sensor in a task, on behalf of a thread that sleeps in `poll(2)`. Releasing it ends the task.
package final class SensorWait: Sendable {
  private let session = UpdateSession()
  private let ending = Mutex<Result<Void, any Error>?>(nil)

  /// Starts waiting.
  /// - Parameters:
  ///   - wake: called at the end.
  ///   - wait: returns when the sensor is present.
  package init(wake: @escaping @Sendable () -> Void, wait: @escaping @Sendable () async throws -> Void) {
    session.start { [weak self] _ in
      let result: Result<Void, any Error>
      do { result = .success(try await wait()) } catch { result = .failure(error) }
      self?.ending.withLock { $0 = result }
      wake()
    }
  }

  /// The result; `nil` while waiting.
  package var result: Result<Void, any Error>? { ending.withLock { $0 } }
}
