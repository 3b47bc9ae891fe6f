import Synchronization

/// Looks at something again and again, on a task of its own, until it is stopped or started anew.
final class UpdateLoop: Sendable {
  /// Asked before each delivery: whether this session is still the one.
  typealias IsCurrent = @Sendable () -> Bool

  private struct Session {
    var number = 0
    var task: Task<Void, Never>?
  }
  private let session = Mutex(Session())

  deinit { session.withLock { $0.task?.cancel() } }

  /// Begins a session; one that runs ends.
  /// - Parameters:
  ///   - watch: what was seen so far.
  ///   - wait: returns when it is time for the next look.
  ///   - look: looks once, and says whether to go on.
  func start<Watch: Sendable>(
    _ watch: Watch, wait: @escaping @Sendable () async throws -> Void,
    look: @escaping @Sendable (inout Watch, IsCurrent) -> Bool
  ) {
    session.withLock { session in
      session.task?.cancel()
      session.number += 1
      let number = session.number
      session.task = Task { [weak self] in
        let isCurrent: IsCurrent = { [weak self] in self?.isCurrent(number) ?? false }
        var watch = watch
        while isCurrent(), look(&watch, isCurrent) {
          do { try await wait() } catch { return }
        }
      }
    }
  }

  /// Ends the session.
  func stop() {
    session.withLock { session in
      session.task?.cancel()
      session.task = nil
      session.number += 1
    }
  }

  private func isCurrent(_ number: Int) -> Bool { session.withLock { $0.number == number } }
}
